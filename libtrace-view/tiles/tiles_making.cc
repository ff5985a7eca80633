#include "tiles_making.h"

#include <utility>

namespace evt::view {
namespace {

// The page shows the whole session in few pixels, and asks for what is coarser before it zooms out.
constexpr unsigned kCoarserLevels = 5;

}  // namespace

// Rows have their ids by the layout.
TilesMaking::TilesMaking(SessionTiles& tiles) : tiles_(&tiles) {
  const TimeRange range = tiles.layout().range;
  made_.generation = tiles.generation();
  made_.until_ns = tiles.until_ns();
  made_.has_jumps = tiles.has_jumps();
  made_.ids = tiles.ids();
  begin_level(coarsest_level(range, kCoarserLevels));
}

bool TilesMaking::begin_level(unsigned level) {
  level_.reset();
  const TilesOfLevel next(tiles_->layout().range, level);
  const auto rows = static_cast<std::size_t>(next.count()) * made_.ids.size();
  if (level < tiles_->finest_level() || rows_ + rows > kMostRows || bytes_ > kMostBytes / 2) return false;
  rows_ += rows;
  level_ = next;
  made_.levels.push_back({level, next.first, {}});
  return true;
}

// A level that there is no room for goes as a whole.
bool TilesMaking::go_on() {
  if (!level_) return false;
  FinishedTiles::Level& level = made_.levels.back();
  level.tiles.push_back(
      tiles_->payloads_at({level.level, level.first + static_cast<std::int64_t>(level.tiles.size())}));
  for (const std::string& payload : level.tiles.back()) bytes_ += payload.size();
  if (bytes_ > kMostBytes) {
    made_.levels.pop_back();
    level_.reset();
    return false;
  }
  if (static_cast<std::int64_t>(level.tiles.size()) < level_->count()) return true;
  return level_->level > 0 && begin_level(level_->level - 1);
}

FinishedTiles TilesMaking::take() {
  made_.layout = tiles_->layout();
  return std::move(made_);
}

}  // namespace evt::view
