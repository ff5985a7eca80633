// Times of rows: what their stamps state, where that is possible (FORMAT.md, section 9).
#pragma once

#include <algorithm>
#include <cstdint>

#include "block_header.h"

namespace evt {

// For rows of one block and stream, called in their order. A stamp after the block's bound is wrong; its row was
// recorded between its neighbours, and gets the time of the one before it.
class RowTimes {
 public:
  RowTimes() = default;
  explicit RowTimes(const EventsHeader& rows)
      : latest_possible_(rows.latest_possible()), before_(std::min(rows.first_ticks, latest_possible_)) {}

  bool is_possible(std::uint64_t stamp) const { return stamp <= latest_possible_; }
  std::uint64_t latest_possible() const { return latest_possible_; }
  // The time of the next row, unless it is a TIME_BASE.
  std::uint64_t of(std::uint64_t stamp) const { return is_possible(stamp) ? stamp : before_; }
  // The next row comes after one that has this time.
  void step_over(std::uint64_t ticks) { before_ = ticks; }

 private:
  std::uint64_t latest_possible_ = UINT64_MAX;
  std::uint64_t before_ = 0;
};

}  // namespace evt
