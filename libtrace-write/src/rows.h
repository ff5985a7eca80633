// Rows that the writer itself makes, and what a run of rows says. FORMAT.md, section 7.
#pragma once

#include <evt/format.h>

#include <cstddef>
#include <cstdint>

#include "format-spec/src/index_entries.h"

namespace evt {

constexpr std::size_t kTimeBaseRow = EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD;
constexpr std::size_t kLostRow = EVT_ROW_HEADER_SIZE + EVT_LOST_PAYLOAD;

void store_time_base(std::uint8_t* row, std::uint64_t ticks, std::uint32_t flags);
// `delta`: ticks since the base.
void store_lost(std::uint8_t* row, std::uint64_t delta, std::uint16_t cause, std::uint64_t count);

struct RowFacts {
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
  std::uint64_t events = 0;
  std::uint64_t lost = 0;  // that LOST rows tell of
  std::uint64_t base = 0;  // what a row behind them counts from
  bool unsorted = false;
};

// One walk over finished rows. They are our own, so nothing is checked. `counts`: adds their types up there, unless
// null.
RowFacts walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, TypeCounts* counts);

}  // namespace evt
