// When an event was recorded, for loops that ask it of each event: without a call.
#pragma once

#include <evt/event.h>

#include "clock_map.h"

namespace evt {

class EventTime {
 public:
  // Event::ns().
  static std::int64_t ns_of(const Event& event) {
    return distance_ns(event.session_->start_ns, event.piece().clock->to_ns(event.row_->ticks));
  }
  // Event::utc_ns(), of one whose ns() is known.
  static std::int64_t utc_ns_of(const Event& event, std::int64_t ns) {
    const std::uint64_t since_start = static_cast<std::uint64_t>(ns);
    const std::uint64_t start = static_cast<std::uint64_t>(event.session_->start_ns);
    return event.piece().clock->to_utc(static_cast<std::int64_t>(start + since_start));
  }
};

}  // namespace evt
