#include "events_table.h"

namespace evt::report {

Findings events_findings(const NamedCounts& counts, TimeRange range) {
  Table table = new_table("events", "events");
  const std::uint64_t all = sum_of(counts);
  const double seconds = static_cast<double>(length_of(range)) * 1e-9;
  for (const auto& [name, events] : counts) {
    if (events == 0) continue;
    table.add(
        {name, events, percent_of(events, all), seconds > 0 ? Cell(static_cast<double>(events) / seconds) : Cell()});
  }
  table.sort_by_keys();
  table.sort(*table.column("events"), false);
  Findings findings;
  if (table.rows().empty()) findings.set_nothing("there are no events");
  findings.tables.push_back(std::move(table));
  return findings;
}

}  // namespace evt::report
