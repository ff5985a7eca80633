// evt stats counts: how often functions were called, in programs whose calls were counted.
#include <evt/analysis/call_counts.h>

#include <algorithm>

#include "libtrace-read/report/shared/counts_table.h"

namespace evt::report {
namespace {

CallCounts::Keep kept_by(const std::vector<std::string>& by) {
  const auto wants = [&](const char* key) { return by.empty() || std::ranges::find(by, key) != by.end(); };
  return {wants("thread"), wants("caller")};
}

class Counts : public CopiedAnalysis<Counts> {
 public:
  explicit Counts(const AnalysisInput& input)
      : timeline_(input.timeline), counts_(input.timeline, kept_by(input.options.by)) {}

  ItemKinds items() const override { return {ItemKind::kRow, ItemKind::kFold}; }
  RoleSet rows() const override { return {Role::kCallCounts}; }
  void take(const TimelineItem& item) override { counts_.take(item); }
  void restart(std::int64_t) override { counts_.restart(); }

  Findings finish(TimeRange) override {
    Findings findings;
    findings.tables.push_back(counts_table(timeline_, counts_));
    if (counts_.rows().empty()) {
      findings.set_nothing("no event counts calls (role callCounts): evt run --count records them");
    }
    if (timeline_.names().is_full()) findings.notes.push_back(kTooManyNames);
    add_others(timeline_.actors(), &findings);
    return findings;
  }

 private:
  Timeline& timeline_;
  CallCounts counts_;
};

}  // namespace

std::unique_ptr<Analysis> make_counts(const AnalysisInput& input) { return std::make_unique<Counts>(input); }

}  // namespace evt::report
