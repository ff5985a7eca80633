#include "tracing_cost.h"

#include <algorithm>

#include "duration.h"

namespace evt {
namespace {

// What hostile events claim ends at what 64 bits hold, 200 days.
std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) { return a + b >= a ? a + b : UINT64_MAX; }

}  // namespace

void TracingCost::take(const RoleEvent& event) {
  if (event.event == nullptr || event.lost || event.jump) return;
  std::uint64_t& spent = spent_ps_[static_cast<std::size_t>(event.stream - first_)];
  if (!event.is_facet) spent = sum_of(spent, event_ps_);
  if (event.role != Role::kOverhead) return;
  const std::optional<Duration> duration = duration_of(*event.event, event.recorded_ns);
  if (duration) spent = sum_of(spent, std::min(duration->ns, UINT64_MAX / kPsInNs) * kPsInNs);
}

void SpentHistory::add(std::int64_t ns, std::uint64_t spent_ps) {
  if (!steps_.empty() && steps_.back().ns >= ns) {
    steps_.back().spent_ps = spent_ps;
    return;
  }
  if (steps_.size() >= thin_at_) thin();
  steps_.push_back({ns, spent_ps});
}

// A step is left out if what lies between its neighbours is little beside what was spent behind them.
void SpentHistory::thin() {
  std::size_t last = steps_.size() - 1;  // those that stay are from here on
  for (std::size_t i = last; i-- > 1;) {
    const std::uint64_t between = steps_[last].spent_ps - steps_[i - 1].spent_ps;
    if (between <= (steps_.back().spent_ps - steps_[last].spent_ps) / kExactness) continue;
    steps_[--last] = steps_[i];
  }
  steps_[--last] = steps_.front();
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(last));
  thin_at_ = std::max(kMax, 2 * steps_.size());
}

std::uint64_t SpentHistory::until(std::int64_t ns) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), ns,
                                      [](std::int64_t at, const Step& step) { return at < step.ns; });
  return after == steps_.begin() ? 0 : (after - 1)->spent_ps;
}

}  // namespace evt
