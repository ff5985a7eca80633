// Finds out when the process was stopped: by a signal, a debugger, a freezer, or with its machine.
#pragma once

#include <cstdint>

namespace evt {

// How long the calling thread has waited for a processor, in ns, as the kernel counts it; false where it does not.
bool read_run_delay(std::uint64_t* ns);

// A thread that sleeps wakes late when the process was stopped meanwhile. It also does when other threads have the
// processors: that is its run delay, and not counted. Of one thread. Times are of CLOCK_MONOTONIC, in ns.
class StopClock {
 public:
  struct Stop {
    std::uint64_t ended_ns = 0;
    std::uint64_t ns = 0;  // at least: when in the sleep it began is not known
  };
  // Threads wake late by less than this for other reasons.
  static constexpr std::uint64_t kLeastNs = 50'000'000;

  explicit StopClock(bool (*run_delay)(std::uint64_t* ns) = read_run_delay) : run_delay_(run_delay) {}

  // The thread is about to sleep until then, or less.
  void sleep(std::uint64_t now_ns, std::uint64_t until_ns);
  // It is awake: true when the process was stopped, and then for how long.
  bool wake(std::uint64_t now_ns, Stop* stop);

 private:
  bool (*run_delay_)(std::uint64_t* ns);
  std::uint64_t until_ns_ = 0;
  std::uint64_t delay_ns_ = 0;
  std::uint64_t read_at_ns_ = 0;
  bool known_ = false;
};

}  // namespace evt
