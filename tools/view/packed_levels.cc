#include "packed_levels.h"

#include <fmt/ranges.h>

#include <numeric>

#include "packed_text.h"

namespace evt::tools {
namespace {

using view::TilePlace;

// The whole session in an eighth of a tile: in a page of 141 pixels a pixel has a column of that.
constexpr unsigned kCoarser = 3;

std::int64_t index_of(std::int64_t ns, unsigned level) { return ns >> (level + view::kTileBits); }

bool has_both(TimeRange range, unsigned level) {
  return TilePlace{level, index_of(range.from_ns, level)}.is_in_time() &&
         TilePlace{level, index_of(range.to_ns, level)}.is_in_time();
}

// By which the session is in one tile, or in two neighbours.
unsigned whole_level(TimeRange range) {
  const auto length = static_cast<std::uint64_t>(range.to_ns) - static_cast<std::uint64_t>(range.from_ns);
  unsigned level = 0;
  while (length >> (level + view::kTileBits) != 0) ++level;
  return level;
}

}  // namespace

PackedLevels::PackedLevels(TraceAnswers& answers, std::size_t session)
    : answers_(answers), session_(session), range_(answers.range(session)), rows_(answers.end_of_ids(session)) {
  std::iota(rows_.begin(), rows_.end(), 0u);
  const unsigned whole = whole_level(range_);
  unsigned coarsest = whole + kCoarser;
  while (coarsest > 0 && !has_both(range_, coarsest)) --coarsest;
  next_ = static_cast<int>(coarsest);
  needed_ = coarsest > whole ? coarsest - whole + 1 : 1;
}

std::string PackedLevels::empty() const {
  const std::int64_t behind = index_of(range_.to_ns, 0) + 1;
  const TilePlace place{0, TilePlace{0, behind}.is_in_time() ? behind : index_of(range_.from_ns, 0) - 1};
  return packed(answers_.tile(session_, place, rows_));
}

std::optional<std::string> PackedLevels::level_json(unsigned level, std::size_t most) const {
  const std::int64_t first = index_of(range_.from_ns, level);
  const std::int64_t last = index_of(range_.to_ns, level);
  std::string json = fmt::format("{{\"level\":{},\"first\":{},\"parts\":[", level, first);
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
  const std::int64_t tiles = index_of(range_.to_ns, level) - index_of(range_.from_ns, level) + 1;
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
