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

#include <evt/trace.h>

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "libtrace-view/rows/shares.h"
#include "libtrace-view/rows/track.h"

namespace evt::view {

// The states of one column as shares of 255. What is there has one at least, and all of a column are 255; only then.
// The largest gives way to what would be less than one. REQUIRES: together they are no longer than the column.
class ColumnShares {
 public:
  void add(Key key, std::uint64_t ns) {
    ns_[key] += ns;
    all_ += ns;
  }
  bool is_empty() const { return all_ == 0; }
  std::uint64_t all() const { return all_; }
  // Of a column of this width; 0 of those that are not there.
  std::array<std::uint8_t, kKeys> of(std::uint64_t width) const;

 private:
  std::array<std::uint64_t, kKeys> ns_{};
  std::uint64_t all_ = 0;  // their sum
};

// Texts as numbers, from 0 on in the order in which they are met.
class NameIds {
 public:
  std::uint32_t of(const std::string& text) {
    const auto [place, is_new] = ids_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> texts_;
};

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

// The tiles of a level that have some of a stretch of time, from the first to the last.
struct TilesOfLevel {
  unsigned level = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;

  // REQUIRES: of_level <= kMostTileLevel.
  TilesOfLevel(TimeRange range, unsigned of_level);
  std::int64_t count() const { return last - first + 1; }
};

// At which the stretch is in one tile, or in two neighbours.
unsigned whole_level(TimeRange range);
// The level that is coarser than that by so much, or the coarsest of which both ends are in time.
unsigned coarsest_level(TimeRange range, unsigned coarser);

}  // namespace evt::view
