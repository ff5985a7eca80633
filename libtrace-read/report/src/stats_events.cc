// evt stats events: how many events of each type.
#include <evt/analysis/event_counts.h>

#include <algorithm>

#include "events_table.h"

namespace evt::report {
namespace {

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

Findings events_of_index(const Session& session, TimeRange range) {
  return events_findings(counts_by_index(session), range);
}

}  // namespace evt::report
