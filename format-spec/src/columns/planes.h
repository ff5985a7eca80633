// Values <-> their bytes, with each byte of a value in its own plane. Plain loops that compilers vectorise.
#pragma once

#include <evt/little_endian.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "format-spec/src/base/varint.h"

namespace evt::columns {

template <typename T>
T load(const std::uint8_t* p) {
  if constexpr (sizeof(T) == 1) return *p;
  if constexpr (sizeof(T) == 2) return evt_load_u16(p);
  if constexpr (sizeof(T) == 4) return evt_load_u32(p);
  if constexpr (sizeof(T) == 8) return evt_load_u64(p);
}

template <typename T>
void store(std::uint8_t* p, T value) {
  if constexpr (sizeof(T) == 1) *p = value;
  if constexpr (sizeof(T) == 2) evt_store_u16(p, value);
  if constexpr (sizeof(T) == 4) evt_store_u32(p, value);
  if constexpr (sizeof(T) == 8) evt_store_u64(p, value);
}

template <typename T>
void split_plane(const T* values, std::size_t count, std::size_t plane, std::uint8_t* out) {
  const auto shift = static_cast<unsigned>(8 * plane);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(values[i] >> shift);
}

// `planes`: one for each byte of T.
template <typename T>
void join_planes(const std::uint8_t* const* planes, std::size_t count, T* __restrict values) {
  const std::uint8_t* const p0 = planes[0];
  if constexpr (sizeof(T) == 1) {
    std::memcpy(values, p0, count);
  } else if constexpr (sizeof(T) == 2) {
    const std::uint8_t* const p1 = planes[1];
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(p0[i] | p1[i] << 8);
  } else {
    const std::uint8_t *const p1 = planes[1], *const p2 = planes[2], *const p3 = planes[3];
    const auto low = [&](std::size_t i) {
      return std::uint32_t{p0[i]} | std::uint32_t{p1[i]} << 8 | std::uint32_t{p2[i]} << 16 | std::uint32_t{p3[i]} << 24;
    };
    if constexpr (sizeof(T) == 4) {
      for (std::size_t i = 0; i < count; ++i) values[i] = low(i);
    } else {
      const std::uint8_t *const p4 = planes[4], *const p5 = planes[5], *const p6 = planes[6], *const p7 = planes[7];
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t high =
            std::uint32_t{p4[i]} | std::uint32_t{p5[i]} << 8 | std::uint32_t{p6[i]} << 16 | std::uint32_t{p7[i]} << 24;
        values[i] = low(i) | std::uint64_t{high} << 32;
      }
    }
  }
}

}  // namespace evt::columns
