// Detects stops of the process: by a signal, a debugger, a freezer, or with its machine.
#pragma once

#include <cstdint>

namespace evt {

// How long the calling thread has waited for a processor, in ns, as counted by the kernel; false if it does not count.
bool read_run_delay(std::uint64_t* ns);

// A thread that sleeps wakes late if the process was stopped meanwhile. It also does if other threads have the
// processors: that is its run delay, which is not counted. Used by one thread. Times are on CLOCK_MONOTONIC, in ns.
class StopClock {
 public:
  struct Stop {
    std::uint64_t ended_ns = 0;
    std::uint64_t ns = 0;  // at least: its beginning within the sleep is unknown
  };
  // Threads wake late by less than this for other reasons.
  static constexpr std::uint64_t kLeastNs = 50'000'000;

  explicit StopClock(bool (*run_delay)(std::uint64_t* ns) = read_run_delay) : run_delay_(run_delay) {}

  // Called before the thread sleeps until then, or less.
  void sleep(std::uint64_t now_ns, std::uint64_t until_ns);
  // It is awake: returns true if the process was stopped, and for how long.
  bool wake(std::uint64_t now_ns, Stop* stop);

 private:
  bool (*run_delay_)(std::uint64_t* ns);
  std::uint64_t until_ns_ = 0;
  std::uint64_t delay_ns_ = 0;
  std::uint64_t read_at_ns_ = 0;
  bool known_ = false;
};

}  // namespace evt
