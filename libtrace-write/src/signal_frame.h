// Whether a call comes from a signal handler, which may have interrupted the heap or a lock.
#pragma once

namespace evt {

// Finds the unwinder, and lets it make ready what it makes once. Not for signal handlers.
void prepare_for_signal_frames();

// By the frames of the calling thread, the nearest 64 of them. False without an unwinder, and before it was prepared.
bool is_in_signal_handler();

}  // namespace evt
