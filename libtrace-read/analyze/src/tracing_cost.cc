#include "tracing_cost.h"

#include <evt/analysis/extent.h>

#include <algorithm>

namespace evt {
namespace {

// Claims of untrusted events are limited to 64 bits, 200 days.
std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) { return a + b >= a ? a + b : UINT64_MAX; }

}  // namespace

void TracingCost::take(const RoleEvent& event) {
  if (event.event == nullptr || event.lost || event.jump) return;
  std::uint64_t& spent = spent_ps_[static_cast<std::size_t>(event.stream - first_)];
  if (!event.is_facet) spent = sum_of(spent, event_ps_);
  if (event.role != Role::kOverhead) return;
  const std::optional<Extent> extent = extent_of(*event.event, event.recorded_ns);
  if (!extent) return;
  const std::uint64_t ns = static_cast<std::uint64_t>(extent->ended_ns) - static_cast<std::uint64_t>(extent->began_ns);
  spent = sum_of(spent, std::min(ns, UINT64_MAX / kPsInNs) * kPsInNs);
}

}  // namespace evt
