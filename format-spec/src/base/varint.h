// Numbers in as few bytes as they need, and differences as small numbers. Pure; uses no C++ runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace evt {

// A number of 1 to 10 bytes, seven bits in each, the lowest first; all but the last have their highest bit set.
constexpr std::size_t kMaxNumber = 10;

// Returns the place after it.
inline std::uint8_t* store_number(std::uint8_t* out, std::uint64_t value) {
  for (; value > 0x7F; value >>= 7) *out++ = static_cast<std::uint8_t>(value | 0x80);
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

// Returns the place after it; null if there is no number of 64 bits before `end`.
inline const std::uint8_t* load_number(const std::uint8_t* p, const std::uint8_t* end, std::uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
    const std::uint8_t byte = *p++;
    if (shift == 63 && byte > 1) return nullptr;
    *value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte <= 0x7F) return p;
  }
  return nullptr;
}

// A difference with its sign in the lowest bit, so that small ones of either sign are small.
template <typename T>
constexpr T fold(T difference) {
  using Signed = std::make_signed_t<T>;
  return static_cast<T>(static_cast<T>(difference << 1) ^
                        static_cast<T>(static_cast<Signed>(difference) >> (sizeof(T) * 8 - 1)));
}
template <typename T>
constexpr T unfold(T folded) {
  return static_cast<T>(static_cast<T>(folded >> 1) ^ static_cast<T>(T{0} - static_cast<T>(folded & 1)));
}

}  // namespace evt
