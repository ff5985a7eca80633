// How a session gets one more stream.
#pragma once

#include <evt/evt.h>

#include "recording.h"

namespace evt {

// Described in the metadata before it can record. Null, with `error` filled, when there is no memory, the id is taken
// or the session has ended. REQUIRES: lock held.
StreamState* open_stream(Recording& recording, const evt_stream_info& info, bool of_thread, evt_error* error);

}  // namespace evt
