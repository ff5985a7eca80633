// Of which part of a session an answer is.
#pragma once

#include <evt/report.h>
#include <evt/timeline.h>

namespace evt::report {

// What a session has: from its start, or what it has from before, to its latest event.
TimeRange times_of(const Session& session);
bool asks_for_a_begin(const Session& session, const RangeWanted& wanted);
// What is asked for, within what there is: from the session's first event to its last, or what it was cut to. What is
// asked for in front of that is a moment there.
TimeRange range_in(const Session& session, const RangeWanted& wanted);
// The same; what an event records may have begun before any.
TimeRange range_in(Timeline& timeline, const RangeWanted& wanted);

}  // namespace evt::report
