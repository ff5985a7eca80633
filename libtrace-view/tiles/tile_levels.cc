#include "tile_levels.h"

#include "tile.h"

namespace evt::view {
namespace {

std::int64_t index_of(std::int64_t ns, unsigned level) { return ns >> (level + kTileBits); }

bool has_both(TimeRange range, unsigned level) {
  return level <= kMostTileLevel && TilePlace{level, index_of(range.from_ns, level)}.is_in_time() &&
         TilePlace{level, index_of(range.to_ns, level)}.is_in_time();
}

}  // namespace

TilesOfLevel::TilesOfLevel(TimeRange range, unsigned of_level)
    : level(of_level), first(index_of(range.from_ns, of_level)), last(index_of(range.to_ns, of_level)) {}

unsigned whole_level(TimeRange range) {
  const auto length = static_cast<std::uint64_t>(range.to_ns) - static_cast<std::uint64_t>(range.from_ns);
  unsigned level = 0;
  while (length >> (level + kTileBits) != 0) ++level;
  return level;
}

unsigned coarsest_level(TimeRange range, unsigned coarser) {
  unsigned level = whole_level(range) + coarser;
  while (level > 0 && !has_both(range, level)) --level;
  return level;
}

}  // namespace evt::view
