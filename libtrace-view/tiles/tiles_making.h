// Makes what is kept of a session for another time, tile by tile.
#pragma once

#include <optional>

#include "finished_tiles.h"
#include "session_tiles.h"
#include "tile.h"

namespace evt::view {

// Refers to the tiles, which are complete. From the coarsest level to the finest one that is made without reading
// events again, while there is room.
class TilesMaking {
 public:
  // REQUIRES: tiles.is_read().
  explicit TilesMaking(SessionTiles& tiles);

  // Makes one tile more. False: all that there is room for are made.
  bool go_on();
  // REQUIRES: go_on() has returned false. Once.
  FinishedTiles take();

 private:
  // Of all tiles, in bytes of payloads; and rows in them, so that making them takes some seconds at most.
  static constexpr std::size_t kMostBytes = std::size_t{24} << 20;
  static constexpr std::size_t kMostRows = std::size_t{1} << 16;

  bool begin_level(unsigned level);

  SessionTiles* tiles_;
  FinishedTiles made_;
  std::optional<TilesOfLevel> level_;
  std::size_t bytes_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace evt::view
