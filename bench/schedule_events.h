// A scheduler's events: 1,000 threads run on 16 cpus in slices of some microseconds, two cpus to a stream. What
// analyses of running time read.
#pragma once

#include <evt/writer.h>

#include <cstdint>

namespace evt::bench {

// Counts ns from 0 on; for a writer of the events.
extern const evt_clock kScheduleClock;

// Two calls, one in the other, in each slice, and a stream for each cpu.
enum class Calls {
  kNone,
  kPairs,     // recorded when they begin and when they end
  kComplete,  // recorded once, when they end
};

// The same ones each time.
void emit_schedule(Writer& writer, std::uint64_t events, Calls calls);

}  // namespace evt::bench
