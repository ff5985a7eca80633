// Numbers of a GHC eventlog, which begin with their highest byte.
#pragma once

#include <cstdint>
#include <cstring>

namespace evt::eventlog {

template <typename Number>
Number load(const std::uint8_t* p) {
  Number number;
  std::memcpy(&number, p, sizeof number);
  if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
    if constexpr (sizeof number == 2) return __builtin_bswap16(number);
    if constexpr (sizeof number == 4) return __builtin_bswap32(number);
    if constexpr (sizeof number == 8) return __builtin_bswap64(number);
  }
  return number;
}

inline std::uint16_t load_u16(const std::uint8_t* p) { return load<std::uint16_t>(p); }
inline std::uint32_t load_u32(const std::uint8_t* p) { return load<std::uint32_t>(p); }
inline std::uint64_t load_u64(const std::uint8_t* p) { return load<std::uint64_t>(p); }

}  // namespace evt::eventlog
