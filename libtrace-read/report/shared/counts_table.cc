#include "counts_table.h"

#include <algorithm>

namespace evt::report {

Table counts_table(Timeline& timeline, const CallCounts& counts) {
  Table table = new_table("counts", "counts");
  const auto text = [&](std::uint32_t name) {
    return name != EventNames::kNone ? Cell(timeline.names().text(name)) : Cell();
  };
  const ActorList& threads = timeline.actors().threads();
  bool is_timed = false;
  bool is_estimate = false;
  for (const CallCounts::Row& row : counts.rows()) is_timed |= row.returned > 0;
  for (const CallCounts::Row& row : counts.rows()) is_estimate |= row.timed < row.returned;
  for (const CallCounts::Row& row : counts.rows()) {
    const bool has_thread = row.thread != Actor::kNone;
    const bool has_times = row.returned > 0;
    const auto time = [&](std::uint64_t ns) { return has_times ? Cell(ns) : Cell(); };
    table.add({text(row.function), text(row.library), text(row.caller),
               has_thread ? actor_cell(timeline.actors(), threads, row.thread) : Cell(),
               has_thread ? actor_name(threads, row.thread) : Cell(), row.calls,
               is_timed ? Cell(row.calls - std::min(row.calls, row.returned)) : Cell(),
               is_estimate ? time(row.timed) : Cell(), time(row.sum_ns), is_estimate ? time(row.error_ns()) : Cell(),
               time(row.min_ns), time(row.quantile(0.5)), time(row.quantile(0.99)), time(row.max_ns)});
  }
  table.sort_by_keys();
  table.sort(*table.column("calls"), false);
  table.sort(*table.column("total"), false);
  return table;
}

}  // namespace evt::report
