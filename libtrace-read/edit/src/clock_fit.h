// Messages between two clocks, in both directions -> the line from one to the other. Pure.
#pragma once

#include <vector>

#include "time_shift.h"

namespace evt {

// A moment of the clock that is to be put right, and the time by the right clock that it is not before, or not behind.
struct TimeLimit {
  std::int64_t own_ns;
  std::int64_t right_ns;
};

struct ClockFit {
  TimeShift shift;
  // At no moment from the first to the last asked for is another line that fits further away.
  std::uint64_t bound_ns = 0;
  // More than 0: no line fits all limits, and this one misses some by that many ns.
  std::uint64_t contradiction_ns = 0;
};

// The line in the middle of the widest gap between the limits. REQUIRES: some of both.
ClockFit fit_line(const std::vector<TimeLimit>& not_before, const std::vector<TimeLimit>& not_behind,
                  std::int64_t first_ns, std::int64_t last_ns);

}  // namespace evt
