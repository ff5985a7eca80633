// One column as a block stores it -> its values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "layout.h"
#include "planes.h"

namespace evt::columns {

// Refers to the block's bytes while it lives.
struct StoredColumn {
  std::uint8_t transform = kNone;
  std::uint8_t mask = 0;
  std::uint64_t first = 0;  // value, with a transform
  std::uint8_t constants[8] = {};
  const std::uint8_t* planes[8] = {};

  // Passes the values to `use`, a chunk at a time, until it returns false.
  template <typename T, typename Use>
  void for_each_chunk(std::uint32_t count, Use use) const;

 private:
  static constexpr std::size_t kChunk = 1024;  // values at a time
  // What a plane that is not stored reads as.
  struct Constants {
    std::uint8_t bytes[8][kChunk];
  };
};

template <typename T, typename Use>
void StoredColumn::for_each_chunk(std::uint32_t count, Use use) const {
  Constants fill;
  T values[kChunk];
  const std::size_t width = std::min<std::size_t>(kChunk, count);
  for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
    if (planes[plane] == nullptr) std::memset(fill.bytes[plane], constants[plane], width);
  }
  std::uint8_t first_bytes[8];
  std::memcpy(first_bytes, &first, sizeof first_bytes);
  T last = load<T>(first_bytes);
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::uint8_t* from[8] = {};
    for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
      const std::uint8_t* const stored = planes[plane];
      from[plane] = stored != nullptr ? stored + begin : fill.bytes[plane];
    }
    const std::size_t chunk = std::min<std::size_t>(kChunk, count - begin);
    join_planes<T>(from, chunk, values);
    if (transform == kDelta) {
      if (begin == 0) values[0] = 0;
      for (std::size_t i = 0; i < chunk; ++i) values[i] = last = static_cast<T>(last + unfold(values[i]));
    }
    if (!use(values, chunk)) return;
  }
}

}  // namespace evt::columns
