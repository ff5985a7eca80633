// evt stats events: number of events of each type.
#include <evt/analysis/event_counts.h>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

Findings events_findings(const NamedCounts& counts, TimeRange range) {
  Table table = table_of_counts("events", "events", counts, range);
  table.sort_by_keys();
  table.sort(*table.column("events"), false);
  Findings findings;
  if (table.rows().empty()) findings.set_nothing("there are no events");
  findings.tables.push_back(std::move(table));
  return findings;
}

class EventsByType : public CopiedAnalysis<EventsByType> {
 public:
  explicit EventsByType(const AnalysisInput& input) : session_(input.timeline.actors().session()) {}

  void take(const TimelineItem& item) override {
    if (item.kind == ItemKind::kRow && item.is_wanted) counts_.take(*item.event);
  }
  void restart(std::int64_t) override { before_ = counts_; }
  Findings finish(TimeRange range) override {
    return events_findings(counts_between(before_, counts_, session_), range);
  }

 private:
  const Session& session_;
  EventCounts counts_;
  EventCounts before_;
};

}  // namespace

Table table_of_counts(const char* analysis, const char* name, const NamedCounts& counts, TimeRange range) {
  Table table = new_table(analysis, name);
  const std::uint64_t all = sum_of(counts);
  for (const auto& [type, events] : counts) {
    if (events > 0) table.add({type, events, percent_of(events, all), rate_of(events, length_of(range))});
  }
  table.sort(*table.column("events"), false);
  return table;
}

std::unique_ptr<Analysis> make_events(const AnalysisInput& input) { return std::make_unique<EventsByType>(input); }

Findings events_of_states(const BetweenStates& states) {
  const Session& session = states.after.actors.session();
  return events_findings(counts_between(states.before.counts, states.after.counts, session), states.range);
}

std::optional<Findings> events_of_index(const Session& session, TimeRange range, const AnalysisOptions&) {
  return events_findings(counts_by_index(session), range);
}

}  // namespace evt::report
