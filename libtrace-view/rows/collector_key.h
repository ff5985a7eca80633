// What a row shows of what a collector does.
#pragma once

#include <evt/timeline.h>

#include "shares.h"

namespace evt::view {

constexpr Key key_of(CollectorPhase phase) {
  switch (phase) {
    case CollectorPhase::kWork:
      return key_of(RowState::kCollecting);
    case CollectorPhase::kSync:
      return key_of(RowState::kCollectorSync);
    case CollectorPhase::kIdle:
      return key_of(RowState::kCollectorIdle);
    default:
      return kNothing;
  }
}

}  // namespace evt::view
