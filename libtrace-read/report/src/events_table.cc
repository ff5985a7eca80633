#include "events_table.h"

namespace evt::report {

EventsTable::EventsTable(bool by_time) : by_time_(by_time), table_("events", 0, {}) {
  std::vector<Table::Column> columns;
  if (by_time) columns = {{"from", CellKind::kTime}, {"to", CellKind::kTime}};
  columns.push_back({"event", CellKind::kText});
  const std::size_t keys = columns.size();
  columns.push_back({"events", CellKind::kCount});
  columns.push_back({"%", CellKind::kPercent});
  columns.push_back({"rate", CellKind::kRate});
  table_ = Table("events", keys, std::move(columns));
}

void EventsTable::add(TimeRange range, const NamedCounts& counts) {
  const std::uint64_t all = sum_of(counts);
  const double seconds = static_cast<double>(length_of(range)) * 1e-9;
  for (const auto& [name, events] : counts) {
    if (events == 0) continue;
    Table::Row row;
    if (by_time_) row = {range.from_ns, range.to_ns};
    row.push_back(name);
    row.push_back(events);
    row.push_back(percent_of(events, all));
    row.push_back(seconds > 0 ? Cell(static_cast<double>(events) / seconds) : Cell());
    table_.add(std::move(row));
  }
}

Table EventsTable::finish() {
  if (!by_time_) table_.sort_by_keys();
  if (!by_time_) table_.sort(*table_.column("events"), false);
  return std::move(table_);
}

Findings events_findings(const NamedCounts& counts, TimeRange range) {
  Findings findings;
  EventsTable table(false);
  table.add(range, counts);
  add_events_table(table.finish(), &findings);
  return findings;
}

void add_events_table(Table table, Findings* findings) {
  if (table.rows().empty()) findings->set_nothing("there are no events");
  findings->tables.push_back(std::move(table));
}

}  // namespace evt::report
