// evt stats cpu: running time of threads and cpus.
#include "cpu_table.h"

namespace evt::report {
namespace {

class Cpu : public Analysis {
 public:
  explicit Cpu(const AnalysisInput& input)
      : trace_(input.trace),
        timeline_(input.timeline),
        by_(input.options.by),
        stretches_(input.timeline.actors(), time_, by_, true),
        by_time_(input.options.every.has_value()) {}

  ItemKinds items() const override { return CpuTime::items(); }
  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override {
    time_.take(item);
    if (item.kind != ItemKind::kFold) return;
    before_ = time_.folded(before_);
    of_stretch_ = time_.folded(of_stretch_);
  }
  void restart(std::int64_t ns) override { of_stretch_ = before_ = time_.cells(since_ = ns); }
  void mark(std::int64_t ns) override {
    CpuCells now = time_.cells(ns);
    stretches_.add({since_, ns}, of_stretch_, now, {});
    of_stretch_ = std::move(now);
    since_ = ns;
  }
  Findings finish(TimeRange range) override {
    const CpuFound found = {time_, timeline_.doubts(), run_ends(range.to_ns)};
    Findings findings = cpu_findings(timeline_.actors(), found, before_, range, by_);
    if (by_time_) findings.tables = {stretches_.finish()};
    return findings;
  }

 private:
  // What is behind a range has not been read.
  RunEnds run_ends(std::int64_t ns) const {
    if (by_time_) return {};
    std::size_t number = 0;
    while (&trace_.sessions()[number] != &timeline_.actors().session()) ++number;
    return StateHistory(trace_, {}).run_ends(number, ns, timeline_.actors(), time_);
  }

  Trace& trace_;
  Timeline& timeline_;
  CpuTime time_;
  CpuTable::By by_;
  CpuTable stretches_;
  bool by_time_;
  CpuCells before_;      // what was when counting began
  CpuCells of_stretch_;  // and when the stretch at hand did
  std::int64_t since_ = 0;
};

}  // namespace

std::unique_ptr<Analysis> make_cpu(const AnalysisInput& input) { return std::make_unique<Cpu>(input); }

Findings cpu_of_states(const BetweenStates& states) {
  const auto& [before, after, run_ends, range, options] = states;
  return cpu_findings(after.actors, {after.cpu, after.doubts, run_ends}, before.cpu.cells(range.from_ns), range,
                      CpuTable::By(options.by));
}

}  // namespace evt::report
