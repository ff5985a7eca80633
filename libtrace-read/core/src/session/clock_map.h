// Ticks of one clock into nanoseconds on the session's time scale (FORMAT.md, section 9).
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <vector>

#include "libtrace-read/core/src/base/uint128.h"

namespace evt {

// The distance between two times; untrusted values may wrap.
inline std::int64_t distance_ns(std::int64_t from, std::int64_t to) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

// The sum, limited to 64 bits.
inline std::int64_t later_ns_by(std::int64_t ns, std::uint64_t by) {
  const std::uint64_t room = static_cast<std::uint64_t>(INT64_MAX) - static_cast<std::uint64_t>(ns);
  return by > room ? INT64_MAX : static_cast<std::int64_t>(static_cast<std::uint64_t>(ns) + by);
}

// True if a clock that read `ticks` at `ns` may have continued to the start of the other, by the rule that writers use
// to find a step (FORMAT.md, section 6.2). If not, something stepped in between: they are two epochs.
bool is_same_epoch(std::uint64_t ticks, std::int64_t ns, const ClockInfo& behind);

// So many ns per so many ticks.
class Rate {
 public:
  // REQUIRES: both are more than 0.
  Rate(std::int64_t ns, std::uint64_t ticks);

  // The ns of `ticks` ticks, rounded down; saturates at 2^64 - 1.
  std::uint64_t ns_of(std::uint64_t ticks) const {
    return ticks < quick_ticks() ? ns_of_few(ticks) : by_division(ticks).quotient;
  }
  // With fewer ticks no division is needed.
  std::uint64_t quick_ticks() const {
    if (ticks_ >> 63 != 0) return 0;  // two times such a remainder must fit 64 bits
    return shift_ == 0 ? UINT64_MAX : std::uint64_t{1} << (64 - shift_);
  }
  // As above. REQUIRES: so few.
  std::uint64_t ns_of_few(std::uint64_t ticks) const {
    std::uint64_t ns = product(ticks << shift_, factor_).high;
    // The result may be one too small. Only small numbers remain, so bits beyond 64 do not matter.
    if (ticks * static_cast<std::uint64_t>(ns_) - ns * ticks_ >= ticks_) ++ns;
    return ns;
  }
  // Like ns_of(), rounded up.
  std::uint64_t ns_of_more_than(std::uint64_t ticks) const {
    const Division all = by_division(ticks);
    return all.quotient + (all.remainder != 0 && all.quotient != UINT64_MAX ? 1 : 0);
  }

 private:
  Division by_division(std::uint64_t ticks) const;

  std::int64_t ns_;
  std::uint64_t ticks_;
  // ns_ / ticks_ * 2^(64 - shift_), rounded down: with fewer than 2^(64 - shift_) ticks the result is at most one ns
  // too small.
  std::uint64_t factor_;
  unsigned shift_;  // the least with which that is less than 2^64
};

class ClockMap {
 public:
  explicit ClockMap(const ClockInfo& clock);

  // One moment on the clock and on the session's scale; ignored unless it is later in both than the last one.
  void add_anchor(std::uint64_t ticks, std::int64_t ns);
  // How far UTC is ahead of the session's scale, from `ns` on.
  void add_utc(std::int64_t ns, std::int64_t utc_ns);

  // This is a later epoch of the clock: readings before `ticks` may belong to an earlier one.
  void begin_epoch(std::uint64_t ticks) { first_known_ = ticks; }
  std::uint64_t first_known() const { return first_known_; }
  bool knows(std::uint64_t ticks) const { return ticks >= first_known_; }

  // Never decreases when ticks increase; limited to 64 bits. Quick for a moment near the previous one. Any thread.
  std::int64_t to_ns(std::uint64_t ticks) const {
    const Anchor& from = anchors_[__atomic_load_n(&latest_, __ATOMIC_RELAXED)];
    const std::uint64_t ahead = ticks - from.ticks;
    if (ahead >= from.quick) return to_ns_elsewhere(ticks);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from.ns) + from.rate.ns_of_few(ahead));
  }
  std::int64_t to_utc(std::int64_t ns) const;

 private:
  struct alignas(64) Anchor {  // a power of two: a search then divides by shifts
    Anchor(std::uint64_t at_ticks, std::int64_t at_ns, const Rate& from_here)
        : ticks(at_ticks), ns(at_ns), rate(from_here) {
      end_at(UINT64_MAX - at_ticks);
    }
    // The next anchor, or the last moment of the clock, is so many ticks ahead.
    void end_at(std::uint64_t length);
    // REQUIRES: they are not before its own.
    std::int64_t to_ns(std::uint64_t at) const { return later_ns_by(ns, rate.ns_of(at - ticks)); }

    std::uint64_t ticks;
    std::int64_t ns;
    Rate rate;                // from here on
    std::uint64_t quick = 0;  // with fewer ticks ahead, which excludes the next anchor, 64 bits suffice
  };
  struct Utc {
    std::int64_t from_ns;
    std::int64_t ahead;
  };

  std::int64_t to_ns_elsewhere(std::uint64_t ticks) const;
  Rate nominal() const { return {std::int64_t{1'000'000'000} * hz_denominator_, hz_}; }

  std::uint64_t hz_;
  std::uint32_t hz_denominator_;  // times 10^9 it fits 63 bits
  std::vector<Anchor> anchors_;   // at least one
  std::vector<Utc> utc_;
  std::uint64_t first_known_ = 0;
  mutable std::uint32_t latest_ = 0;  // atomic: the anchor of the latest moment; any other index is valid, too
};

// The least ticks that are not before a moment of the session's scale; false if all are.
bool ticks_at(const ClockMap& clock, std::int64_t ns, std::uint64_t* ticks);

}  // namespace evt
