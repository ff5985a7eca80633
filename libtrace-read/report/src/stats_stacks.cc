// evt stats stacks: which code took the time, or waited, by samples.
#include <evt/analysis/stack_paths.h>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "asked_paths.h"

namespace evt::report {
namespace {

StackPaths::By named_by(const AnalysisOptions& options) {
  const auto is_by = [&](const char* by) { return std::ranges::find(options.by, by) != options.by.end(); };
  return is_by("module") ? StackPaths::By::kModule : is_by("line") ? StackPaths::By::kLine : StackPaths::By::kFunction;
}

class Stacks : public CopiedAnalysis<Stacks> {
 public:
  explicit Stacks(const AnalysisInput& input)
      : timeline_(input.timeline),
        asked_(input),
        is_waiting_(input.options.calls.waiting),
        paths_(input.timeline,
               {.by_thread = asked_.groups().needs_threads(), .by = named_by(input.options), .waiting = is_waiting_}) {}

  ItemKinds items() const override { return {ItemKind::kRow, ItemKind::kFold}; }
  RoleSet rows() const override { return {Role::kSample}; }
  void take(const TimelineItem& item) override { paths_.take(item); }
  void restart(std::int64_t) override { paths_.restart(); }

  Findings finish(TimeRange) override {
    Findings findings;
    const CallTables tables(timeline_, kind(), {paths_.nodes(), paths_.inside()}, &asked_.groups());
    asked_.add(tables, paths_.has_other_paths(), &findings);
    if (tables.is_empty() && findings.unmet.empty()) {
      findings.set_nothing(why_nothing());
    }
    if (!paths_.is_exact()) {
      findings.notes.push_back("the trace does not record how many samples there were: no error is shown");
    }
    if (const auto& doubts = paths_.doubts(); doubts.no_time > 0) {
      findings.notes.push_back(fmt::format("{} of no time: their weight has no unit of time: not counted",
                                           counted(doubts.no_time, "sample")));
    }
    if (const auto& doubts = paths_.doubts(); doubts.no_stack > 0) {
      findings.notes.push_back(
          fmt::format("{} whose stack the trace does not have: not counted", counted(doubts.no_stack, "sample")));
    }
    if (std::string truncated = truncated_stacks(paths_); !truncated.empty()) {
      findings.notes.push_back(std::move(truncated));
    }
    asked_.add_others(&findings);
    return findings;
  }

 private:
  const CallTables::Analysis& kind() const {
    if (!paths_.is_exact()) return CallTables::kSums;
    return is_waiting_ ? CallTables::kWaits : CallTables::kStacks;
  }

  const char* why_nothing() const {
    if (is_waiting_) return "no event has the stack of a wait: evt run records those of calls over 100 us";
    const bool is_sampled = std::ranges::any_of(timeline_.actors().session().types,
                                                [](const EventType& type) { return type.role() == Role::kSample; });
    return is_sampled ? "no stack was sampled: its threads ran for too short a time"
                      : "no event samples stacks (role sample): evt run --samples records them";
  }

  Timeline& timeline_;
  AskedPaths asked_;
  bool is_waiting_;
  StackPaths paths_;
};

}  // namespace

std::unique_ptr<Analysis> make_stacks(const AnalysisInput& input) { return std::make_unique<Stacks>(input); }

}  // namespace evt::report
