#include "clock_map.h"

#include <algorithm>

namespace evt {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kLongEnough = 100'000'000;  // ns between anchors whose slope is better than the nominal one

std::int64_t clamp(Int128 value) { return static_cast<std::int64_t>(std::clamp<Int128>(value, INT64_MIN, INT64_MAX)); }

// floor(a * b / c) for c > 0, |a| < 2^64 and |b| < 2^63.
Int128 scale(Int128 a, std::int64_t b, std::uint64_t c) {
  const Int128 product = a * b;
  if (product >= 0 && product <= static_cast<Int128>(UINT64_MAX)) {
    return static_cast<Int128>(static_cast<std::uint64_t>(product) / c);  // the usual case, and much faster
  }
  const Int128 divisor = c;
  Int128 quotient = product / divisor;
  if (product < 0 && quotient * divisor != product) --quotient;
  return quotient;
}

}  // namespace

ClockMap::ClockMap(const ClockInfo& clock) : hz_(clock.hz != 0 ? clock.hz : 1'000'000'000) {
  anchors_.push_back({clock.start_ticks, clock.start_ns});
}

void ClockMap::add_anchor(std::uint64_t ticks, std::int64_t ns) {
  if (ticks > anchors_.back().ticks && ns > anchors_.back().ns) anchors_.push_back({ticks, ns});
}

void ClockMap::add_utc(std::int64_t ns, std::int64_t utc_ns) {
  if (!utc_.empty() && ns < utc_.back().from_ns) return;
  utc_.push_back({ns, clamp(static_cast<Int128>(utc_ns) - ns)});
}

std::int64_t ClockMap::extrapolate(const Anchor& from, std::uint64_t ticks) const {
  const Int128 distance = static_cast<Int128>(ticks) - from.ticks;
  const Anchor& first = anchors_.front();
  const Anchor& last = anchors_.back();
  const Int128 span = static_cast<Int128>(last.ns) - first.ns;
  const Int128 ns = span >= kLongEnough ? scale(distance, clamp(span), last.ticks - first.ticks)
                                        : scale(distance, 1'000'000'000, hz_);
  return clamp(from.ns + ns);
}

std::int64_t ClockMap::to_ns(std::uint64_t ticks) const {
  if (ticks < anchors_.front().ticks) return extrapolate(anchors_.front(), ticks);
  if (ticks >= anchors_.back().ticks) return extrapolate(anchors_.back(), ticks);
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), ticks,
                                      [](std::uint64_t t, const Anchor& a) { return t < a.ticks; });
  const Anchor& a = *(after - 1);
  const Int128 span = static_cast<Int128>(after->ns) - a.ns;
  return clamp(static_cast<Int128>(a.ns) + scale(ticks - a.ticks, clamp(span), after->ticks - a.ticks));
}

std::int64_t ClockMap::to_utc(std::int64_t ns) const {
  if (utc_.empty()) return ns;
  const auto after =
      std::upper_bound(utc_.begin(), utc_.end(), ns, [](std::int64_t t, const Utc& u) { return t < u.from_ns; });
  const Utc& utc = after == utc_.begin() ? utc_.front() : *(after - 1);
  return clamp(static_cast<Int128>(ns) + utc.ahead);
}

}  // namespace evt
