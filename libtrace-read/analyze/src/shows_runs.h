// Tells whether events record when a thread runs.
#pragma once

#include <evt/timeline.h>

namespace evt {

// REQUIRES: a change of state.
inline bool shows_runs(const TimelineItem& item) {
  return item.before == ThreadState::kRunning || item.state == ThreadState::kRunning ||
         (item.event != nullptr && item.event->role == Role::kThreadStop);
}

// Where no event records runs, a thread that was created may do anything.
inline ThreadState shown_state(const TimelineItem& item, Timeline& timeline) {
  const bool is_created = item.state == ThreadState::kRunnable && !item.is_collecting;
  return is_created && !timeline.records_runs() ? ThreadState::kUnknown : item.state;
}

}  // namespace evt
