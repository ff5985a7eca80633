// How long cpus ran up to some moments of a session, before all of it was read.
#pragma once

#include <evt/analysis/state_history.h>

#include <cstdint>
#include <vector>

#include "shares.h"

namespace evt::view {

// By the checkpoints of a trace, where it has any.
class CpuLoads {
 public:
  // None.
  CpuLoads() = default;
  // Of up to this many checkpoints of a session.
  CpuLoads(StateHistory& history, std::size_t session, std::size_t most);

  bool is_empty() const { return moments_.size() < 2; }
  // Adds how long the cpu runs in each column, from a time on: between two moments evenly, so it is exact from one to
  // another.
  void show(const Actor& cpu, const Scale& scale, std::int64_t from_ns, Shares* shares) const;

 private:
  struct OfCpu {
    Actor cpu;
    std::vector<std::uint64_t> ns;  // up to each moment; no more at moments before it was met
  };

  void add(std::int64_t ns, const SessionState& state);
  OfCpu* of(const Actor& cpu);
  // How long it ran up to a time, between the moment before this one and this one.
  std::uint64_t until(const OfCpu& cpu, std::size_t moment, std::int64_t ns) const;

  std::vector<std::int64_t> moments_;
  std::vector<OfCpu> cpus_;
};

}  // namespace evt::view
