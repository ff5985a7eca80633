// Numbers of 128 bits, on machines of any width.
#pragma once

#include <evt/cpp20.h>

#include <cstdint>

namespace evt {

// An integer, or a number in which `low` counts 2^-64.
struct Uint128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  constexpr Uint128& operator+=(const Uint128& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }
  constexpr Uint128& operator-=(const Uint128& other) {
    high -= other.high + (low < other.low ? 1 : 0);
    low -= other.low;
    return *this;
  }
  friend constexpr Uint128 operator+(Uint128 a, const Uint128& b) { return a += b; }
  friend constexpr Uint128 operator-(Uint128 a, const Uint128& b) { return a -= b; }
  friend bool operator==(const Uint128&, const Uint128&) = default;

  // The value as an integer.
  double as_double() const { return static_cast<double>(high) * 0x1p64 + static_cast<double>(low); }
};

}  // namespace evt
