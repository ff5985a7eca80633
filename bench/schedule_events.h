// A scheduler's events: 1,000 threads run on 16 cpus in slices of some microseconds, two cpus to a stream. What
// analyses of running time read.
#pragma once

#include <evt/writer.h>

#include <cstdint>

namespace evt::bench {

// Counts ns from 0 on; for a writer of the events.
extern const evt_clock kScheduleClock;

// The same ones each time. `with_calls`: two calls, one in the other, in each slice, and a stream for each cpu.
void emit_schedule(Writer& writer, std::uint64_t events, bool with_calls);

}  // namespace evt::bench
