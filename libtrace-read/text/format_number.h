// Numbers as decimal digits.
#pragma once

#include <evt/little_endian.h>
#include <evt/text/text_buffer.h>

#include <bit>
#include <cstdint>

namespace evt {

// The digits of a number below 10^8 as numbers, one per byte; the first one is the lowest byte.
inline std::uint64_t eight_digits(std::uint32_t number) {
  // Two halves of four digits, then four pairs, then eight digits, each step in one multiplication: by 10486 / 2^20 and
  // 103 / 2^10, which divide numbers below 10^4 by 100, below 100 by 10.
  const std::uint64_t halves = number / 10000 | static_cast<std::uint64_t>(number % 10000) << 32;
  const std::uint64_t hundreds = (halves * 10486 >> 20) & 0x7F'0000'007F;
  const std::uint64_t pairs = hundreds | (halves - 100 * hundreds) << 16;
  const std::uint64_t tens = (pairs * 103 >> 10) & 0x000F'000F'000F'000F;
  return tens | (pairs - 10 * tens) << 8;
}

inline constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030;  // eight of them

// Exactly eight digits, from a number below 10^8.
inline char* write_eight(char* to, std::uint32_t number) {
  evt_store_u64(to, eight_digits(number) | kZeros);
  return to + 8;
}

// Returns the end of the number; writes up to kNumberRoom bytes to `to`.
inline constexpr std::size_t kNumberRoom = 24;
inline char* write_number(char* to, std::uint64_t number) {
  constexpr std::uint64_t kEight = 100'000'000;
  if (number < kEight) {
    const std::uint64_t digits = eight_digits(static_cast<std::uint32_t>(number));
    const int leading = std::countr_zero(digits | std::uint64_t{1} << 56) / 8;  // zeros; the last digit always stays
    evt_store_u64(to, (digits | kZeros) >> (leading * 8));
    return to + 8 - leading;
  }
  return write_eight(write_number(to, number / kEight), static_cast<std::uint32_t>(number % kEight));
}

inline void append_number(TextBuffer& out, std::uint64_t number) {
  out.end_at(write_number(out.room(kNumberRoom), number));
}

inline void append_number(TextBuffer& out, std::int64_t number) {
  char* to = out.room(1 + kNumberRoom);
  auto size = static_cast<std::uint64_t>(number);
  if (number < 0) {
    *to++ = '-';
    size = 0 - size;
  }
  out.end_at(write_number(to, size));
}

// The number times 10^`scale`, in decimal digits without an exponent; exact.
void append_scaled(TextBuffer& out, std::uint64_t size, bool is_negative, int scale);

// The shortest digits that read back as the same number; inf, nan.
void append_float(TextBuffer& out, float number);
void append_float(TextBuffer& out, double number);

inline std::size_t count_digits(std::uint64_t number) {
  std::size_t count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

// A point and the nanoseconds of a second, which are fewer than 10^9.
inline constexpr std::size_t kFractionRoom = 10;
inline char* write_fraction(char* to, std::uint32_t ns) {
  *to++ = '.';
  *to++ = static_cast<char>('0' + ns / 100'000'000);
  return write_eight(to, ns % 100'000'000);
}

}  // namespace evt
