// Maps one time scale to another: an offset, and a drift of N ps for each second since a moment.
#pragma once

#include <cstdint>

#include "libtrace-read/core/src/session/clock_map.h"

namespace evt {

// `by` later; sums of untrusted times wrap.
inline std::int64_t later_ns(std::int64_t ns, std::int64_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(ns) + static_cast<std::uint64_t>(by));
}

struct TimeShift {
  std::int64_t offset_ns = 0;
  std::int64_t drift_ps = 0;
  std::int64_t pivot_ns = 0;

  static constexpr std::uint64_t kPsInSecondOfNs = 1'000'000'000'000;  // 1 ns in this many ns is 1 ps/s

  // Rounded towards the time without drift.
  std::int64_t apply(std::int64_t ns) const { return later_ns(ns, later_ns(offset_ns, drifted(ns))); }

 private:
  std::int64_t drifted(std::int64_t ns) const {
    if (drift_ps == 0) return 0;
    const std::int64_t since = distance_ns(pivot_ns, ns);
    const auto size = [](std::int64_t n) {
      return n < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    };
    const Uint128 all = product(size(since), size(drift_ps));
    if (all.high >= kPsInSecondOfNs) return 0;
    const auto by = static_cast<std::int64_t>(division(all, kPsInSecondOfNs).quotient);
    return (since < 0) != (drift_ps < 0) ? -by : by;
  }
};

}  // namespace evt
