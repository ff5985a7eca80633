// Segments of flight recorders that were killed, or could not be put into their trace.
#pragma once

namespace evt {

// Removes those in a folder of rings that are many, large or old, with their rings, and keeps the newest. Those of a
// living writer stay, as do those whose trace is where it was: its next opening puts them into it.
void reap_stale_recorders(const char* folder);

}  // namespace evt
