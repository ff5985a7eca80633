// An analysis over the events of a trace.
#pragma once

#include <evt/analysis/actors.h>

namespace evt::testing {

// Has it take all events of the session, and count from a moment on if one is given.
template <typename Analysis>
void take_all(RoleEvents& roles, Analysis& analysis, std::int64_t from_ns = INT64_MIN) {
  bool restarted = from_ns == INT64_MIN;
  while (const RoleEvent* const event = roles.next()) {
    if (!restarted && event->ns >= from_ns) {
      analysis.restart(from_ns);
      restarted = true;
    }
    analysis.take(*event);
  }
}

}  // namespace evt::testing
