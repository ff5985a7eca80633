#include "time_scale.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "clock_fit.h"

namespace evt {
namespace {

struct Limits {
  std::vector<TimeLimit> not_before;
  std::vector<TimeLimit> not_behind;
  std::uint64_t bound_ns = 0;  // largest bound of the scales that they come from
};

// Limits from messages to and from placed scales for one that is not placed.
Limits limits_of(std::size_t scale, const std::vector<TimeScale>& scales,
                 const std::vector<SeenMessages::Pair>& pairs) {
  Limits limits;
  for (const SeenMessages::Pair& pair : pairs) {
    if ((pair.from == scale) == (pair.to == scale)) continue;
    const TimeScale& other = scales[pair.from == scale ? pair.to : pair.from];
    if (!other.is_placed) continue;
    limits.bound_ns = std::max(limits.bound_ns, other.bound_ns);
    if (pair.to == scale) {
      limits.not_before.push_back({pair.received_ns, other.shift.apply(pair.sent_ns)});
    } else {
      limits.not_behind.push_back({pair.sent_ns, other.shift.apply(pair.received_ns)});
    }
  }
  return limits;
}

std::int64_t middle(const TimeScale& scale) {
  const auto range = static_cast<std::uint64_t>(distance_ns(scale.least_utc, scale.most_utc));
  return later_ns(scale.least_utc, static_cast<std::int64_t>(range / 2));
}
std::uint64_t doubt(const TimeScale& scale) {
  const auto range = static_cast<std::uint64_t>(distance_ns(scale.least_utc, scale.most_utc));
  std::uint64_t sum = range / 2 + range % 2;
  saturating_add(&sum, scale.uncertainty_ns);
  return sum;
}

void place_by_utc(TimeScale& scale, const TimeScale& first) {
  scale.is_placed = true;
  scale.alignment = EVT_ALIGNED_UTC;
  scale.shift = {distance_ns(middle(first), middle(scale)), 0, 0};
  scale.bound_ns = doubt(scale);
  saturating_add(&scale.bound_ns, doubt(first));
}

}  // namespace

Status place_in_time(std::vector<TimeScale>& scales, const std::vector<SeenMessages::Pair>& pairs, bool wants_messages,
                     std::vector<std::string>* notes) {
  if (scales.empty()) return {};
  scales.front().is_placed = true;
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 1; i < scales.size(); ++i) {
      TimeScale& scale = scales[i];
      if (scale.is_placed) continue;
      const Limits limits = limits_of(i, scales, pairs);
      if (limits.not_before.empty() || limits.not_behind.empty()) continue;
      const ClockFit line = fit_line(limits.not_before, limits.not_behind, scale.first_ns, scale.last_ns);
      if (line.contradiction_ns > limits.bound_ns) {
        return {Code::kInvalid,
                fmt::format("{}: its messages contradict each other by {} ns: a clock was set meanwhile, or they do "
                            "not belong together",
                            scale.name, line.contradiction_ns)};
      }
      scale.is_placed = any = true;
      scale.alignment = EVT_ALIGNED_MESSAGES;
      scale.shift = line.shift;
      scale.bound_ns = line.bound_ns + line.contradiction_ns + limits.bound_ns;
    }
  }
  for (TimeScale& scale : scales) {
    if (scale.is_placed) continue;
    if (wants_messages) {
      notes->push_back(fmt::format("{}: no messages in both directions: its time is by UTC", scale.name));
    }
    place_by_utc(scale, scales.front());
  }
  return {};
}

}  // namespace evt
