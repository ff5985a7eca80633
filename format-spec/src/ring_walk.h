// A walk over the rows of a ring, which may be torn or worse.
#pragma once

#include <evt/little_endian.h>

#include "ring_layout.h"

namespace evt {

struct RingWalk {
  std::uint64_t base;
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
  std::uint64_t told[ring::kCauses] = {};
  bool unsorted = false;

  explicit RingWalk(std::uint64_t from) : base(from) {}
  std::uint64_t told_total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : told) sum += count;
    return sum;
  }

  // Over `rows` rows; how many bytes they have, or SIZE_MAX when they are not rows.
  std::size_t over(const std::uint8_t* bytes, std::size_t size, std::uint32_t rows) {
    std::size_t at = 0;
    for (; rows > 0; --rows) {
      if (size - at < EVT_ROW_HEADER_SIZE) return SIZE_MAX;
      const std::uint64_t head = evt_load_u64(bytes + at);
      auto row_size = static_cast<std::size_t>(head >> 48);
      if (row_size == 0 && size - at >= EVT_BIG_ROW_HEADER_SIZE) row_size = evt_load_u32(bytes + at + 8);
      if (row_size < EVT_ROW_HEADER_SIZE || row_size > size - at) return SIZE_MAX;
      if (!take(bytes + at, head, row_size)) return SIZE_MAX;
      at += row_size;
    }
    return at;
  }

 private:
  bool take(const std::uint8_t* row, std::uint64_t head, std::size_t size) {
    const auto type = static_cast<std::uint16_t>(head >> 32);
    if (type == EVT_ROW_TIME_BASE) {
      if (size < EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD) return false;
      base = evt_load_u64(row + EVT_ROW_HEADER_SIZE);
      return true;
    }
    const std::uint64_t ticks = base + (head & 0xFFFFFFFF);
    unsorted |= ticks < last_ticks;
    first_ticks = ticks < first_ticks ? ticks : first_ticks;
    last_ticks = ticks > last_ticks ? ticks : last_ticks;
    if (type != EVT_ROW_LOST) return true;
    if (size < EVT_ROW_HEADER_SIZE + EVT_LOST_PAYLOAD) return false;
    const std::uint16_t cause = evt_load_u16(row + EVT_ROW_HEADER_SIZE + 8);
    told[cause < EVT_LOST_CAUSES ? cause : 0] += evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    return true;
  }
};

}  // namespace evt
