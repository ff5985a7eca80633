// How long one row was in each of its states, in columns of 2^level ns: column k is [k * 2^level, (k + 1) * 2^level).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt::view {

// A state of a row; time that is in no cell is in none.
using CellState = std::uint8_t;
inline constexpr unsigned kCellStates = 64;
inline constexpr unsigned kMaxCellLevel = 55;

// Columns wholly in one state, or a part of one column. 16 bytes: 8 hold no level above 25 exactly.
class Cell {
 public:
  static Cell run(std::int64_t column, CellState state, std::uint64_t columns) {
    return {column, kRun, state, columns};
  }
  // REQUIRES: it is not all of the column.
  static Cell part(std::int64_t column, CellState state, std::uint64_t ns) { return {column, 0, state, ns}; }

  std::int64_t column() const { return column_; }  // the first
  std::int64_t end() const { return is_run() ? column_ + static_cast<std::int64_t>(amount()) : column_ + 1; }
  bool is_run() const { return (bits_ & kRun) != 0; }
  CellState state() const { return static_cast<CellState>(bits_ >> kAmountBits & (kCellStates - 1)); }
  // Of its columns.
  std::uint64_t ns(unsigned level) const { return is_run() ? amount() << level : amount(); }
  // More of the same columns, or of a run more columns.
  void extend(std::uint64_t by) { bits_ += by; }
  friend bool operator==(const Cell&, const Cell&) = default;

 private:
  static constexpr unsigned kAmountBits = 57;
  static constexpr std::uint64_t kRun = std::uint64_t{1} << 63;

  Cell(std::int64_t column, std::uint64_t kind, CellState state, std::uint64_t amount)
      : column_(column), bits_(kind | std::uint64_t{state} << kAmountBits | amount) {}
  std::uint64_t amount() const { return bits_ & ((std::uint64_t{1} << kAmountBits) - 1); }

  std::int64_t column_;
  std::uint64_t bits_;  // what it is, the state, and of a run its columns, of a part its ns
};

// In order of columns, the parts of one column in order of states, each state once. What is equal has equal cells, in
// whatever pieces it was added.
class RowCells {
 public:
  // Of one level all the time. REQUIRES: from_ns is not before the to_ns of the call before.
  void add(unsigned level, CellState state, std::int64_t from_ns, std::int64_t to_ns);
  // Adds the columns [first, end) of another row, of `level`, as columns that are 2^by times as wide. REQUIRES: as
  // add().
  void add_coarser(const RowCells& row, unsigned level, unsigned by, std::int64_t first, std::int64_t end);
  void add_coarser(const RowCells& row, unsigned level, unsigned by) {
    add_coarser(row, level, by, INT64_MIN, INT64_MAX);
  }
  // Takes the cells of another, and keeps its own memory.
  void assign(const RowCells& row) { cells_.assign(row.cells_.begin(), row.cells_.end()); }
  void clear() { cells_.clear(); }

  const std::vector<Cell>& all() const { return cells_; }
  std::size_t size() const { return cells_.size(); }

 private:
  void add_part(unsigned level, std::int64_t column, CellState state, std::uint64_t ns);
  void add_run(std::int64_t column, CellState state, std::uint64_t columns);
  void push(const Cell& cell);

  std::vector<Cell> cells_;
};

}  // namespace evt::view
