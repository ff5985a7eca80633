// Events that a picture shows as a moment.
#pragma once

#include <evt/schema.h>

namespace evt {

// Events that are shown as slices, states, counters or names; all others are instants.
constexpr bool is_instant(Role role) {
  switch (role) {
    case Role::kSpanBegin:
    case Role::kSpanEnd:
    case Role::kSpan:
    case Role::kCallBegin:
    case Role::kCallEnd:
    case Role::kCall:
    case Role::kThreadCreate:
    case Role::kThreadRunnable:
    case Role::kThreadRun:
    case Role::kThreadStop:
    case Role::kThreadWake:
    case Role::kThreadMigrate:
    case Role::kThreadExit:
    case Role::kThreadName:
    case Role::kStopped:
    case Role::kGcStart:
    case Role::kGcEnd:
    case Role::kGcIdle:
    case Role::kGcWork:
    case Role::kGcDone:
      return false;
    default:
      return true;
  }
}

}  // namespace evt
