#include "state_runs.h"

#include <algorithm>

namespace evt::view {
namespace {

std::uint64_t distance(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

}  // namespace

void StateRuns::add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
  from_ns = std::max(from_ns, scale.from_ns());
  to_ns = std::min(to_ns, scale.to_ns());
  if (from_ns >= to_ns) return;
  std::uint32_t first = scale.column_of(from_ns);
  const std::uint32_t last = scale.column_of(to_ns - 1);
  const bool has_all_of_last = to_ns == scale.edge(last + 1);
  if (from_ns != scale.edge(first) || (first == last && !has_all_of_last)) {
    add_part(first, key, distance(from_ns, std::min(to_ns, scale.edge(first + 1))));
    ++first;
  }
  const std::uint32_t end = has_all_of_last ? last + 1 : last;
  if (first < end) add_run(first, end, key);
  if (first <= last && !has_all_of_last) add_part(last, key, distance(scale.edge(last), to_ns));
}

void StateRuns::add_part(std::uint32_t column, Key key, std::uint64_t ns) {
  for (auto run = runs_.rbegin(); run != runs_.rend() && run->column == column && run->columns == 0; ++run) {
    if (run->key() != key) continue;
    run->key_and_ns += ns;
    return;
  }
  runs_.push_back({column, 0, std::uint64_t{key} << kNsBits | ns});
}

void StateRuns::add_run(std::uint32_t first, std::uint32_t end, Key key) {
  const bool goes_on =
      !runs_.empty() && runs_.back().columns > 0 && runs_.back().key() == key && runs_.back().end() == first;
  if (goes_on) {
    runs_.back().columns += end - first;
  } else {
    runs_.push_back({first, end - first, std::uint64_t{key} << kNsBits});
  }
}

void StateRuns::coarsen(const Scale& scale) {
  const Scale wider = scale.coarser();
  StateRuns coarser;
  for (const Run& run : runs_) {
    if (run.columns == 0) {
      coarser.add_part(run.column / 2, run.key(), run.ns());
    } else {
      coarser.add(wider, run.key(), scale.edge(run.column), scale.edge(run.end()));
    }
  }
  *this = std::move(coarser);
}

void StateRuns::show(const Zoom& zoom, Shares* shares) const {
  const auto is_before = [](const Run& run, std::uint32_t column) { return run.end() <= column; };
  for (auto run = std::lower_bound(runs_.begin(), runs_.end(), zoom.first(), is_before);
       run != runs_.end() && run->column < zoom.end(); ++run) {
    if (run->columns == 0) {
      shares->add_to(zoom.column(run->column), run->key(), run->ns());
    } else {
      shares->add(zoom.as(), run->key(), zoom.of().edge(run->column), zoom.of().edge(run->end()));
    }
  }
}

}  // namespace evt::view
