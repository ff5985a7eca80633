// Self times of single spans and calls, as evt stats spans counts them.
#pragma once

#include <evt/analysis/spans.h>

#include <cstdint>

namespace evt::tools {

// Takes the items of one session in order. Refers to the timeline.
class SelfTimes {
 public:
  explicit SelfTimes(Timeline& timeline) : spans_(timeline, {}) {}

  void take(const TimelineItem& item) { spans_.take(item); }
  // Takes an item of kind kEnded; returns the self time of what it ends. What no event ended has that of one that ends
  // now.
  std::uint64_t end(const TimelineItem& item);

 private:
  std::uint64_t sum_of(const TimelineItem& item) const;

  Spans spans_;
};

}  // namespace evt::tools
