// Products of 128 bits: by the compiler if it has such numbers, by hand on 32-bit machines, for which it has none.
#pragma once

#include <evt/uint128.h>

#include <cstdint>

namespace evt {

struct Division {
  std::uint64_t quotient = 0;
  std::uint64_t remainder = 0;

  friend bool operator==(const Division&, const Division&) = default;
};

// Long multiplication, with digits of 32 bits.
constexpr Uint128 product_by_hand(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kDigit = 0xFFFFFFFF;
  const std::uint64_t low = (a & kDigit) * (b & kDigit);
  const std::uint64_t one = (a >> 32) * (b & kDigit) + (low >> 32);
  const std::uint64_t other = (a & kDigit) * (b >> 32) + (one & kDigit);
  return {(a >> 32) * (b >> 32) + (one >> 32) + (other >> 32), other << 32 | (low & kDigit)};
}

// Bit by bit. REQUIRES: number.high < divisor.
constexpr Division division_by_hand(Uint128 number, std::uint64_t divisor) {
  Division result{0, number.high};
  for (int bit = 63; bit >= 0; --bit) {
    const bool carry = result.remainder >> 63 != 0;
    result.remainder = result.remainder << 1 | (number.low >> bit & 1);
    result.quotient <<= 1;
    if (!carry && result.remainder < divisor) continue;
    result.remainder -= divisor;
    result.quotient |= 1;
  }
  return result;
}

#ifdef __SIZEOF_INT128__
__extension__ using NativeUint128 = unsigned __int128;

constexpr Uint128 product(std::uint64_t a, std::uint64_t b) {
  const NativeUint128 all = static_cast<NativeUint128>(a) * b;
  return {static_cast<std::uint64_t>(all >> 64), static_cast<std::uint64_t>(all)};
}

// REQUIRES: number.high < divisor.
constexpr Division division(Uint128 number, std::uint64_t divisor) {
  const NativeUint128 all = static_cast<NativeUint128>(number.high) << 64 | number.low;
  return {static_cast<std::uint64_t>(all / divisor), static_cast<std::uint64_t>(all % divisor)};
}
#else
constexpr Uint128 product(std::uint64_t a, std::uint64_t b) { return product_by_hand(a, b); }
constexpr Division division(Uint128 number, std::uint64_t divisor) { return division_by_hand(number, divisor); }
#endif

}  // namespace evt
