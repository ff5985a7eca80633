// Rows in 1024 columns of 2^level ns, as bytes for the page of `evt view`.
//
// "EVTT", version u8, level u8, index varint (zigzag), generation varint; then of each row: id varint, kind u8, flags
// u8, size varint, payload. Numbers are little-endian, varints are LEB128. A payload is runs of equal columns, until
// there are 1024, by kind:
//   0 states, 1 spans: columns varint, n u8, n of (key u8, share u8), as ColumnShares has them;
//     behind the runs: number of labels varint, each first column varint, columns varint, name varint
//   2 values: columns varint, is there u8, and if it is: min f32, max f32, mean f32
//   3 counts: columns varint, count in each of them varint
//   4 counts by class: columns varint, n u8, n of (class u8, count in each of them varint); of sparks as SparkClass
// and behind it the number of bands varint, each kind u8 (0 lost, 1 stopped, 2 uncertain, 3 not read), first column
// varint, columns varint.
#pragma once

#include <cstdint>
#include <string>

#include "libtrace-view/rows/track.h"
#include "name_ids.h"

namespace evt::view {

inline constexpr unsigned kTileBits = 10;
inline constexpr std::uint32_t kTileColumns = 1u << kTileBits;
// A coarser tile is longer than the range of times.
inline constexpr unsigned kMostTileLevel = 45;

// Column j of the tile is [(index * 1024 + j) * 2^level, + 2^level).
struct TilePlace {
  unsigned level = 0;
  std::int64_t index = 0;
  auto operator<=>(const TilePlace&) const = default;

  // False: it is not within the range of times.
  bool is_in_time() const;
  // REQUIRES: is_in_time().
  Scale scale() const;
};

enum class PayloadKind : std::uint8_t { kOfStates, kOfSpans, kOfValues, kOfCounts, kOfClasses };
PayloadKind payload_kind(TrackKind kind);

// A row in a tile.
struct TileRow {
  // `track` has the columns of `scale`, which is a tile's. Adds names that are new to `names`.
  static TileRow of(const Track& track, const Scale& scale, NameIds* names);
  // One of this kind in which there is nothing.
  static TileRow empty(TrackKind kind);

  std::uint8_t kind = 0;
  std::string payload;
};

class Tile {
 public:
  Tile(TilePlace place, std::uint64_t generation);

  void add(std::uint32_t id, const TileRow& row, bool is_partial);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace evt::view
