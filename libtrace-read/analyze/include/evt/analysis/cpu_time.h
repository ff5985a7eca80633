// Which thread ran on which cpu for how long: cumulative, exact at any moment.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order; memory grows with the pairs of threads and cpus that were met, not with
// events. A thread runs from its threadRun to its threadStop. Times are nanoseconds since the session's start.
class CpuTime {
 public:
  // A thread on a cpu; indexes of Actors.
  struct Cell {
    std::uint32_t thread = 0;
    std::uint32_t cpu = 0;
    std::uint64_t ns = 0;
    std::uint64_t slices = 0;        // how often it began to run there
    std::uint64_t uncertain_ns = 0;  // part of ns: events were lost meanwhile that may have recorded otherwise
  };
  CpuTime();

  // The items that it needs of a session.
  static ItemKinds items();
  void take(const TimelineItem& item);
  // Counts all time until then: time that turns out to be uncertain later is so from then on.
  void settle(std::int64_t ns);
  // Cells from before the latest fold, mapped to those after it.
  std::vector<Cell> folded(const std::vector<Cell>& before) const;

  // At this moment, which is not before the latest event: running threads have run until then. In the order in which
  // they were first met.
  std::vector<Cell> cells(std::int64_t ns) const;
  // Length of the latest slice of a thread, also if it is in progress; 0 if there was none.
  std::uint64_t current(std::uint32_t thread, std::int64_t ns) const;
  bool runs(std::uint32_t thread) const;
  // Index in Actors of the cpu of that slice; Actor::kNone if there was none.
  std::uint32_t latest_cpu(std::uint32_t thread) const;

  class Impl;

 private:
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
