// The values of a column, so many at a time.
#pragma once

#include <algorithm>
#include <cstring>

#include "decoder.h"
#include "planes.h"

namespace evt::columns {

constexpr std::size_t kChunk = 1024;  // values at a time

// What a plane that is not stored reads as.
struct Constants {
  std::uint8_t bytes[8][kChunk];
};

// Hands the values to `use`, so many at a time, until it says no.
template <typename T, typename Use>
void Decoder::for_each_chunk(const Column& column, std::uint32_t count, Use use) {
  Constants constants;
  T values[kChunk];
  const std::size_t width = std::min<std::size_t>(kChunk, count);
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (column.planes[plane] == nullptr) std::memset(constants.bytes[plane], column.constants[plane], width);
  }
  std::uint8_t first[8];
  std::memcpy(first, &column.first, sizeof first);
  T last = load<T>(first);
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::uint8_t* planes[8] = {};
    for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
      const std::uint8_t* const stored = column.planes[plane];
      planes[plane] = stored != nullptr ? stored + begin : constants.bytes[plane];
    }
    const std::size_t chunk = std::min<std::size_t>(kChunk, count - begin);
    join_planes<T>(planes, chunk, values);
    if (column.transform == kDelta) {
      if (begin == 0) values[0] = 0;
      for (std::size_t i = 0; i < chunk; ++i) values[i] = last = static_cast<T>(last + unfold(values[i]));
    }
    if (!use(values, chunk)) return;
  }
}

}  // namespace evt::columns
