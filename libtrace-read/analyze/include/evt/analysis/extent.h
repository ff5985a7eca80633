// Begin and end of something that one event records as a whole.
#pragma once

#include <evt/event.h>

#include <cstdint>
#include <optional>

#pragma GCC visibility push(default)
namespace evt {

struct Extent {
  std::int64_t began_ns = 0;
  std::int64_t ended_ns = 0;  // not before it began, nor after the event
  std::uint64_t step_ns = 0;  // the unit of its length: it may have begun so much earlier
  bool is_negative = false;   // its recorded length is negative, and counts as 0
};

// From the fields of roles began, ended and duration of an event that was recorded at `ns`: any two give the third, and
// the event's own time is the end if none gives that (FORMAT.md, section 8.4). Nothing if they do not give it, if it
// would be on both sides of a step of the clock, or end after `ns`.
std::optional<Extent> extent_of(const Event& event, std::int64_t ns);

// `ns` before `end`, if that is representable.
inline std::int64_t begin_of(std::uint64_t ns, std::int64_t end) {
  std::int64_t begin = 0;
  return __builtin_sub_overflow(end, static_cast<std::int64_t>(ns), &begin) ? INT64_MIN : begin;
}

}  // namespace evt
#pragma GCC visibility pop
