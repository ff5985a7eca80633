// evt stats calls: who calls whom, and where the time goes.
#include <evt/analysis/call_paths.h>
#include <fmt/core.h>

#include <algorithm>

#include "call_tables.h"
#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/thread_groups.h"

namespace evt::report {
namespace {

ThreadGroups groups_of(const Actors& actors, const AnalysisOptions& options) {
  const auto is_by = [&](const char* by) { return std::ranges::find(options.by, by) != options.by.end(); };
  const ThreadGroups::By by = is_by("thread")      ? ThreadGroups::By::kThread
                              : is_by("pattern")   ? ThreadGroups::By::kPattern
                              : options.calls.fold ? ThreadGroups::By::kName
                                                   : ThreadGroups::By::kAll;
  return {actors, by, options.calls.threads};
}

class Calls : public CopiedAnalysis<Calls> {
 public:
  explicit Calls(const AnalysisInput& input)
      : timeline_(input.timeline),
        options_(input.options.calls),
        groups_(groups_of(input.timeline.actors(), input.options)),
        subtracts_(input.options.subtract),
        has_cost_(input.options.cost_ps.has_value()),
        paths_(input.timeline,
               {.by_thread = groups_.needs_threads(), .subtract_event_ps = input.options.subtracted_event_ps()}) {}

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
    const CallTables tables(timeline_, paths_, &groups_);
    add_tables(tables, &findings);
    findings.unmet = groups_.unmet();
    if (tables.is_empty() && findings.unmet.empty()) {
      findings.set_nothing("no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)");
    }
    if (!tables.is_empty()) add_unmet(tables, &findings.unmet);
    if (subtracts_ && !has_cost_) findings.notes.emplace_back(kOnlySelfReportedCost);
    add_notes(&findings);
    if (groups_.needs_threads()) add_others(timeline_.actors(), &findings);
    return findings;
  }

 private:
  void add_tables(const CallTables& tables, Findings* findings) const {
    if (options_.fold) return add_folded(tables, findings);
    std::vector<std::string> patterns = options_.callers;
    patterns.insert(patterns.end(), options_.callees.begin(), options_.callees.end());
    if (!tables.is_empty()) findings->tables.push_back(tables.facts());
    findings->tables.push_back(tables.names(patterns));
    if (!options_.callers.empty()) findings->tables.push_back(tables.callers(options_.callers));
    if (!options_.callees.empty()) findings->tables.push_back(tables.callees(options_.callees));
  }

  static void add_folded(const CallTables& tables, Findings* findings) {
    CallTables::Folded folded = tables.folded();
    findings->tables.push_back(std::move(folded.table));
    if (folded.left_out == 0) return;
    findings->add_missing(
        fmt::format("the names of all paths have more than {} MiB: {} with less time are in (other "
                    "paths)",
                    CallTables::kMaxFoldedText >> 20, folded.left_out));
  }

  // Figures by name are complete without them.
  bool asks_for_paths() const { return options_.fold || !options_.callers.empty() || !options_.callees.empty(); }

  void add_unmet(const CallTables& tables, std::vector<Unmet>* unmet) const {
    for (const auto& [option, patterns] :
         {std::pair("callers", &options_.callers), std::pair("callees", &options_.callees)}) {
      const std::vector<Unmet> more = tables.unmet(option, *patterns);
      unmet->insert(unmet->end(), more.begin(), more.end());
    }
  }

  void add_notes(Findings* findings) const {
    if (timeline_.names().is_full()) findings->notes.emplace_back(kTooManyNames);
    if (paths_.has_other_paths()) {
      findings->notes.push_back(
          fmt::format("there are paths of more than {} names, or more than {} paths: those are counted in (other "
                      "paths), by name alone",
                      CallPaths::kMaxDepth, CallPaths::kMaxPaths));
      findings->is_partial |= asks_for_paths();
    }
    if (const std::uint64_t assumed = paths_.assumed(); assumed > 0) {
      findings->notes.push_back(assumed_to_run(assumed));
    }
    add_span_notes(doubts_, &findings->notes);
  }

  Timeline& timeline_;
  const CallOptions& options_;
  ThreadGroups groups_;
  bool subtracts_;
  bool has_cost_;
  CallPaths paths_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_calls(const AnalysisInput& input) { return std::make_unique<Calls>(input); }

}  // namespace evt::report
