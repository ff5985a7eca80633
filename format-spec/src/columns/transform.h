// Whether a column takes less space as it is or as differences, by a look at a sample.
#pragma once

#include <cstddef>
#include <cstdint>

#include "planes.h"

namespace evt::columns {

constexpr std::size_t kSample = 128;

// n * log2(n) in 256ths: what n equal bytes among others save an entropy coder.
struct LogTable {
  std::uint32_t of[kSample + 1];
  constexpr LogTable() : of() {
    for (std::uint32_t n = 1; n <= kSample; ++n) {
      // log2 by squaring: each square that reaches 2 is one more bit of it.
      std::uint32_t whole = 0;
      while (n >> whole > 1) ++whole;
      std::uint64_t part = (std::uint64_t{n} << 31) >> whole;  // from 1 to 2, in 2^31sts
      std::uint32_t log = whole;
      for (int bit = 0; bit < 8; ++bit) {
        part = part * part >> 31;
        log = log << 1 | static_cast<std::uint32_t>(part >> 32);
        part >>= part >> 32;
      }
      of[n] = n * log;
    }
  }
};
inline constexpr LogTable kLogs;

// The entropy of the bytes of `count` values, each plane for itself, in 256ths of a bit.
template <typename T>
std::uint32_t entropy(const T* values, std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    std::uint8_t times[256] = {};
    std::uint32_t saved = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t& n = times[static_cast<std::uint8_t>(values[i] >> (8 * plane))];
      ++n;
      saved += kLogs.of[n] - kLogs.of[n - 1];
    }
    bits += kLogs.of[count] - saved;
  }
  return bits;
}

// Differences must be a tenth better: what is left as it is repeats as it is.
template <typename T>
bool difference_pays(const T* values, std::size_t count) {
  if (count < 16) return false;
  const std::size_t sampled = count - 1 < kSample ? count - 1 : kSample;
  const T* const sample = values + (count - sampled) / 2;
  T differences[kSample];
  const T* before = sample == values ? values : sample - 1;
  for (std::size_t i = 0; i < sampled; ++i) {
    differences[i] = fold(static_cast<T>(sample[i] - *before));
    before = sample + i;
  }
  const std::uint32_t as_it_is = entropy(sample, sampled);
  return entropy(differences, sampled) + 8 * 256 < as_it_is - as_it_is / 10;
}

}  // namespace evt::columns
