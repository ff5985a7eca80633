// Messages between two clocks, in both directions -> the line from one to the other. Pure.
#pragma once

#include <vector>

#include "time_shift.h"

namespace evt {

// A moment of the clock to be corrected, and a limit for it in the time of the reference clock.
struct TimeLimit {
  std::int64_t own_ns;
  std::int64_t right_ns;
};

struct ClockFit {
  TimeShift shift;
  // No other possible line is further away at any moment from the first to the last requested one.
  std::uint64_t bound_ns = 0;
  // More than 0: no line fits all limits, and this one misses some by that many ns.
  std::uint64_t contradiction_ns = 0;
};

// The line in the middle of the widest gap between the limits. REQUIRES: at least one limit of each kind.
ClockFit fit_line(const std::vector<TimeLimit>& not_before, const std::vector<TimeLimit>& not_behind,
                  std::int64_t first_ns, std::int64_t last_ns);

}  // namespace evt
