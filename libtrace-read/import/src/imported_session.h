// The session of a trace in another format, on a clock of nanoseconds.
#pragma once

#include <evt/describe.h>

#include <cstdint>

#include "libtrace-read/edit/src/trace_output.h"

namespace evt {

constexpr std::uint16_t kImportedClock = 1;  // its id
// Ticks have no sign: these are 0 ns.
constexpr std::uint64_t kZeroTicks = std::uint64_t{1} << 62;

// Adds the session and its clock. The session starts at `start_ticks`.
void add_imported_session(const evt_session_info& session, std::uint64_t start_ticks, TraceOutput* out);

}  // namespace evt
