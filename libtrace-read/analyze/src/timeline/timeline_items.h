// What the parts of a Timeline append to.
#pragma once

#include <evt/timeline.h>

#include <vector>

namespace evt {

using TimelineItems = std::vector<TimelineItem>;

}  // namespace evt
