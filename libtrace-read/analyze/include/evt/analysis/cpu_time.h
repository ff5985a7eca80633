// Which thread ran on which cpu for how long: cumulative, exact at any moment.
#pragma once

#include <evt/analysis/occupancy.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order; memory grows with the pairs of threads and cpus that were met, not with
// events. A thread runs from its threadRun to its threadStop. Times are nanoseconds since the session's start.
class CpuTime {
 public:
  // A thread on a cpu; indexes of Actors.
  struct Cell {
    std::uint32_t thread = 0;
    std::uint32_t cpu = 0;
    std::uint64_t ns = 0;
    std::uint64_t slices = 0;        // how often it began to run there
    std::uint64_t uncertain_ns = 0;  // of ns: events were lost meanwhile that may have recorded otherwise
  };

  void take(const RoleEvent& event);
  // Of cells that are of before the latest fold, the same as they are behind it.
  std::vector<Cell> folded(const std::vector<Cell>& before) const;

  // At this moment, which is not before the latest event: what runs has run until then. In the order in which they
  // were first met.
  std::vector<Cell> cells(std::int64_t ns) const;
  // How long the latest slice of a thread lasts, or lasted; 0 if there was none.
  std::uint64_t current(std::uint32_t thread, std::int64_t ns) const;
  bool runs(std::uint32_t thread) const { return occupancy_.runs(thread); }
  const Occupancy::Doubts& doubts() const { return occupancy_.doubts(); }

 private:
  friend class StateWords;

  static constexpr std::uint32_t kNone = Actor::kNone;

  struct Thread {
    std::uint32_t cell = kNone;    // where it runs, or ran last
    std::int64_t since = 0;        // its latest slice began
    std::int64_t counted = 0;      // of which the cell has so much
    std::uint64_t last_slice = 0;  // how long it was, if it has ended
  };

  void fold(const FoldedActors& gone, std::int64_t ns);
  void end(std::uint32_t thread, std::int64_t ns);
  std::uint32_t cell_of(std::uint32_t thread, std::uint32_t cpu);
  void count(std::uint32_t thread, std::int64_t ns, Cell* cell) const;

  Occupancy occupancy_;
  std::vector<Cell> cells_;
  IndexTable cell_of_pair_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> folded_to_;  // where each cell was put by the latest fold
};

}  // namespace evt
#pragma GCC visibility pop
