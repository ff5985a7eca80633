// Cells are exact at every level, whatever memory they had: compared with an array of single ns.
#include "libtrace-view/cells/state_cells.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

namespace evt::view {
namespace {

struct Interval {
  std::uint32_t row;
  CellState state;
  std::int64_t from_ns;
  std::int64_t to_ns;
};

// Rows that change between states and nothing, from before the session's start on.
std::vector<Interval> random_intervals(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Interval> all;
  std::array<std::int64_t, 5> now{};
  now.fill(-300);
  for (int i = 0; i < 1500; ++i) {
    const auto row = static_cast<std::uint32_t>(random() % now.size());
    if (random() % 4 == 0) now[row] += static_cast<std::int64_t>(random() % 40);
    const auto ns = static_cast<std::int64_t>(random() % (random() % 8 == 0 ? 400 : 12));
    all.push_back({row, static_cast<CellState>(random() % 5), now[row], now[row] + ns});
    now[row] += ns;
  }
  return all;
}

using Sums = std::map<std::pair<std::int64_t, unsigned>, std::uint64_t>;  // by column and state

Sums counted(const std::vector<Interval>& all, std::uint32_t row, unsigned level) {
  Sums sums;
  for (const Interval& each : all) {
    for (std::int64_t ns = each.from_ns; each.row == row && ns < each.to_ns; ++ns) ++sums[{ns >> level, each.state}];
  }
  return sums;
}

Sums sums_of(const std::vector<Cell>& cells, unsigned level) {
  Sums sums;
  for (const Cell& cell : cells) {
    for (std::int64_t column = cell.column(); column < cell.end(); ++column) {
      sums[{column, cell.state()}] += cell.is_run() ? std::uint64_t{1} << level : cell.ns(level);
    }
  }
  return sums;
}

StateCells cells_of(const std::vector<Interval>& all, std::size_t most) {
  StateCells cells(most);
  for (const Interval& each : all) cells.add(each.row, each.state, each.from_ns, each.to_ns);
  return cells;
}

TEST(StateCells, HaveTheNanosecondsOfEachStateInEachColumn) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Interval> all = random_intervals(seed);
    const StateCells cells = cells_of(all, 700);
    for (unsigned level = cells.level(); level < cells.level() + 8; ++level) {
      for (std::uint32_t row = 0; row < cells.rows(); ++row) {
        EXPECT_EQ(sums_of(cells.cells(row, level, INT64_MIN, INT64_MAX), level), counted(all, row, level))
            << "seed " << seed << ", level " << level << ", row " << row;
      }
    }
  }
}

TEST(StateCells, AreTheSameWhateverMemoryTheyHad) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Interval> all = random_intervals(seed);
    const StateCells few = cells_of(all, 100);
    const StateCells many = cells_of(all, 100'000);
    ASSERT_GT(few.level(), many.level());
    for (std::uint32_t row = 0; row < few.rows(); ++row) {
      EXPECT_EQ(few.cells(row, few.level() + 1, INT64_MIN, INT64_MAX),
                many.cells(row, few.level() + 1, INT64_MIN, INT64_MAX));
    }
  }
}

TEST(StateCells, OfALevelAreSumsOfTheLevelBelow) {
  const StateCells cells = cells_of(random_intervals(7), 1000);
  const StateCells by_four = cells.coarser(cells.level() + 4);
  for (std::uint32_t row = 0; row < cells.rows(); ++row) {
    EXPECT_EQ(by_four.cells(row, by_four.level() + 1, INT64_MIN, INT64_MAX),
              cells.cells(row, by_four.level() + 1, INT64_MIN, INT64_MAX));
  }
}

TEST(StateCells, OfSomeColumnsAreThoseOfAllThatAreThere) {
  const std::vector<Interval> all = random_intervals(3);
  const StateCells cells = cells_of(all, 1000);
  const unsigned level = cells.level() + 2;
  for (std::int64_t first = -20; first < 40; first += 7) {
    Sums wanted = counted(all, 2, level);
    std::erase_if(wanted, [&](const auto& sum) { return sum.first.first < first || sum.first.first >= first + 9; });
    EXPECT_EQ(sums_of(cells.cells(2, level, first, first + 9), level), wanted) << first;
  }
}

TEST(StateCells, OfOneStateAreOneRun) {
  StateCells cells(1000);
  for (std::int64_t ns = 0; ns < 4096; ns += 3) cells.add(0, 2, ns, std::min<std::int64_t>(ns + 3, 4096));
  const std::vector<Cell> found = cells.cells(0, 0, INT64_MIN, INT64_MAX);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].column(), 0);
  EXPECT_EQ(found[0].end(), 4096);
  EXPECT_EQ(found[0].ns(0), 4096u);
}

TEST(StateCells, DoNotGrowWithTheTrace) {
  StateCells cells(1000, 10);
  for (std::int64_t ns = 0; ns < 100'000'000; ns += 1000) {
    cells.add(ns % 7 == 0, static_cast<CellState>(ns / 1000 % 3), ns, ns + 900);
  }
  EXPECT_LE(cells.size(), 1000u);
  EXPECT_GT(cells.size(), 400u);
  std::uint64_t all = 0;
  for (std::uint32_t row = 0; row < 2; ++row) {
    for (const Cell& cell : cells.cells(row, cells.level(), INT64_MIN, INT64_MAX)) all += cell.ns(cells.level());
  }
  EXPECT_EQ(all, 90'000'000u);
}

TEST(StateCells, OfMoreRowsThanCellsStayFineEnough) {
  StateCells cells(10, 10);
  for (std::uint32_t row = 0; row < 1000; ++row) cells.add(row, 1, row * 1000, row * 1000 + 1'000'000);
  EXPECT_EQ(cells.level(), 10u);
}

TEST(StateCells, HaveTimesUpToTheEndsOfTheirRange) {
  StateCells cells(1000);
  cells.add(0, 1, INT64_MIN, INT64_MIN + 5);
  cells.add(0, 2, INT64_MAX - 5, INT64_MAX);
  std::uint64_t all = 0;
  for (const Cell& cell : cells.cells(0, 3, INT64_MIN, INT64_MAX)) all += cell.ns(3);
  EXPECT_EQ(all, 10u);
}

}  // namespace
}  // namespace evt::view
