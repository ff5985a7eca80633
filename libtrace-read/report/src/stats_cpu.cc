// evt stats cpu: running time of threads and cpus.
#include "cpu_table.h"

namespace evt::report {
namespace {

class Cpu : public CopiedAnalysis<Cpu> {
 public:
  explicit Cpu(const AnalysisInput& input)
      : trace_(input.trace),
        timeline_(input.timeline),
        by_(input.options.by),
        is_over_time_(input.options.every.has_value()) {}

  ItemKinds items() const override { return CpuTime::items(); }
  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override {
    time_.take(item);
    if (item.kind != ItemKind::kFold) return;
    before_ = time_.folded(before_);
  }
  void restart(std::int64_t ns) override {
    time_.settle(ns);
    before_ = time_.cells(ns);
  }
  Findings finish(TimeRange range) override {
    const CpuFound found = {time_, timeline_.doubts(), run_ends(range.to_ns), is_over_time_};
    return cpu_findings(timeline_.actors(), found, before_, range, by_);
  }

 private:
  // What is behind a range has not been read.
  RunEnds run_ends(std::int64_t ns) const {
    if (is_over_time_) return {};
    std::size_t number = 0;
    while (&trace_.sessions()[number] != &timeline_.actors().session()) ++number;
    return StateHistory(trace_, {}).run_ends(number, ns, timeline_.actors(), time_);
  }

  Trace& trace_;
  Timeline& timeline_;
  CpuTime time_;
  CpuTable::By by_;
  bool is_over_time_;
  CpuCells before_;  // what was when counting began
};

}  // namespace

std::unique_ptr<Analysis> make_cpu(const AnalysisInput& input) { return std::make_unique<Cpu>(input); }

Findings cpu_of_states(const BetweenStates& states) {
  const auto& [before, after, run_ends, range, options] = states;
  return cpu_findings(after.actors, {after.cpu, after.doubts, run_ends, false}, before.cpu.cells(range.from_ns), range,
                      CpuTable::By(options.by));
}

}  // namespace evt::report
