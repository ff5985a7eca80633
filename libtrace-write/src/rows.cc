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

namespace {

// Of rows that stand together.
void note_times(RowFacts* facts, std::uint64_t first, std::uint64_t last, bool unsorted) {
  facts->unsorted |= unsorted || first < facts->last_ticks;
  if (first < facts->first_ticks) facts->first_ticks = first;
  if (last > facts->last_ticks) facts->last_ticks = last;
}

// The rows come from another core's cache, and where the next one is stands in the one before: what the walk will need
// is asked for so many bytes early.
constexpr std::size_t kAhead = 1024;

template <bool kCount>
RowFacts walk_rows(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, TypeCounts* counts) {
  RowFacts facts;
  while (row < end) {
    // Rows of events that count from one base; their order shows in what they count.
    std::uint32_t lowest = UINT32_MAX;
    std::uint32_t highest = 0;
    bool steps_back = false;
    std::uint64_t head = 0;
    const std::uint8_t* const first = row;
    for (; row < end; row += head >> 48) {
      __builtin_prefetch(row + kAhead);
      head = evt_load_u64(row);
      const auto type = static_cast<std::uint16_t>(head >> 32);
      if (type >= EVT_TYPE_FIRST_RESERVED || head >> 48 == 0) break;
      if constexpr (kCount) counts->count(type);
      const auto delta = static_cast<std::uint32_t>(head);
      steps_back |= delta < highest;
      highest = delta > highest ? delta : highest;
      lowest = delta < lowest ? delta : lowest;
      ++facts.events;
    }
    if (row != first) note_times(&facts, base + lowest, base + highest, steps_back);
    if (row >= end) break;

    const auto type = static_cast<std::uint16_t>(head >> 32);
    if constexpr (kCount) counts->count(type);
    if (type == EVT_ROW_TIME_BASE) {
      base = evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    } else {
      const std::uint64_t ticks = base + static_cast<std::uint32_t>(head);
      note_times(&facts, ticks, ticks, false);
      facts.events += type < EVT_TYPE_FIRST_RESERVED || type == EVT_ROW_WIDE ? 1 : 0;
      if (type == EVT_ROW_LOST) facts.lost += evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    }
    row += head >> 48 != 0 ? head >> 48 : evt_load_u32(row + EVT_ROW_HEADER_SIZE);
  }
  if (facts.first_ticks > facts.last_ticks) facts.first_ticks = facts.last_ticks = base;
  facts.base = base;
  return facts;
}

}  // namespace

RowFacts walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, TypeCounts* counts) {
  return counts != nullptr ? walk_rows<true>(row, end, base, counts) : walk_rows<false>(row, end, base, nullptr);
}

}  // namespace evt
