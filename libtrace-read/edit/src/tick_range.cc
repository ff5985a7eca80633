#include "tick_range.h"

namespace evt {

TickRange TickRange::of(const TimeRange& range, std::int64_t start_ns, const ClockMap& clock) {
  const auto moment = [&](std::int64_t since) {
    std::int64_t ns = 0;
    if (__builtin_add_overflow(start_ns, since, &ns)) ns = since < 0 ? INT64_MIN : INT64_MAX;
    return ns;
  };
  TickRange ticks;
  if (range.from_ns != INT64_MIN) ticks.is_empty = !ticks_at(clock, moment(range.from_ns), &ticks.from);
  std::uint64_t behind = 0;
  if (range.to_ns != INT64_MAX && ticks_at(clock, moment(range.to_ns + 1), &behind)) {
    ticks.is_empty |= behind <= ticks.from;
    ticks.to = behind - 1;
  }
  return ticks;
}

}  // namespace evt
