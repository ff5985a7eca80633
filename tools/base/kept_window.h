// How much of a session is there, where its oldest rows were not kept.
#pragma once

#include <evt/trace.h>

#include <cstdint>

namespace evt::tools {

// The time up to its last event, since when no row of any stream was left out; of all its events, where none was.
std::int64_t kept_window_ns(const Session& session);

}  // namespace evt::tools
