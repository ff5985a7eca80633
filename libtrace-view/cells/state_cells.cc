#include "state_cells.h"

#include <algorithm>

namespace evt::view {
namespace {

// As many as a row may have at the coarsest level: wider columns would not be fewer cells.
constexpr std::size_t kMinCellsOfRow = 2 * kCellStates;

// The same time in columns of another level, all of them if there are that many.
std::int64_t widened(std::int64_t column, unsigned by) {
  const std::int64_t most = INT64_MAX >> by;
  if (column > most) return INT64_MAX;
  return column < -most ? INT64_MIN : static_cast<std::int64_t>(static_cast<std::uint64_t>(column) << by);
}

}  // namespace

void StateCells::add(std::uint32_t row, CellState state, std::int64_t from_ns, std::int64_t to_ns) {
  if (row >= rows_.size()) rows_.resize(std::size_t{row} + 1);
  const std::size_t before = rows_[row].size();
  rows_[row].add(level_, state, from_ns, to_ns);
  size_ += rows_[row].size() - before;
  while (size_ > std::max(most_, rows_.size() * kMinCellsOfRow) && level_ < kMaxCellLevel) double_columns();
}

// In place: pages of new memory cost as much as the cells.
void StateCells::double_columns() {
  size_ = 0;
  for (RowCells& row : rows_) {
    scratch_.clear();
    scratch_.add_coarser(row, level_, 1);
    row.assign(scratch_);
    size_ += row.size();
  }
  ++level_;
}

std::vector<Cell> StateCells::cells(std::uint32_t row, unsigned level, std::int64_t first, std::int64_t end) const {
  if (row >= rows_.size()) return {};
  const unsigned by = level - level_;
  RowCells sum;
  sum.add_coarser(rows_[row], level_, by, widened(first, by), widened(end, by));
  return sum.all();
}

StateCells StateCells::coarser(unsigned level) const {
  StateCells sum(SIZE_MAX, level);
  sum.rows_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    sum.rows_[i].add_coarser(rows_[i], level_, level - level_);
    sum.size_ += sum.rows_[i].size();
  }
  return sum;
}

}  // namespace evt::view
