// Of which part of a session an answer is.
#pragma once

#include <evt/timeline.h>

#include <optional>

#include "cli/selection.h"
#include "time_spec.h"

namespace evt::tools {

struct RangeWanted {
  const Selection* selection = nullptr;
  bool whole_session = false;    // from where it began, not from its first event
  std::optional<TimeSpec> at{};  // until then
};

bool asks_for_a_begin(const Session& session, const RangeWanted& wanted);
// What is asked for, within what there is: from the session's first event to its last, or what it was cut to.
TimeRange range_in(const Session& session, const RangeWanted& wanted);
// The same; what an event records may have begun before any.
TimeRange range_in(Timeline& timeline, const RangeWanted& wanted);

}  // namespace evt::tools
