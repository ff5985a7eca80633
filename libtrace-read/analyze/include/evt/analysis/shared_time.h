// Time that several members share, exactly.
#pragma once

#include <evt/uint128.h>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Time that somebody had, or that elapsed until a moment.
struct SharedTime {
  std::uint64_t ns = 0;         // not divided
  std::uint64_t serial_ns = 0;  // part of ns: no other member was active
  Uint128 share;                // each moment divided by the number of active members; 2^64ths of a nanosecond
  Uint128 weighted;             // each nanosecond times the number of active members

  SharedTime& operator+=(const SharedTime& other) {
    ns += other.ns;
    serial_ns += other.serial_ns;
    share += other.share;
    weighted += other.weighted;
    return *this;
  }
  SharedTime& operator-=(const SharedTime& other) {
    ns -= other.ns;
    serial_ns -= other.serial_ns;
    share -= other.share;
    weighted -= other.weighted;
    return *this;
  }
  friend SharedTime operator+(SharedTime a, const SharedTime& b) { return a += b; }
  friend SharedTime operator-(SharedTime a, const SharedTime& b) { return a -= b; }
  double parallelism() const { return ns > 0 ? weighted.as_double() / static_cast<double>(ns) : 0; }
};

// Integers whose sum is `total`, which differs from the sum of the shares by less than one: each is its share rounded
// down, or up where most would be lost. So each is within a nanosecond of its share.
std::vector<std::uint64_t> whole_shares(const std::vector<Uint128>& shares, std::uint64_t total);

}  // namespace evt
#pragma GCC visibility pop
