// Readings of the system's clocks.
#pragma once

#include <evt/evt.h>
#include <time.h>

#include <cstdint>

namespace evt::record {

// In ns; 0 of one that cannot be read.
inline std::int64_t now_of(clockid_t clock) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// Times of CLOCK_MONOTONIC as ticks of a session's clock, between two moments at which both were read. The counter is
// straight against the clock to some nanoseconds over seconds, and each pair is good to some tens.
class TickScale {
 public:
  // Reads both clocks: from here on times up to now can be converted, since the reading before with the best precision.
  void read(const evt_writer* writer);
  std::uint64_t read_at_ns() const { return to_.ns; }
  std::uint64_t ticks(std::uint64_t monotonic_ns) const;

 private:
  struct Pair {
    std::uint64_t ns = 0;
    std::uint64_t ticks = 0;
  };
  Pair from_;
  Pair to_;
};

}  // namespace evt::record
