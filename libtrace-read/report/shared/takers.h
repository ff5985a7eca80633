// Analyses that take the items of one session.
#pragma once

#include <array>
#include <vector>

#include "analysis.h"

namespace evt::report {

// Gives each analysis the kinds of items that it wants. Refers to them.
class Takers {
 public:
  void add(Analysis* analysis);
  void take(const TimelineItem& item) const {
    for (Analysis* const taker : by_kind_[static_cast<std::size_t>(item.kind)]) taker->take(item);
  }

 private:
  std::array<std::vector<Analysis*>, ItemKinds::kKinds> by_kind_;
};

}  // namespace evt::report
