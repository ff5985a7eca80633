// What stands at the axis of a counter's row.
#pragma once

#include <string>
#include <vector>

#include "libtrace-view/rows/track.h"

namespace evt::view {

struct AxisTick {
  double part = 0;  // of the row's height, from below
  std::string text;
};

// The largest value, zero, and the least value where there is room between them. REQUIRES: kCounter, with a value.
std::vector<AxisTick> axis_of(const Track& track);
// From the least value to the largest: 10 MB to 70 MB.
std::string range_text(const Track& track);

}  // namespace evt::view
