// What is true of a whole session, where only a part of it is read.
#pragma once

#include <evt/analysis/role_set.h>
#include <evt/trace.h>

#include <cstdint>
#include <vector>

#include "idle_thread.h"

namespace evt {

// Whether any event records that a thread runs or stops. Reads up to the first one.
bool records_runs(Trace& trace, const Session& session);

// The threads of number 0 that cpus run when they have nothing to do, as they run on two at a time. Reads up to this
// time; and then on until none is left that may be one.
std::vector<IdleThread> idle_threads(Trace& trace, std::size_t session, std::uint32_t most_threads, std::int64_t to_ns);

}  // namespace evt
