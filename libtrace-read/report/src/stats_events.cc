// evt stats events: how many events of each type.
#include <evt/analysis/event_counts.h>

#include <algorithm>

#include "analysis.h"
#include "named_counts.h"

namespace evt::report {
namespace {

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

std::unique_ptr<Analysis> make_events(const AnalysisInput& input) { return std::make_unique<EventsByType>(input); }

Findings events_of_states(const BetweenStates& states) {
  const Session& session = states.after.actors.session();
  return events_findings(counts_between(states.before.counts, states.after.counts, session), states.range);
}

std::optional<Findings> events_of_index(const Session& session, TimeRange range, const AnalysisOptions&) {
  return events_findings(counts_by_index(session), range);
}

}  // namespace evt::report
