// A walk over the rows of a ring, which may be half written or forged.
#pragma once

#include "format-spec/src/row/row_reader.h"
#include "ring_layout.h"

namespace evt {

struct RingWalk {
  std::uint64_t base;
  std::uint64_t latest_possible = UINT64_MAX;
  std::uint64_t first_ticks = UINT64_MAX;  // of rows that are not later than possible
  std::uint64_t last_ticks = 0;
  std::uint64_t recorded[ring::kCauses] = {};
  bool unsorted = false;

  explicit RingWalk(std::uint64_t from) : base(from) {}
  std::uint64_t recorded_total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : recorded) sum += count;
    return sum;
  }

  // Over `rows` rows; how many bytes they have, or SIZE_MAX when they are not rows.
  std::size_t over(const std::uint8_t* bytes, std::size_t size, std::uint32_t rows) {
    RowReader reader(bytes, size, base);
    for (; rows > 0; --rows) {
      const RowView* const row = reader.next();
      if (row == nullptr || !take(*row)) return SIZE_MAX;
    }
    base = reader.base();
    return size - reader.left();
  }

 private:
  bool take(const RowView& row) {
    if (row.type == EVT_ROW_TIME_BASE) return row.is_time_base();
    unsorted |= row.ticks < last_ticks;
    if (row.ticks <= latest_possible) {
      first_ticks = row.ticks < first_ticks ? row.ticks : first_ticks;
      last_ticks = row.ticks > last_ticks ? row.ticks : last_ticks;
    }
    if (row.type != EVT_ROW_LOST) return true;
    if (!row.is_lost()) return false;
    recorded[row.lost_cause() < EVT_LOST_CAUSES ? row.lost_cause() : 0] += row.lost_count();
    return true;
  }
};

}  // namespace evt
