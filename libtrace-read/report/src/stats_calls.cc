// evt stats calls: who calls whom, and where the time goes.
#include <evt/analysis/call_paths.h>

#include "asked_paths.h"

namespace evt::report {
namespace {

class Calls : public CopiedAnalysis<Calls> {
 public:
  explicit Calls(const AnalysisInput& input)
      : timeline_(input.timeline),
        asked_(input),
        subtracts_(input.options.subtract),
        has_cost_(input.options.cost_ps.has_value()),
        paths_(input.timeline, {.by_thread = asked_.groups().needs_threads(),
                                .subtract_event_ps = input.options.subtracted_event_ps()}) {}

  RoleSet rows() const override { return subtracts_ ? RoleSet::all() : RoleSet(); }
  void take(const TimelineItem& item) override {
    paths_.take(item);
    doubts_.take(item);
  }
  void restart(std::int64_t ns) override {
    paths_.restart(ns);
    doubts_.restart(ns);
  }

  Findings finish(TimeRange) override {
    Findings findings;
    const CallTables tables(timeline_, CallTables::kCalls, {paths_.nodes(), paths_.inside()}, &asked_.groups());
    asked_.add(tables, paths_.has_other_paths(), &findings);
    if (tables.is_empty() && findings.unmet.empty()) {
      findings.set_nothing("no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)");
    }
    if (subtracts_ && !has_cost_) findings.notes.emplace_back(kOnlySelfReportedCost);
    if (const std::uint64_t assumed = paths_.assumed(); assumed > 0) findings.notes.push_back(assumed_to_run(assumed));
    add_span_notes(doubts_, &findings.notes);
    asked_.add_others(&findings);
    return findings;
  }

 private:
  Timeline& timeline_;
  AskedPaths asked_;
  bool subtracts_;
  bool has_cost_;
  CallPaths paths_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_calls(const AnalysisInput& input) { return std::make_unique<Calls>(input); }

}  // namespace evt::report
