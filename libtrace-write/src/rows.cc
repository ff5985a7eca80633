#include "rows.h"

#include <evt/little_endian.h>

namespace evt {

void store_time_base(std::uint8_t* row, std::uint64_t ticks, std::uint32_t flags) {
  evt_store_u64(row, std::uint64_t{EVT_ROW_TIME_BASE} << 32 | std::uint64_t{kTimeBaseRow} << 48);
  evt_store_u64(row + EVT_ROW_HEADER_SIZE, ticks);
  evt_store_u32(row + EVT_ROW_HEADER_SIZE + 8, flags);
}

void store_lost(std::uint8_t* row, std::uint64_t delta, std::uint16_t cause, std::uint64_t count) {
  evt_store_u64(row, delta | std::uint64_t{EVT_ROW_LOST} << 32 | std::uint64_t{kLostRow} << 48);
  evt_store_u64(row + EVT_ROW_HEADER_SIZE, count);
  evt_store_u16(row + EVT_ROW_HEADER_SIZE + 8, cause);
}

RowFacts walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base) {
  RowFacts facts;
  while (row < end) {
    const std::uint64_t head = evt_load_u64(row);
    const auto type = static_cast<std::uint16_t>(head >> 32);
    const auto short_size = static_cast<std::uint16_t>(head >> 48);
    if (type == EVT_ROW_TIME_BASE) {
      base = evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    } else {
      const std::uint64_t ticks = base + (head & 0xFFFFFFFF);
      facts.unsorted |= ticks < facts.last_ticks;
      facts.first_ticks = ticks < facts.first_ticks ? ticks : facts.first_ticks;
      facts.last_ticks = ticks > facts.last_ticks ? ticks : facts.last_ticks;
      facts.events += type < EVT_TYPE_FIRST_RESERVED || type == EVT_ROW_WIDE ? 1 : 0;
      if (type == EVT_ROW_LOST) facts.lost += evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    }
    row += short_size != 0 ? short_size : evt_load_u32(row + EVT_ROW_HEADER_SIZE);
  }
  if (facts.first_ticks > facts.last_ticks) facts.first_ticks = facts.last_ticks = base;
  facts.base = base;
  return facts;
}

}  // namespace evt
