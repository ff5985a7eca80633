// Numbers of events as a table.
#pragma once

#include <evt/analysis/event_counts.h>

#include "stats/analysis.h"

namespace evt::tools {

class EventsTable {
 public:
  EventsTable(const Session& session, bool by_time);

  // What was between two moments, of which the counts are given.
  void add(TimeRange range, const EventCounts& before, const EventCounts& after);
  Table finish();

 private:
  const Session& session_;
  bool by_time_;
  Table table_;
};

Findings events_findings(const Session& session, const EventCounts& before, const EventCounts& after, TimeRange range);

}  // namespace evt::tools
