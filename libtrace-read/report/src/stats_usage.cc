// evt stats usage: resources that the program uses, and how long that takes.
#include <evt/analysis/collections.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/usage_tables.h"

namespace evt::report {
namespace {

class UsageOfThings : public CopiedAnalysis<UsageOfThings> {
 public:
  explicit UsageOfThings(const AnalysisInput& input)
      : timeline_(input.timeline),
        actors_(input.timeline.actors()),
        no_event_(input.no_event()),
        by_(input.options.by),
        subtracts_(input.options.subtract),
        only_self_reported_(subtracts_ && !input.options.cost_ps),
        limits_(input.options.limits),
        usage_(input.timeline, input.options.limits, input.options.subtracted_event_ps()),
        collections_(actors_.session()) {}

  RoleSet rows() const override { return subtracts_ ? RoleSet::all() : RoleSet(); }
  void take(const TimelineItem& item) override {
    usage_.take(item);
    doubts_.take(item);
    if (of_collections_.has(item.kind)) collections_.take(item);
  }
  void restart(std::int64_t ns) override {
    usage_.restart(ns);
    doubts_.restart(ns);
    collections_.restart(ns);
  }

  Findings finish(TimeRange range) override {
    Findings findings;
    const UsageTables tables(timeline_, usage_, collections_, range.to_ns);
    const auto wants = [&](const char* by) { return by_.empty() || by_ == std::vector<std::string>{by}; };
    if (by_.empty()) {
      findings.tables.push_back(tables.time());
      if (usage_.stops().count > 0) findings.tables.push_back(tables.stops());
    }
    if (wants("resource")) findings.tables.push_back(tables.resources());
    if (wants("resource") && !usage_.limited().empty()) findings.tables.push_back(tables.limits(length_of(range)));
    if (wants("thread")) {
      findings.tables.push_back(tables.threads());
      findings.tables.push_back(tables.calls_of_threads());
    }
    if (wants("object")) findings.tables.push_back(tables.objects());
    if (wants("function")) findings.tables.push_back(tables.functions());
    if (by_.size() > 1) findings.tables.push_back(tables.uses());
    add_notes(tables, range.to_ns, &findings);
    add_others(actors_, &findings);
    if (!limits_.empty()) add_unmet(tables.resource_names(), &findings.unmet);
    return findings;
  }

 private:
  void add_unmet(const std::vector<std::string>& known, std::vector<Unmet>* unmet) const {
    for (const auto& [kind, per_second] : limits_) {
      if (std::ranges::find(known, kind) != known.end()) continue;
      unmet->push_back({fmt::format("limit {}: no call is of such a resource", kind), kind, known});
    }
  }

  void add_notes(const UsageTables& tables, std::int64_t to_ns, Findings* findings) const {
    std::vector<std::string>* const notes = &findings->notes;
    if (!tables.has_calls()) {
      const bool has_others = tables.has_threads() || !tables.resource_names().empty() || usage_.stops().count > 0;
      std::string sentence =
          fmt::format("{} records a call (roles callBegin, callEnd, call): nothing is known about usage", no_event_);
      has_others ? notes->push_back(std::move(sentence)) : findings->set_nothing(std::move(sentence));
    }
    if (tables.has_threads() && !usage_.has_runs()) {
      notes->push_back("no event has role threadRun or threadStop: time outside of calls counts as cpu, also sleep");
    }
    const std::uint64_t assumed = usage_.has_runs() ? usage_.assumed(to_ns) : 0;
    if (assumed > 0) {
      notes->push_back(
          fmt::format("{} outside of calls before any event shows {} to run or stop (roles threadRun, "
                      "threadStop): that time counts as cpu",
                      counted(assumed, "thread"), assumed == 1 ? "it" : "them"));
    }
    if (usage_.stops().count > usage_.stops().all.size()) {
      notes->push_back(fmt::format("of {} the first {} are listed", counted(usage_.stops().count, "stop"),
                                   usage_.stops().all.size()));
    }
    if (only_self_reported_) {
      notes->push_back(kOnlySelfReportedCost);
    }
    if (timeline_.names().is_full()) {
      notes->push_back(kTooManyNames);
    }
    add_span_notes(doubts_, SpanKind::kCall, notes);
    const SpanDoubts::Counts& of_calls = doubts_.of(SpanKind::kCall);
    if (of_calls.clipped > 0) notes->push_back("calls that began before count with their whole amount");
    if (usage_.stops().not_timed > 0) {
      notes->push_back(counted(usage_.stops().not_timed, "stop") + " without a valid duration: not counted");
    }
    add_uncertain(usage_.uncertain_ns(to_ns), "the threads' time", notes);
    add_doubts(timeline_.doubts(), notes);
  }

  Timeline& timeline_;
  const Actors& actors_;
  const char* no_event_;
  std::vector<std::string> by_;
  bool subtracts_;
  bool only_self_reported_;
  const std::vector<std::pair<std::string, std::uint64_t>>& limits_;
  Usage usage_;
  SpanDoubts doubts_;
  Collections collections_;
  ItemKinds of_collections_ = Collections::items();  // nearly all items have other kinds
};

}  // namespace

std::unique_ptr<Analysis> make_usage(const AnalysisInput& input) { return std::make_unique<UsageOfThings>(input); }

}  // namespace evt::report
