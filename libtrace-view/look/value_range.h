// Between which values a counter's row is drawn.
#pragma once

#include <utility>

#include "libtrace-view/rows/track.h"

namespace evt::view {

// Its least and its largest value, or zero if they are both on one side of it: heights are in proportion.
std::pair<double, double> value_range(const Track& counter);

}  // namespace evt::view
