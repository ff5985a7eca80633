// What the parts of a Timeline append to.
#pragma once

#include <evt/timeline.h>

#include <vector>

namespace evt {

using TimelineItems = std::vector<TimelineItem>;

// One that has `at` in common with others, which is none of the items. Holds until the next one.
inline TimelineItem& append(TimelineItems* items, const TimelineItem& at, ItemKind kind) {
  TimelineItem& item = items->emplace_back(at);
  item.kind = kind;
  return item;
}

}  // namespace evt
