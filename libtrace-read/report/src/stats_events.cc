// evt stats events: how many events of each type.
#include <evt/analysis/event_counts.h>

#include <algorithm>

#include "events_table.h"

namespace evt::report {
namespace {

class EventsByType : public Analysis {
 public:
  explicit EventsByType(const AnalysisInput& input)
      : session_(input.timeline.actors().session()), by_time_(input.options.every.has_value()), stretches_(true) {}

  void take(const TimelineItem& item) override {
    if (item.kind == ItemKind::kRow && item.is_wanted) counts_.take(*item.event);
  }
  void restart(std::int64_t ns) override {
    before_ = counts_;
    since_ = ns;
  }
  void mark(std::int64_t ns) override {
    stretches_.add({since_, ns}, counts_between(before_, counts_, session_));
    restart(ns);
  }
  Findings finish(TimeRange range) override {
    if (!by_time_) return events_findings(counts_between(before_, counts_, session_), range);
    Findings findings;
    add_events_table(stretches_.finish(), &findings);
    return findings;
  }

 private:
  const Session& session_;
  EventCounts counts_;
  bool by_time_;
  EventsTable stretches_;
  EventCounts before_;
  std::int64_t since_ = 0;
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
