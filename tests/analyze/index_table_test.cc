// Tables of numbers that a file chooses.
#include "libtrace-read/analyze/src/index_table.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "libtrace-read/analyze/src/flat_map.h"

namespace evt::testing {
namespace {

// 2^64 over the golden ratio, as a factor, brings each product of the one that undoes it to a small number.
constexpr std::uint64_t kUsualFactor = 0x9E3779B97F4A7C15;

constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t by = odd;
  for (int i = 0; i < 6; ++i) by *= 2 - odd * by;
  return by;
}
static_assert(kUsualFactor * inverse(kUsualFactor) == 1);

TEST(IndexTable, KnowsWhatItWasGiven) {
  IndexTable table;
  EXPECT_EQ(table.index(7, 0, 0), 0U);
  EXPECT_EQ(table.index(7, 1, 1), 1U);
  EXPECT_EQ(table.index(7, 0, 2), 0U);
  EXPECT_EQ(table.index(8, 0, IndexTable::kNone), IndexTable::kNone);
  EXPECT_FALSE(table.has(8, 0));
  EXPECT_TRUE(table.has(7, 1));
}

TEST(IndexTable, KnowsSmallAndLargeNumbers) {
  IndexTable table;
  std::uint32_t next = 0;
  for (const std::uint64_t first : {0ULL, 63ULL, 64ULL, 65535ULL, 65536ULL, ~0ULL}) {
    for (const std::uint32_t second : {5U, 0U, ~0U}) {
      EXPECT_FALSE(table.has(first, second));
      EXPECT_EQ(table.index(first, second, next), next);
      ++next;
    }
  }
  std::uint32_t index = 0;
  for (const std::uint64_t first : {0ULL, 63ULL, 64ULL, 65535ULL, 65536ULL, ~0ULL}) {
    for (const std::uint32_t second : {5U, 0U, ~0U}) {
      EXPECT_EQ(table.index(first, second, IndexTable::kNone), index);
      EXPECT_TRUE(table.has(first, second));
      table.move(first, second, index + 100);
      EXPECT_EQ(table.index(first, second, IndexTable::kNone), index + 100);
      ++index;
    }
  }
  EXPECT_EQ(table.known(64, 5), 106U);
  EXPECT_EQ(table.known(65, 5), IndexTable::kNone);
  EXPECT_EQ(table.known(64, ~0U), IndexTable::kNone);
}

// Rows and columns of its array are added in turn, until it is as large as it may be.
TEST(IndexTable, KnowsNearAndFarPairs) {
  const std::vector<std::uint32_t> numbers = {0, 1, 2, 63, 64, 1000, 65535, 65536, 1 << 20, IndexTable::kNone};
  IndexTable table;
  std::uint32_t next = 0;
  for (std::size_t most = 1; most <= numbers.size(); ++most) {
    for (std::size_t first = 0; first < most; ++first) {
      for (std::size_t second = 0; second < most; ++second) {
        if (first + 1 < most && second + 1 < most) continue;
        EXPECT_EQ(table.index(numbers[first], numbers[second], IndexTable::kNone), IndexTable::kNone);
        EXPECT_EQ(table.index(numbers[first], numbers[second], next), next);
        ++next;
      }
    }
  }
  EXPECT_EQ(next, numbers.size() * numbers.size());
  std::set<std::uint32_t> indexes;
  for (const std::uint32_t first : numbers) {
    for (const std::uint32_t second : numbers) indexes.insert(table.index(first, second, IndexTable::kNone));
  }
  EXPECT_EQ(indexes.size(), next);
  EXPECT_EQ(*indexes.rbegin(), next - 1);
}

// With a factor that is known, the time for these would grow by the square of their number: minutes.
TEST(IndexTable, IsAsFastForNumbersThatWereChosen) {
  constexpr std::uint32_t kCount = 300'000;
  IndexTable table;
  FlatMap<std::uint32_t> map;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    table.index(i * inverse(kUsualFactor), 0, i);
    map[i * inverse(kUsualFactor)] = i;
  }
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(table.index(i * inverse(kUsualFactor), 0, IndexTable::kNone), i);
    ASSERT_EQ(*map.find(i * inverse(kUsualFactor)), i);
  }
}

}  // namespace
}  // namespace evt::testing
