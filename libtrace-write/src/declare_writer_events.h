// How the writer's own events get their types.
#pragma once

#include "recording.h"

namespace evt {

// Declares those that are on, and makes them known: an empty session has none. False when there is no room for that
// now. REQUIRES: lock held.
bool declare_writer_events(Recording& recording);

}  // namespace evt
