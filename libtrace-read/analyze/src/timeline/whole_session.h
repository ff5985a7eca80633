// Facts about a whole session, of which only a part is read.
#pragma once

#include <evt/analysis/role_set.h>
#include <evt/trace.h>

#include <cstdint>
#include <vector>

#include "idle_thread.h"

namespace evt {

// True if any event records that a thread runs or stops. Reads up to the first one.
bool records_runs(Trace& trace, const Session& session);

// The threads of number 0 that cpus run when they have nothing to do, recognised by running on two at a time. Reads up
// to this time; and then on until no other candidate is left.
std::vector<IdleThread> idle_threads(Trace& trace, std::size_t session, std::uint32_t most_threads, std::int64_t to_ns);

}  // namespace evt
