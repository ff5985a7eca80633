// Sums that 64 bits do not hold, on machines of any width.
#pragma once

#include <cstdint>

namespace evt {

// A whole number, or one of which `low` counts the 2^64th parts.
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

}  // namespace evt
