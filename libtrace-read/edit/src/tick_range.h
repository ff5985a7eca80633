// Moments of a session's time as ticks of one of its clocks.
#pragma once

#include <evt/trace.h>

#include <cstdint>

#include "libtrace-read/core/src/session/clock_map.h"

namespace evt {

// The first and last ticks of a clock that are wanted.
struct TickRange {
  // `range`: since the session's start.
  static TickRange of(const TimeRange& range, std::int64_t start_ns, const ClockMap& clock);

  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
  bool is_empty = false;
  bool contains(std::uint64_t ticks) const { return !is_empty && ticks >= from && ticks <= to; }
};

}  // namespace evt
