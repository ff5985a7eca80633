// An analysis over the timeline of a trace.
#pragma once

#include <evt/timeline.h>

namespace evt::testing {

// Has it take all items of the session, and count from a moment on if one is given.
template <typename Analysis>
void take_all(Timeline& timeline, Analysis& analysis, std::int64_t from_ns = INT64_MIN) {
  bool restarted = from_ns == INT64_MIN;
  while (const TimelineItem* const item = timeline.next()) {
    if (!restarted && item->ns >= from_ns) {
      analysis.restart(from_ns);
      restarted = true;
    }
    analysis.take(*item);
  }
  if (!restarted) analysis.restart(from_ns);
}

}  // namespace evt::testing
