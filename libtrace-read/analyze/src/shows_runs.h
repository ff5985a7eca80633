// Tells whether events record when a thread runs.
#pragma once

#include <evt/timeline.h>

namespace evt {

// REQUIRES: a change of state.
inline bool shows_runs(const TimelineItem& item) {
  return item.before == ThreadState::kRunning || item.state == ThreadState::kRunning ||
         (item.event != nullptr && item.event->role == Role::kThreadStop);
}

}  // namespace evt
