// Numbers of events as a table.
#pragma once

#include "analysis.h"
#include "named_counts.h"

namespace evt::report {

class EventsTable {
 public:
  explicit EventsTable(bool by_time);

  // What was in a range.
  void add(TimeRange range, const NamedCounts& counts);
  Table finish();

 private:
  bool by_time_;
  Table table_;
};

// Of all that was added, or that there is nothing.
void add_events_table(Table table, Findings* findings);
Findings events_findings(const NamedCounts& counts, TimeRange range);

}  // namespace evt::report
