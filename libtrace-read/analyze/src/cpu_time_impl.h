// What CpuTime holds.
#pragma once

#include <evt/analysis/cpu_time.h>

#include <vector>

#include "index_table.h"
#include "occupancy.h"

namespace evt {

class CpuTime::Impl {
 public:
  static Impl& of(CpuTime& time) { return *time.impl_; }
  static const Impl& of(const CpuTime& time) { return *time.impl_; }

  void take(const RoleEvent& event);
  std::vector<Cell> folded(const std::vector<Cell>& before) const;
  std::vector<Cell> cells(std::int64_t ns) const;
  std::uint64_t current(std::uint32_t thread, std::int64_t ns) const;
  bool runs(std::uint32_t thread) const { return occupancy_.runs(thread); }
  const Doubts& doubts() const { return occupancy_.doubts(); }

 private:
  friend class CheckpointWords;

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
