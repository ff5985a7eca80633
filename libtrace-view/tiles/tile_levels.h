// Which tiles a stretch of time has at each level.
#pragma once

#include <evt/trace.h>

#include <cstdint>

namespace evt::view {

// From the first to the last tile that has some of the stretch.
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
