// Tells whether a call comes from a signal handler, which may have interrupted the heap or a lock.
#pragma once

namespace evt {

// Finds the unwinder, and runs its one-time initialisation. Not for signal handlers.
void prepare_for_signal_frames();

// Looks at the nearest 64 frames of the calling thread. False without an unwinder, and before it was prepared.
bool is_in_signal_handler();

}  // namespace evt
