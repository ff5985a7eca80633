// From when to when something was that one event records as a whole.
#pragma once

#include <evt/event.h>

#include <cstdint>
#include <optional>

#pragma GCC visibility push(default)
namespace evt {

struct Extent {
  std::int64_t began_ns = 0;
  std::int64_t ended_ns = 0;  // not before it began, nor behind the event
  std::uint64_t step_ns = 0;  // it may have begun so much earlier: what its length is counted in
  bool is_negative = false;   // its length is recorded as less than nothing, and taken as nothing
};

// By the fields of roles began, ended and duration of an event that was recorded at `ns`: any two give the third, and
// the event's own time is where it ended if none gives that (FORMAT.md, section 8.4). Nothing if they do not give it,
// if it would be on both sides of a step of the clock, or end behind `ns`.
std::optional<Extent> extent_of(const Event& event, std::int64_t ns);

// `ns` before `end`, if that is a time.
inline std::int64_t begin_of(std::uint64_t ns, std::int64_t end) {
  std::int64_t begin = 0;
  return __builtin_sub_overflow(end, static_cast<std::int64_t>(ns), &begin) ? INT64_MIN : begin;
}

}  // namespace evt
#pragma GCC visibility pop
