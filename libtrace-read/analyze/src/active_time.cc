#include "active_time.h"

#include <algorithm>
#include <array>

#include "libtrace-read/core/src/base/uint128.h"
#include "parts.h"

namespace evt {
namespace {

// floor(2^64 / by): UINT64_MAX / by is one less where 2^64 is a multiple of it. REQUIRES: by > 1.
constexpr std::uint64_t reciprocal(std::uint32_t by) { return UINT64_MAX / by + ((by & (by - 1)) == 0 ? 1 : 0); }

// Of the numbers that are usual.
constexpr auto kReciprocals = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::uint32_t by = 2; by < all.size(); ++by) all[by] = reciprocal(by);
  return all;
}();

}  // namespace

Sum128 ActiveTime::divided(std::uint64_t ns, std::uint32_t by) {
  if (by <= 1) return {ns, 0};
  const Uint128 all = product(ns, by < kReciprocals.size() ? kReciprocals[by] : reciprocal(by));
  return {all.high, all.low};
}

SharedTime ActiveTime::stretch(std::uint64_t ns, std::uint32_t active) {
  if (active == 1) return {ns, ns, {ns, 0}, {0, ns}};
  if (active == 0) return {ns, 0, {}, {}};
  const Uint128 weighted = product(ns, active);
  return {ns, 0, divided(ns, active), {weighted.high, weighted.low}};
}

SharedTime ActiveTime::until(std::int64_t ns) const { return stretch(length(now_ns_, ns), active_); }

void ActiveTime::change(Member* member, bool active) {
  active_ = active ? active_ + 1 : active_ - 1;
  most_ = active_ <= 1 ? 1 : std::max(most_, active_);
  member->active = active;
  member->since = now_;
  if (!with_history_) return;
  ++last_change_;
  Change& change = changes_.size() < kHistory ? changes_.emplace_back() : changes_[(last_change_ - 1) % kHistory];
  change = {now_ns_, now_, active_, most_, member->changed};
  member->changed = last_change_;
}

void ActiveTime::restart(std::int64_t ns) {
  advance(ns);
  start_ns_ = ns;
  idle_ns_ = 0;
}

std::int64_t ActiveTime::oldest() const {
  return is_forgetful() ? std::max(start_ns_, change_of(first_change()).ns) : start_ns_;
}

// The latest changes are asked for most: back in steps that double, then by halves.
const ActiveTime::Change& ActiveTime::latest_before(std::int64_t ns) const {
  const std::uint64_t first = first_change();
  std::uint64_t high = last_change_ + 1;  // is later, or there is none
  std::uint64_t step = 1;
  std::uint64_t low = last_change_;
  while (low > first && change_of(low).ns > ns) {
    high = low;
    low = low - first > step ? low - step : first;
    step *= 2;
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (change_of(middle).ns <= ns ? low : high) = middle;
  }
  return change_of(low);
}

// Back along the member's own changes: it was active up to each second one.
ActiveTime::Past ActiveTime::past(const Member& member, std::int64_t ns) const {
  Past past;
  if (last_change_ == 0) return past;
  const Change& then = latest_before(ns);
  SharedTime at_ns;
  if (then.ns <= ns) {  // or no member was active yet
    past.most = then.most;
    at_ns = then.then + stretch(length(then.ns, ns), then.active);
  }
  SharedTime upper = now_;
  bool active = member.active;
  for (std::uint64_t at = member.changed;; active = !active) {
    const bool ends = at < first_change() || change_of(at).ns <= ns;
    if (active) past.since += upper - (ends ? at_ns : change_of(at).then);
    if (ends) return past;
    upper = change_of(at).then;
    at = change_of(at).before;
  }
}

}  // namespace evt
