// Time that several share, exactly.
#pragma once

#include <evt/cpp20.h>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// A sum that 64 bits do not hold, on machines of any width: a whole number, or one of which `low` counts the 2^64th
// parts.
struct Sum128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  Sum128& operator+=(const Sum128& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }
  Sum128& operator-=(const Sum128& other) {
    high -= other.high + (low < other.low ? 1 : 0);
    low -= other.low;
    return *this;
  }
  friend Sum128 operator+(Sum128 a, const Sum128& b) { return a += b; }
  friend Sum128 operator-(Sum128 a, const Sum128& b) { return a -= b; }
  friend bool operator==(const Sum128&, const Sum128&) = default;

  // As a whole number.
  double as_double() const { return static_cast<double>(high) * 0x1p64 + static_cast<double>(low); }
};

// What somebody had of the time, or what there was of it until a moment.
struct SharedTime {
  std::uint64_t ns = 0;         // not divided
  std::uint64_t serial_ns = 0;  // of them: no other member was active
  Sum128 share;                 // each moment divided by how many were active; 2^64ths of a nanosecond
  Sum128 weighted;              // each nanosecond times how many were active

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

// Whole numbers whose sum is `total`, which is that of the shares but for less than one: each is its share rounded
// down, or up for those of which most would be lost. So each is within a nanosecond of its share.
std::vector<std::uint64_t> whole_shares(const std::vector<Sum128>& shares, std::uint64_t total);

}  // namespace evt
#pragma GCC visibility pop
