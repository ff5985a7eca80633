#include "clock_map.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace evt {
namespace {

constexpr std::int64_t kLongEnough = 100'000'000;  // minimal ns between anchors for a slope better than the nominal one

// The differences, limited to 64 bits.
std::int64_t earlier(std::int64_t ns, std::uint64_t by) {
  const std::uint64_t room = static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(INT64_MIN);
  return by > room ? INT64_MIN : static_cast<std::int64_t>(static_cast<std::uint64_t>(ns) - by);
}
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return b >= 0 ? later_ns_by(a, static_cast<std::uint64_t>(b))
                : earlier(a, std::uint64_t{0} - static_cast<std::uint64_t>(b));
}
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return b >= 0 ? earlier(a, static_cast<std::uint64_t>(b))
                : later_ns_by(a, std::uint64_t{0} - static_cast<std::uint64_t>(b));
}

}  // namespace

bool is_same_epoch(std::uint64_t ticks, std::int64_t ns, const ClockInfo& behind) {
  const auto counted = static_cast<double>(static_cast<std::int64_t>(behind.start_ticks - ticks));
  const auto elapsed = static_cast<double>(distance_ns(ns, behind.start_ns));
  const double by_ticks =
      counted * 1e9 * std::max(1U, behind.hz_denominator) / static_cast<double>(std::max<std::uint64_t>(1, behind.hz));
  return std::abs(by_ticks - elapsed) <= 1e6 + std::abs(elapsed) * 1e-3;
}

Rate::Rate(std::int64_t ns, std::uint64_t ticks) : ns_(ns), ticks_(ticks) {
  const auto width = [](std::uint64_t number) { return static_cast<int>(std::bit_width(number)); };
  const int more = width(static_cast<std::uint64_t>(ns)) - width(ticks);  // ns / ticks < 2^(more + 1)
  shift_ = static_cast<unsigned>(std::max(more + 1, 0));
  const auto number = static_cast<std::uint64_t>(ns);
  factor_ = division({number >> shift_, shift_ == 0 ? 0 : number << (64 - shift_)}, ticks).quotient;
}

Division Rate::by_division(std::uint64_t ticks) const {
  const Uint128 all = product(ticks, static_cast<std::uint64_t>(ns_));
  if (all.high >= ticks_) return {UINT64_MAX, 0};
  return division(all, ticks_);
}

ClockMap::ClockMap(const ClockInfo& clock)
    : hz_(clock.hz != 0 ? clock.hz : 1'000'000'000), hz_denominator_(clock.hz != 0 ? clock.hz_denominator : 1) {
  anchors_.emplace_back(clock.start_ticks, clock.start_ns, nominal());
}

void ClockMap::Anchor::end_at(std::uint64_t length) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  quick = ns < kFar ? std::min(length, rate.quick_ticks()) : 0;
  while (quick > 0 && rate.ns_of_few(quick - 1) >= static_cast<std::uint64_t>(kFar)) quick /= 2;
}

void ClockMap::add_anchor(std::uint64_t ticks, std::int64_t ns) {
  const Anchor& first = anchors_.front();
  Anchor& last = anchors_.back();
  if (ticks <= last.ticks || ns <= last.ns) return;
  last.rate = Rate(difference(ns, last.ns), ticks - last.ticks);
  last.end_at(ticks - last.ticks);
  const std::int64_t span = difference(ns, first.ns);
  const Rate behind = span >= kLongEnough ? Rate(span, ticks - first.ticks) : nominal();
  anchors_.emplace_back(ticks, ns, behind);
}

void ClockMap::add_utc(std::int64_t ns, std::int64_t utc_ns) {
  if (!utc_.empty() && ns < utc_.back().from_ns) return;
  utc_.push_back({ns, difference(utc_ns, ns)});
}

std::int64_t ClockMap::to_ns_elsewhere(std::uint64_t ticks) const {
  const auto after = std::ranges::upper_bound(anchors_, ticks, {}, &Anchor::ticks);
  if (after == anchors_.begin()) {  // before the first anchor, time has the rate of the last one
    const Anchor& first = anchors_.front();
    return earlier(first.ns, anchors_.back().rate.ns_of_more_than(first.ticks - ticks));
  }
  const auto from = static_cast<std::size_t>(after - anchors_.begin()) - 1;
  if (from <= UINT32_MAX) __atomic_store_n(&latest_, static_cast<std::uint32_t>(from), __ATOMIC_RELAXED);
  return anchors_[from].to_ns(ticks);
}

std::int64_t ClockMap::to_utc(std::int64_t ns) const {
  if (utc_.empty()) return ns;
  const auto after = std::ranges::upper_bound(utc_, ns, {}, &Utc::from_ns);
  const Utc& utc = after == utc_.begin() ? utc_.front() : *(after - 1);
  return sum(ns, utc.ahead);
}

bool ticks_at(const ClockMap& clock, std::int64_t ns, std::uint64_t* ticks) {
  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
  if (clock.to_ns(to) < ns) return false;
  while (from < to) {
    const std::uint64_t middle = from + (to - from) / 2;
    if (clock.to_ns(middle) < ns) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  *ticks = from;
  return true;
}

}  // namespace evt
