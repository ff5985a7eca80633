// evt stats heap: what occupied the heap, from the samples of a heap profile.
#include <evt/analysis/heap_samples.h>

#include <string>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

std::uint64_t rounded(double bytes) {
  return bytes < 0x1p64 - 2048 ? static_cast<std::uint64_t>(bytes + 0.5) : UINT64_MAX;
}

class HeapAnalysis : public CopiedAnalysis<HeapAnalysis> {
 public:
  explicit HeapAnalysis(const AnalysisInput& input)
      : no_event_(input.no_event()),
        has_filter_(input.has_filter),
        names_(input.timeline.names()),
        samples_(input.timeline.actors().session(), input.timeline.names()) {}

  ItemKinds items() const override { return {ItemKind::kRow}; }
  RoleSet rows() const override { return {Role::kNone}; }
  void take(const TimelineItem& item) override { samples_.take(item); }
  void restart(std::int64_t ns) override { samples_.restart(ns); }

  Findings finish(TimeRange range) override {
    Findings findings;
    Table table = new_table("heap", "heap");
    for (const HeapSamples::Row& row : samples_.rows(range.to_ns, !has_filter_)) {
      table.add({row.name, row.by.empty() ? Cell() : Cell(row.by), row.samples, row.least, rounded(row.mean), row.most,
                 row.last});
    }
    table.sort_by_keys();
    table.sort(*table.column("mean"), false);
    if (table.rows().empty()) {
      findings.set_nothing(
          std::string(no_event_) +
          " belongs to a heap profile (ghc.heap_prof_sample_string ...): run the program with +RTS -l -hT");
    }
    if (names_.is_full()) findings.notes.emplace_back(kTooManyNames);
    findings.tables.push_back(std::move(table));
    return findings;
  }

 private:
  const char* no_event_;
  bool has_filter_;
  const EventNames& names_;
  HeapSamples samples_;
};

}  // namespace

std::unique_ptr<Analysis> make_heap(const AnalysisInput& input) { return std::make_unique<HeapAnalysis>(input); }

}  // namespace evt::report
