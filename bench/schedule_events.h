// A scheduler's events: threads run on cpus in slices of some microseconds. What analyses of running time read.
#pragma once

#include <evt/writer.h>

#include <cstdint>

namespace evt::bench {

// Counts ns from 0 on; for a writer of the events.
extern const evt_clock kScheduleClock;

// Two calls, one in the other, in each slice.
enum class Calls {
  kNone,
  kPairs,     // recorded when they begin and when they end
  kComplete,  // recorded once, when they end
};

struct Schedule {
  std::uint64_t events = 0;  // at least
  Calls calls = Calls::kNone;
  std::uint32_t threads = 1000;
  std::uint32_t cpus = 16;
  std::uint32_t streams = 0;  // 0: one for two cpus, or one for each with calls
  std::uint32_t types = 0;    // more event types; each slice ends with an event of one
  std::uint32_t names = 24;   // distinct functions that are called
};

// The same ones each time.
void emit_schedule(Writer& writer, const Schedule& of);

}  // namespace evt::bench
