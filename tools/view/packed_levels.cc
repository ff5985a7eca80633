#include "packed_levels.h"

#include <fmt/ranges.h>

#include <numeric>

#include "libtrace-view/tiles/tile.h"
#include "packed_text.h"

namespace evt::tools {
namespace {

using view::TilePlace;

// The whole session in an eighth of a tile: in a page of 141 pixels a pixel has a column of that.
constexpr unsigned kCoarser = 3;

}  // namespace

PackedLevels::PackedLevels(TraceAnswers& answers, std::size_t session)
    : answers_(answers), session_(session), range_(answers.range(session)), rows_(answers.end_of_ids(session)) {
  std::iota(rows_.begin(), rows_.end(), 0u);
  const unsigned whole = view::whole_level(range_);
  const unsigned coarsest = view::coarsest_level(range_, kCoarser);
  next_ = static_cast<int>(coarsest);
  needed_ = coarsest > whole ? coarsest - whole + 1 : 1;
}

std::string PackedLevels::empty() const {
  const view::TilesOfLevel tiles(range_, 0);
  const TilePlace place{0, TilePlace{0, tiles.last + 1}.is_in_time() ? tiles.last + 1 : tiles.first - 1};
  return packed(answers_.tile(session_, place, rows_));
}

std::optional<std::string> PackedLevels::level_json(unsigned level, std::size_t most) const {
  const auto [of, first, last] = view::TilesOfLevel(range_, level);
  std::string json = fmt::format("{{\"level\":{},\"first\":{},\"parts\":[", of, first);
  const char* between = "";
  for (std::int64_t index = first; index <= last;) {
    PackedText part;
    std::vector<std::size_t> sizes;
    for (std::size_t size = 0; index <= last && size < kPartBytes; ++index) {
      const std::string tile = answers_.tile(session_, {level, index}, rows_);
      part.add(tile);
      sizes.push_back(tile.size());
      size += tile.size();
      if (json.size() + part.size() > most) return std::nullopt;
    }
    json += fmt::format("{}{{\"sizes\":[{}],\"data\":\"{}\"}}", between, fmt::join(sizes, ","), part.text());
    between = ",";
  }
  json += "]}";
  return json.size() <= most ? std::optional(json) : std::nullopt;
}

bool PackedLevels::is_worth(unsigned level) const {
  const std::int64_t tiles = view::TilesOfLevel(range_, level).count();
  return tiles <= kMaxTiles && answers_.event_count(session_) <= kMaxEventsRead / static_cast<std::uint64_t>(tiles);
}

bool PackedLevels::add_next(std::size_t most) {
  const auto level = static_cast<unsigned>(next_);
  std::optional<std::string> json = level_json(level, most);
  if (!json) return false;
  levels_.push_back(*std::move(json));
  const bool goes_on = level > 0 && (levels_.size() < needed_ || is_worth(level - 1));
  next_ = goes_on ? next_ - 1 : -1;
  return true;
}

void PackedLevels::remove_last() { levels_.pop_back(); }

std::string PackedLevels::json() const { return fmt::format("{}", fmt::join(levels_, ",")); }

std::size_t PackedLevels::size() const {
  std::size_t size = 0;
  for (const std::string& level : levels_) size += level.size() + 1;
  return size;
}

}  // namespace evt::tools
