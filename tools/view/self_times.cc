#include "self_times.h"

#include <algorithm>

namespace evt::tools {

std::uint64_t SelfTimes::end(const TimelineItem& item) {
  TimelineItem ended = item;
  ended.is_open = ended.is_cut = false;
  const std::uint64_t before = sum_of(item);
  spans_.take(ended);
  return sum_of(item) - before;
}

// Of all that have this name, so far.
std::uint64_t SelfTimes::sum_of(const TimelineItem& item) const {
  const std::vector<Spans::Row>& rows = spans_.rows(item.is_call ? SpanKind::kCall : SpanKind::kSpan);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Spans::Row& each) { return each.name == item.name; });
  return row != rows.end() ? row->self_ns : 0;
}

}  // namespace evt::tools
