// The same of all rows, in memory that does not grow with the trace: the columns of all of them become twice as wide
// whenever there are more cells than it holds: `most`, or 128 a row if these are more.
#pragma once

#include "row_cells.h"

namespace evt::view {

class StateCells {
 public:
  // Columns are 2^`level` ns wide at first.
  explicit StateCells(std::size_t most, unsigned level = 0) : most_(most), level_(level) {}

  // REQUIRES: state < kCellStates; of each row from_ns is not before the to_ns of the call before.
  void add(std::uint32_t row, CellState state, std::int64_t from_ns, std::int64_t to_ns);

  unsigned level() const { return level_; }
  std::size_t size() const { return size_; }  // cells
  std::uint32_t rows() const { return static_cast<std::uint32_t>(rows_.size()); }
  // Of the columns [first, end) of `level`. REQUIRES: level() <= level <= kMaxCellLevel.
  std::vector<Cell> cells(std::uint32_t row, unsigned level, std::int64_t first, std::int64_t end) const;
  // All rows at this level. REQUIRES: as cells().
  StateCells coarser(unsigned level) const;

 private:
  void double_columns();

  std::size_t most_;
  unsigned level_;
  std::size_t size_ = 0;
  std::vector<RowCells> rows_;
  RowCells scratch_;
};

}  // namespace evt::view
