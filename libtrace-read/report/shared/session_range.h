// The part of a session that an answer covers.
#pragma once

#include <evt/report.h>
#include <evt/timeline.h>

namespace evt::report {

// The times of a session: from its start, or from earlier data in it, to its latest event.
TimeRange times_of(const Session& session);
bool asks_for_a_begin(const Session& session, const RangeWanted& wanted);
// The requested range, limited to the session's: from its first event to its last, or what it was cut to. A request
// before that is a single moment there.
TimeRange range_in(const Session& session, const RangeWanted& wanted);
// As above; what an event records may have begun before any event.
TimeRange range_in(Timeline& timeline, const RangeWanted& wanted);

}  // namespace evt::report
