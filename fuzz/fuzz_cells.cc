// Any intervals of any rows: cells have each nanosecond once, whatever memory they had.
#include <cstdint>
#include <cstdlib>
#include <map>

#include "libtrace-view/cells/state_cells.h"

namespace {

using evt::view::Cell;
using evt::view::CellState;
using evt::view::StateCells;

void require(bool holds) {
  if (!holds) std::abort();
}

// Columns are in order, those of one row and state once, and none has more than it is wide.
std::uint64_t checked_sum(const std::vector<Cell>& cells, unsigned level) {
  std::uint64_t sum = 0;
  std::map<std::int64_t, std::uint64_t> columns;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_next = i == 0 || cells[i - 1].end() <= cells[i].column() ||
                         (cells[i - 1].column() == cells[i].column() && cells[i - 1].state() < cells[i].state());
    require(is_next);
    if (!cells[i].is_run()) require((columns[cells[i].column()] += cells[i].ns(level)) <= std::uint64_t{1} << level);
    sum += cells[i].ns(level);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr std::uint32_t kRows = 4;
  StateCells few(1 + data[0]);
  StateCells many(1'000'000);
  std::int64_t now[kRows] = {};
  std::uint64_t sums[kRows] = {};
  for (std::int64_t& ns : now) ns = -std::int64_t{data[1]} * 16;
  for (std::size_t i = 2; i + 3 <= size && i < 3'000; i += 3) {
    const std::uint32_t row = data[i] % kRows;
    const auto state = static_cast<CellState>(data[i] / kRows);
    const std::int64_t gap = data[i + 1] < 128 ? 0 : std::int64_t{data[i + 1]} - 128;
    const std::int64_t length = std::int64_t{data[i + 2]} << (data[i + 1] % 8);
    now[row] += gap;
    for (StateCells* const cells : {&few, &many}) cells->add(row, state, now[row], now[row] + length);
    now[row] += length;
    sums[row] += static_cast<std::uint64_t>(length);
  }
  require(few.size() <= std::max<std::size_t>(1 + data[0], 128 * kRows));
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (const unsigned level : {few.level(), few.level() + 3}) {
      const std::vector<Cell> cells = few.cells(row, level, INT64_MIN, INT64_MAX);
      require(cells == many.cells(row, level, INT64_MIN, INT64_MAX));
      require(checked_sum(cells, level) == sums[row]);
      // Those of a part are those of the whole that begin there, runs cut at its ends.
      std::uint64_t parts = 0;
      const std::int64_t middle = now[row] >> level;
      for (const auto& [first, end] : {std::pair(INT64_MIN, middle / 2), std::pair(middle / 2, INT64_MAX)}) {
        parts += checked_sum(few.cells(row, level, first, end), level);
      }
      require(parts == sums[row]);
    }
  }
  return 0;
}
