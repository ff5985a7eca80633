// The time of an event, inline, for loops that need it for each event.
#pragma once

#include <evt/event.h>

#include "clock_map.h"

namespace evt {

class EventTime {
 public:
  // The clock that its time is from.
  static const ClockMap& clock_of(const Event& event) { return *event.piece().clock; }
  // Event::ns().
  static std::int64_t ns_of(const Event& event) {
    return distance_ns(event.session_->start_ns, event.piece().clock->to_ns(event.row_->ticks));
  }
};

}  // namespace evt
