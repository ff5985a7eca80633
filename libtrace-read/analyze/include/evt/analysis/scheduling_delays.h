// How long threads that were ready to run waited for a cpu.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. A delay begins when a thread becomes runnable, because it was created, woken
// or preempted, and ends when it is given a cpu: `perf sched latency` counts the same. Time in which a thread is
// shown waiting for a collector of garbage is not a delay; GHC stops threads before it collects, so its pauses are.
// Memory grows with threads, cpus and the range of lengths.
class SchedulingDelays {
 public:
  struct Delays {
    Histogram lengths;
    std::uint64_t unfinished = 0;  // runnable at the end, not counted in lengths
    std::uint64_t uncertain = 0;   // part of lengths: events were lost meanwhile
    std::int64_t longest_ns = 0;   // when the longest began; of those that are equal the first
    std::uint32_t longest_thread = Actor::kNone;
  };
  struct Row {
    std::uint32_t actor = 0;  // index in Actors
    Delays runnable;          // all
    Delays woken;             // those that a wake-up began (ItemKind::kWake)
  };

  // They must outlive it and its copies.
  explicit SchedulingDelays(const Actors& actors);

  static ItemKinds items();
  void take(const TimelineItem& item);
  // Counts only delays that begin from this moment on.
  void restart();
  // Counts anew; a delay in progress counts when it ends.
  void begin_stretch();

  // In the order of their indexes; only those with delays.
  std::vector<Row> threads() const;
  // By the cpu that ended the delay.
  std::vector<Row> cpus() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
