// What a run of rows contains. FORMAT.md, section 7.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format-spec/src/block/index_entries.h"

namespace evt {

struct RowStats {
  std::uint64_t first_ticks = UINT64_MAX;  // of rows that are not later than the bound
  std::uint64_t last_ticks = 0;
  std::uint64_t events = 0;
  std::uint64_t lost = 0;  // that LOST rows tell of
  std::uint64_t base = 0;  // what a row behind them counts from
  bool unsorted = false;
  bool passes_bound = false;  // some row is later than the bound
};

// One walk over finished rows of our own. `bound`: the latest time that a row can have had. `counts`: adds their types
// up there, unless null.
RowStats walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, std::uint64_t bound,
              TypeCounts* counts);
// The times anew, by another bound.
void time_rows(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, std::uint64_t bound,
               RowStats* facts);

}  // namespace evt
