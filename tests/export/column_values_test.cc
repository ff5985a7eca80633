// Values of a column, beside a model that keeps each row by itself.
#include <evt/export/table.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace evt::testing {
namespace {

TEST(ColumnValues, OfTextsOfWhichFewDifferHaveEachOnceInTheOrderOfRows) {
  Column words;
  words.kind = ColumnKind::kText;
  words.is_dictionary = true;
  ColumnValues values(words);
  std::string text;  // the same place in memory for all of them
  std::vector<std::string> rows;
  for (unsigned i = 0; i < 3000; ++i) {
    text = fmt::format("{}", i * 7 % 600);
    rows.push_back(text);
    values.add_text(text);
    values.add_text(rows.front());
  }
  ASSERT_EQ(values.dictionary().size(), 600u);
  std::vector<std::string> in_order;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(values.text(2 * i), rows[i]) << i;
    EXPECT_EQ(values.text(2 * i + 1), "0") << i;
    if (seen.insert(rows[i]).second) in_order.push_back(rows[i]);
  }
  for (std::size_t i = 0; i < in_order.size(); ++i) EXPECT_EQ(values.dictionary().text(i), in_order[i]) << i;
}

TEST(ColumnValues, KnowWhichRowsAreNullWhereverTheFirstIs) {
  for (unsigned first = 0; first < 20; ++first) {
    ColumnValues values{Column()};
    values.reserve(first);
    std::vector<std::optional<std::uint64_t>> rows;
    for (unsigned row = 0; row < 40; ++row) {
      const bool is_null = row >= first && (row - first) % 3 == 0;
      rows.push_back(is_null ? std::nullopt : std::optional<std::uint64_t>(row));
      if (is_null) {
        values.add_null();
      } else {
        values.add_unsigned(row);
      }
    }
    ASSERT_EQ(values.size(), rows.size());
    ASSERT_EQ(values.valid().size(), 5u);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(values.is_null(row), !rows[row]) << first << " " << row;
      EXPECT_EQ((values.valid()[row / 8] >> row % 8 & 1) != 0, rows[row].has_value()) << first << " " << row;
      EXPECT_EQ(values.number(row), rows[row].value_or(0)) << first << " " << row;
    }
  }
}

}  // namespace
}  // namespace evt::testing
