// What the page shows of a session of which all was read, as bytes for another time.
//
// "EVTF", version u8; then numbers as varints, those that may be below 0 in zigzag, and texts with their sizes before
// them: generation, until when (zigzag), 1 if time steps back by intent or else 0, first and last ns of the range
// (zigzag); names: their number, each text; ids: their number, each key and kind; rows: their number, each id, name,
// of, unit, part + 1 or 0; lanes of lives: their number, each lane + 1 or 0; objects: their number, each place; the
// coarsest level and how many levels there are, each one finer than the one before, of which all tiles that the range
// has are there, each with the payload of each id.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout.h"
#include "tile.h"

namespace evt::view {

struct FinishedTiles {
  struct Id {
    std::string key;
    TrackKind kind = TrackKind::kCpu;
  };
  struct Level {
    unsigned level = 0;
    std::int64_t first = 0;                       // index of its first tile
    std::vector<std::vector<std::string>> tiles;  // payloads, by ids
  };

  std::uint64_t generation = 0;
  std::int64_t until_ns = 0;
  bool has_jumps = false;  // time steps back by intent
  Layout layout;
  std::vector<Id> ids;        // of rows, from 0 on
  std::vector<Level> levels;  // from the coarsest on

  std::string bytes() const;
  // Nothing if there is anything in the bytes that is not as stated, or does not fit a session that ends at `last_ns`
  // and has this number of streams. Memory is a few times that of the bytes.
  static std::optional<FinishedTiles> from(std::string_view bytes, std::int64_t last_ns, std::size_t streams);
  // The payloads of a tile, by ids; null if it is not among them.
  const std::vector<std::string>* tile(TilePlace place) const;
};

}  // namespace evt::view
