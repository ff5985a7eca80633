// Events of threads that have no stream: signal handlers before they have one, destructors and signal handlers when it
// has ended. None could count them. They are recorded in a stream of their own when the session is closed.
#pragma once

#include <evt/evt.h>

#include <cstdint>

namespace evt {

class UnplacedLosses {
 public:
  // Any thread, signal handlers too.
  void count(std::uint64_t ticks) { add(1, ticks); }
  void add(std::uint64_t count, std::uint64_t ticks);
  std::uint64_t total() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }
  // REQUIRES: the session is open; its lock is not held.
  void record(evt_writer* writer);

 private:
  // Atomic.
  std::uint64_t count_ = 0;
  std::uint64_t first_ticks_ = 0;  // 0: none
  std::uint64_t last_ticks_ = 0;
};

}  // namespace evt
