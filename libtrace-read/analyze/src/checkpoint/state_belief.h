// What of a side file cannot be, although its checksums are right: who makes a file makes those too. An honest one
// passes.
#pragma once

#include <evt/analysis/state_history.h>

#include "state_message.h"

namespace evt {

// Whether a directory is of this trace: its actors are of parts that the session has, and its checkpoints are one after
// another.
bool is_of_trace(const StateDirectory& directory, const Trace& trace);

// Whether a state can have been, at the time of its latest event: no thread and no cpu was busy for longer than there
// was time, threads ran as often as events say, and there are no more events than the session has.
bool can_have_been(const SessionState& state);

// Whether what is true before a range, of a session, can have become what is true at its end.
bool can_become(const SessionState& before, const SessionState& after, TimeRange range);

// Of the first row of any stream; INT64_MAX without any.
std::int64_t first_row_ns(const Session& session);

}  // namespace evt
