#include "value_runs.h"

namespace evt::view {

std::pair<double, double> met_values(const std::vector<ValueColumn>& columns) {
  ValueColumn all;
  for (const ValueColumn& column : columns) all.add(column);
  return {all.min, all.max};
}

std::pair<double, double> value_range(const std::vector<ValueColumn>& columns) {
  const auto [min, max] = met_values(columns);
  return {std::min(min, 0.0), std::max(max, 0.0)};
}
namespace {

ValueColumn held(double value, std::int64_t from_ns, std::int64_t to_ns) {
  const auto ns = static_cast<double>(to_ns - from_ns);
  return {value, value, value * ns, ns};
}

}  // namespace

void ValueRuns::hold(const Scale& scale, double value, std::int64_t from_ns, std::int64_t to_ns) {
  from_ns = std::max(from_ns, scale.from_ns());
  to_ns = std::min(to_ns, scale.to_ns());
  while (from_ns < to_ns) {
    const std::uint32_t column = scale.column_of(from_ns);
    const std::uint32_t last = scale.column_of(to_ns - 1);
    const std::int64_t end_ns = std::min(to_ns, scale.edge(column + 1));
    // Columns of a level are all as wide.
    const bool is_run = scale.has_level() && from_ns == scale.edge(column) && column + 1 < last;
    add(column, is_run ? last - column : 1, held(value, from_ns, end_ns));
    from_ns = is_run ? scale.edge(last) : end_ns;
  }
}

void ValueRuns::meet(const Scale& scale, double value, std::int64_t ns) {
  add(scale.column_of(ns), 1, {value, value, 0, 0});
}

void ValueRuns::add(std::uint32_t column, std::uint32_t columns, const ValueColumn& each) {
  const bool is_of_last = columns == 1 && !runs_.empty() && runs_.back().columns == 1 && runs_.back().column == column;
  if (is_of_last) {
    runs_.back().each.add(each);
  } else {
    runs_.push_back({column, columns, each});
  }
}

// Of a run the first and the last column may be one half of a wider one.
void ValueRuns::coarsen() {
  ValueRuns coarser;
  for (const Run& run : runs_) {
    std::uint32_t column = run.column;
    if (column % 2 == 1) coarser.add(column++ / 2, 1, run.each);
    if (const std::uint32_t pairs = (run.end() - column) / 2; pairs > 0) {
      ValueColumn pair;
      pair.add(run.each, 2);
      coarser.add(column / 2, pairs, pair);
      column += 2 * pairs;
    }
    if (column < run.end()) coarser.add(column / 2, 1, run.each);
  }
  *this = std::move(coarser);
}

void ValueRuns::show(const Zoom& zoom, std::vector<ValueColumn>* columns) const {
  const auto is_before = [](const Run& run, std::uint32_t column) { return run.end() <= column; };
  for (auto run = std::lower_bound(runs_.begin(), runs_.end(), zoom.first(), is_before);
       run != runs_.end() && run->column < zoom.end(); ++run) {
    zoom.each(run->column, run->end(),
              [&](std::uint32_t column, std::uint32_t of) { (*columns)[column].add(run->each, of); });
  }
}

}  // namespace evt::view
