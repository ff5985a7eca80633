// Waits for producers as a session closes: events in progress are not interrupted.
#pragma once

#include "recording.h"

namespace evt {

// A producer may be writing its buffer; or be stopped, or be the caller's own thread, and never continue.
constexpr std::uint64_t kWaitForInline = 100'000'000;
constexpr std::uint64_t kWaitForRing = 1'000'000;

// Waits for a producer in the middle of an emit; false if it has not ended in time.
bool wait_until_idle(const StreamState& stream, std::uint64_t max_ns);
// The system does it at once for a single-threaded process; for others it waits for all processors, some milliseconds.
// Called before the session has its own thread.
bool prepare_barriers();
// Afterwards a producer that is not seen busy will see what this thread has stored; false if the system cannot do it.
bool order_producers();
// Afterwards a producer that is not seen busy will see that its stream is off.
void switch_off_producers(Recording& recording);

}  // namespace evt
