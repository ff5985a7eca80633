// The data of CpuTime.
#pragma once

#include <evt/analysis/cpu_time.h>

#include <vector>

#include "archive.h"
#include "index_table.h"

namespace evt {

class CpuTime::Impl {
 public:
  static Impl& of(CpuTime& time) { return *time.impl_; }
  static const Impl& of(const CpuTime& time) { return *time.impl_; }

  void take(const TimelineItem& item);
  void settle(std::int64_t ns);
  // Since then events were lost that may have recorded the end of its run.
  void doubt(std::uint32_t thread, std::int64_t since);
  std::vector<Cell> folded(const std::vector<Cell>& before) const;
  std::vector<Cell> cells(std::int64_t ns) const;
  std::uint64_t current(std::uint32_t thread, std::int64_t ns) const;
  std::uint32_t latest_cpu(std::uint32_t thread) const {
    return thread < threads_.size() && threads_[thread].cell != kNone ? cells_[threads_[thread].cell].cpu : kNone;
  }
  void archive(Archive& archive, const Actors& actors);
  bool runs(std::uint32_t thread) const { return thread < threads_.size() && threads_[thread].runs; }

 private:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::int64_t kCertain = INT64_MAX;

  struct Thread {
    std::uint32_t cell = kNone;    // where it runs, or last ran
    std::int64_t since = 0;        // its latest slice began
    std::int64_t counted = 0;      // the cell includes the time until then
    std::uint64_t last_slice = 0;  // how long it was, if it has ended
    bool runs = false;
    std::int64_t uncertain_since = kCertain;  // events were lost that may have recorded that it stopped
  };

  struct Idle {
    std::uint32_t cell = kNone;  // kNone: the cpu is not idle
    std::int64_t since = 0;      // the cell includes nothing since then
  };

  void begin_idle(const TimelineItem& item);
  void end_idle(std::uint32_t cpu, std::int64_t ns);
  void fold(const FoldedActors& gone, std::int64_t ns);
  void begin(const TimelineItem& item);
  void end(std::uint32_t thread, std::int64_t ns);
  std::uint32_t cell_of(std::uint32_t thread, std::uint32_t cpu);
  void count(std::uint32_t thread, std::int64_t ns, Cell* cell) const;

  std::vector<Cell> cells_;
  IndexTable cell_of_pair_;
  std::vector<Thread> threads_;
  std::vector<Idle> idle_;                // by cpu
  std::vector<std::uint32_t> folded_to_;  // where the latest fold put each cell
};

}  // namespace evt
