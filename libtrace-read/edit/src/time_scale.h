// Maps time scales of several machines to one: by messages if there are some in both directions, else by UTC.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "paired_events.h"
#include "time_shift.h"

namespace evt {

// The time scale that several sessions share beyond doubt: those of one boot, or one session.
struct TimeScale {
  std::string boot;  // empty: one session
  std::string name;  // its first input's
  // How far UTC is ahead of it, from all its inputs; and how exactly that was read.
  std::int64_t least_utc = INT64_MAX;
  std::int64_t most_utc = INT64_MIN;
  std::uint64_t uncertainty_ns = 0;
  std::int64_t first_ns = INT64_MAX;
  std::int64_t last_ns = INT64_MIN;
  // Onto that of the first one.
  bool is_placed = false;
  TimeShift shift;
  std::uint16_t alignment = EVT_ALIGNED_NONE;
  std::uint64_t bound_ns = 0;
};

// Places all scales, the first one unchanged. If messages are wanted, a note lists those that messages do not place.
// Errors: kInvalid, if messages contradict each other.
Status place_in_time(std::vector<TimeScale>& scales, const std::vector<SeenMessages::Pair>& pairs, bool wants_messages,
                     std::vector<std::string>* notes);

}  // namespace evt
