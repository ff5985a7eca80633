#include "state_search.h"

#include <algorithm>

namespace evt::tools {

std::optional<StateStretch> StateSearch::on_row(std::uint32_t row, std::int64_t ns) {
  const std::uint32_t group = rows_.group_of(row);
  for (const Mark* from = tiles_->mark_before(ns);; from = tiles_->mark_before(since(*from, group))) {
    std::optional<StateStretch> found = behind(from, group, ns);
    if (found || from == nullptr || !patience_->lasts()) return found;
  }
}

std::optional<StateStretch> StateSearch::behind(const Mark* from, std::uint32_t group, std::int64_t ns) {
  std::optional<StateStretch> found;
  std::optional<EventRows::Pass> pass;
  bool is_past = false;
  StateStretches stretches(
      rows_,
      [&](const StateStretch& stretch) {
        if (stretch.from_ns <= ns && stretch.to_ns > ns) found = stretch;
      },
      group);
  const auto take = [&](Timeline& timeline, const TimelineItem& item) {
    if (!is_past && item.ns > ns) {
      is_past = true;
      if (!stretches.goes_on()) return false;
    }
    if (!pass) pass.emplace(rows_, timeline, from);
    pass->take(timeline, item);
    stretches.take(timeline, *pass, item);
    return !found && patience_->lasts() && !(is_past && !stretches.goes_on());
  };
  tiles_->each_item(INT64_MAX, take, from);
  return found;
}

// Of a cpu it is not known.
std::int64_t StateSearch::since(const Mark& mark, std::uint32_t group) const {
  const std::vector<view::ThreadLives::Life>& lives = mark.rows->lives().all();
  for (std::size_t life = 0; life < lives.size(); ++life) {
    const bool goes_on = lives[life].thread != Actor::kNone && rows_.group_of_life(life) == group;
    if (goes_on) return std::min(lives[life].course.since_ns(), mark.timeline.ns());
  }
  return INT64_MIN;
}

}  // namespace evt::tools
