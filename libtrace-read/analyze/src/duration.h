// How long something lasted, by the field of an event that records it.
#pragma once

#include <evt/event.h>

#include <cstdint>
#include <optional>

namespace evt {

struct Duration {
  std::uint64_t ns = 0;       // at most INT64_MAX
  std::uint64_t step_ns = 0;  // what it is counted in, and so may be short of: 0 in ticks of the clock that events have
  bool is_negative = false;   // the field is below 0, which is taken as 0
};

// Of the first field of role duration: a tick delta, or a number with a unit of time; or since `began`. Nothing without
// one, nothing of what began before a step of the clock, and nothing of what ended before `ns`, the event's own time as
// recorded: it would be put at another time.
std::optional<Duration> duration_of(const Event& event, std::int64_t ns);

// `ns` before `end`, if that is a time.
inline std::int64_t begin_of(std::uint64_t ns, std::int64_t end) {
  std::int64_t begin = 0;
  return __builtin_sub_overflow(end, static_cast<std::int64_t>(ns), &begin) ? INT64_MIN : begin;
}

}  // namespace evt
