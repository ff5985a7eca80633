#include "row_cells.h"

#include <algorithm>

namespace evt::view {
namespace {

std::uint64_t distance(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

// Of a level, the first ns of a column; of one behind all others the last that there is.
std::int64_t begin_of(std::int64_t column, unsigned level) {
  return column > INT64_MAX >> level ? INT64_MAX
                                     : static_cast<std::int64_t>(static_cast<std::uint64_t>(column) << level);
}

}  // namespace

void RowCells::add(unsigned level, CellState state, std::int64_t from_ns, std::int64_t to_ns) {
  if (to_ns <= from_ns) return;
  const std::int64_t first = from_ns >> level;  // rounds down, also what is negative
  const std::int64_t last = (to_ns - 1) >> level;
  if (first == last) return add_part(level, first, state, distance(from_ns, to_ns));
  add_part(level, first, state, distance(from_ns, begin_of(first + 1, level)));
  if (last > first + 1) add_run(first + 1, state, distance(first + 1, last));
  add_part(level, last, state, distance(begin_of(last, level), to_ns));
}

void RowCells::add_part(unsigned level, std::int64_t column, CellState state, std::uint64_t ns) {
  auto place = cells_.end();
  while (place != cells_.begin() && (place - 1)->column() == column && (place - 1)->state() >= state) --place;
  const bool is_there = place != cells_.end() && place->state() == state;
  const std::uint64_t all = ns + (is_there ? place->ns(level) : 0);
  if (all == std::uint64_t{1} << level) {
    if (is_there) cells_.erase(place);
    add_run(column, state, 1);
  } else if (is_there) {
    place->extend(ns);
  } else {
    const auto at = place - cells_.begin();
    push(Cell::part(column, state, ns));
    std::rotate(cells_.begin() + at, cells_.end() - 1, cells_.end());
  }
}

void RowCells::add_run(std::int64_t column, CellState state, std::uint64_t columns) {
  const bool goes_on =
      !cells_.empty() && cells_.back().is_run() && cells_.back().state() == state && cells_.back().end() == column;
  goes_on ? cells_.back().extend(columns) : push(Cell::run(column, state, columns));
}

// By a quarter, where a vector doubles: cells are to fill the memory that there is for them.
void RowCells::push(const Cell& cell) {
  if (cells_.size() == cells_.capacity()) cells_.reserve(cells_.size() + cells_.size() / 4 + 16);
  cells_.push_back(cell);
}

void RowCells::add_coarser(const RowCells& row, unsigned level, unsigned by, std::int64_t first, std::int64_t end) {
  const auto is_before = [](const Cell& cell, std::int64_t column) { return cell.end() <= column; };
  for (auto cell = std::lower_bound(row.cells_.begin(), row.cells_.end(), first, is_before);
       cell != row.cells_.end() && cell->column() < end; ++cell) {
    if (cell->is_run()) {
      add(level + by, cell->state(), begin_of(std::max(cell->column(), first), level),
          begin_of(std::min(cell->end(), end), level));
    } else {
      add_part(level + by, cell->column() >> by, cell->state(), cell->ns(level));
    }
  }
}

}  // namespace evt::view
