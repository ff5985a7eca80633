#include "clock_map.h"

#include <algorithm>
#include <bit>

namespace evt {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kLongEnough = 100'000'000;  // ns between anchors whose slope is better than the nominal one

std::int64_t clamp(Int128 value) { return static_cast<std::int64_t>(std::clamp<Int128>(value, INT64_MIN, INT64_MAX)); }

}  // namespace

Rate::Rate(std::int64_t ns, std::uint64_t ticks) : ns_(ns), ticks_(ticks) {
  const auto width = [](std::uint64_t number) { return static_cast<int>(std::bit_width(number)); };
  const int more = width(static_cast<std::uint64_t>(ns)) - width(ticks);  // ns / ticks < 2^(more + 1)
  shift_ = static_cast<unsigned>(63 - std::max(more, 0));
  factor_ = static_cast<std::uint64_t>((static_cast<UInt128>(ns) << shift_) / ticks);
  // What is left of two times so many ticks must fit 64 bits.
  limit_ = ticks < std::uint64_t{1} << 63 ? std::uint64_t{1} << shift_ : 0;
}

Rate::Int128 Rate::ns_by_division(Int128 ticks) const {
  const Int128 product = ticks * ns_;
  const Int128 divisor = ticks_;
  Int128 quotient = product / divisor;
  if (product < 0 && quotient * divisor != product) --quotient;
  return quotient;
}

ClockMap::ClockMap(const ClockInfo& clock) : hz_(clock.hz != 0 ? clock.hz : 1'000'000'000) {
  anchors_.push_back({clock.start_ticks, clock.start_ns, nominal()});
}

void ClockMap::add_anchor(std::uint64_t ticks, std::int64_t ns) {
  const Anchor& first = anchors_.front();
  Anchor& last = anchors_.back();
  if (ticks <= last.ticks || ns <= last.ns) return;
  last.rate = Rate(clamp(static_cast<Int128>(ns) - last.ns), ticks - last.ticks);
  const std::int64_t span = clamp(static_cast<Int128>(ns) - first.ns);
  const Rate behind = span >= kLongEnough ? Rate(span, ticks - first.ticks) : nominal();
  anchors_.push_back({ticks, ns, behind});
}

void ClockMap::add_utc(std::int64_t ns, std::int64_t utc_ns) {
  if (!utc_.empty() && ns < utc_.back().from_ns) return;
  utc_.push_back({ns, clamp(static_cast<Int128>(utc_ns) - ns)});
}

std::int64_t ClockMap::to_ns(std::uint64_t ticks) const {
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), ticks,
                                      [](std::uint64_t t, const Anchor& a) { return t < a.ticks; });
  const bool before_all = after == anchors_.begin();  // where time goes as it does behind all
  const Anchor& from = before_all ? anchors_.front() : *(after - 1);
  const Rate& rate = before_all ? anchors_.back().rate : from.rate;
  return clamp(from.ns + rate.ns_of(static_cast<Int128>(ticks) - from.ticks));
}

std::int64_t ClockMap::to_utc(std::int64_t ns) const {
  if (utc_.empty()) return ns;
  const auto after =
      std::upper_bound(utc_.begin(), utc_.end(), ns, [](std::int64_t t, const Utc& u) { return t < u.from_ns; });
  const Utc& utc = after == utc_.begin() ? utc_.front() : *(after - 1);
  return clamp(static_cast<Int128>(ns) + utc.ahead);
}

}  // namespace evt
