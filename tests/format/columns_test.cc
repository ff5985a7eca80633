// Rows -> columns -> rows: whatever the rows, the same bytes; and columns that are not what they say.
#include <evt/little_endian.h>
#include <gtest/gtest.h>

#include <random>

#include "format-spec/src/columns/decoder.h"
#include "format-spec/src/columns/encoder.h"
#include "support/rows.h"

namespace evt::columns {
namespace {

using testing::le16;
using testing::le32;
using testing::le64;
using testing::le8;
using testing::Rows;

const std::uint8_t* raw(const std::string& bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

// Columns of rows, of a type 1 with a u32 and a u16 and a type 2 with a text, an array of u32 and a u8.
std::string columns_of(const Rows& rows) {
  static constexpr Item kStop[] = {{kFixed, 4}, {kFixed, 2}};
  static constexpr Item kNote[] = {{kCounted16, 1}, {kCounted16, 4}, {kFixed, 1}};
  Encoder encoder;
  encoder.set_items(1, kStop, std::size(kStop));
  encoder.set_items(2, kNote, std::size(kNote));
  EXPECT_TRUE(encoder.encode(raw(rows.bytes()), rows.bytes().size(), rows.count()));
  const auto* const directory = reinterpret_cast<const char*>(encoder.directory().data());
  const auto* const data = reinterpret_cast<const char*>(encoder.data());
  std::size_t parts = 0;
  for (std::size_t i = 0; i < encoder.part_count(); ++i) parts += encoder.parts()[i];
  EXPECT_EQ(parts, encoder.data_size());
  return std::string(directory, encoder.directory().size()) + std::string(data, encoder.data_size());
}

// What a decoder that knows nothing of the types makes of them; or why it does not.
std::string rows_of(const std::string& columns, std::uint32_t count, std::size_t size) {
  Decoder decoder;
  std::string rows(size, '?');
  const Status status =
      decoder.decode(raw(columns), columns.size(), count, reinterpret_cast<std::uint8_t*>(rows.data()), rows.size());
  return status.ok() ? rows : status.message();
}

void expect_same_again(const Rows& rows) {
  EXPECT_EQ(rows_of(columns_of(rows), rows.count(), rows.bytes().size()), rows.bytes());
}

std::string stop(std::uint32_t thread, std::uint16_t status) { return le32(thread) + le16(status); }
std::string note(const std::string& text, const std::vector<std::uint32_t>& numbers, std::uint8_t last) {
  std::string payload = le16(text.size()) + text + le16(numbers.size());
  for (const std::uint32_t n : numbers) payload += le32(n);
  return payload + le8(last);
}

TEST(Columns, KeepRowsOfOneShape) {
  expect_same_again(Rows().row(5, 1, stop(7, 1)).row(6, 1, stop(8, 1)).row(9, 1, stop(0xFFFFFFFF, 0xFFFF)));
}

TEST(Columns, KeepRowsOfSeveralShapes) {
  expect_same_again(Rows().row(5, 1, stop(7, 1)).row(6, 2, note("read", {1, 2}, 3)).row(6, 1, stop(9, 2)));
}

TEST(Columns, KeepNoRows) { expect_same_again(Rows()); }

TEST(Columns, KeepRowsWithoutPayload) { expect_same_again(Rows().row(1, 3, "").row(2, 3, "").row(3, 4, "")); }

TEST(Columns, KeepTimesThatStepBack) {
  expect_same_again(Rows().row(0xFFFFFFFF, 1, stop(1, 1)).row(3, 1, stop(2, 1)).row(2, 1, stop(2, 1)));
}

TEST(Columns, KeepRowsOfUnknownTypes) {
  expect_same_again(Rows().row(1, 9, "some").row(2, 9, "thing").row(3, 9, "").row(4, 8, std::string(300, 'x')));
}

TEST(Columns, KeepRowsThatEndInsideTheirFields) {
  expect_same_again(Rows().row(1, 1, le32(4)).row(2, 1, "abc").row(3, 2, le16(9) + "short").row(4, 2, ""));
}

TEST(Columns, KeepRowsThatGoOnBehindTheirFields) {
  expect_same_again(Rows().row(1, 1, stop(1, 2) + "more").row(2, 2, note("", {}, 1) + "and more"));
}

TEST(Columns, KeepRowsWhoseSizeIsTheWideOne) {
  expect_same_again(Rows()
                        .big_row(1, 1, stop(1, 2))
                        .big_row(2, 2, note(std::string(70'000 - 70'000 / 2, 'y'), {7}, 1))
                        .row(3, 1, stop(1, 2))
                        .big_row(4, 7, std::string(100'000, 'z')));
}

TEST(Columns, KeepRowsOfTheFormatItself) {
  expect_same_again(Rows()
                        .time_base(1'000'000, 1)
                        .row(1, 1, stop(1, 1))
                        .lost(2, 5, 1)
                        .wide(3, 100'000, "payload")
                        .row(4, EVT_ROW_PADDING, "zzz")
                        .row(5, 0xFFFF, ""));
}

TEST(Columns, KeepManyShapes) {
  Rows rows;
  for (std::uint32_t i = 0; i < 1000; ++i) rows.row(i, static_cast<std::uint16_t>(100 + i % 300), le32(i));
  expect_same_again(rows);
}

TEST(Columns, TakeNoSpaceForWhatStaysTheSame) {
  Rows rows;
  for (std::uint32_t i = 0; i < 5000; ++i) rows.row(10 * i + 10, 1, stop(7, 1));
  EXPECT_EQ(columns_of(rows).size(), 37u) << "a directory, and nothing behind it";
}

TEST(Columns, TakeAByteForACounter) {
  Rows rows;
  for (std::uint32_t i = 0; i < 5000; ++i) rows.row(10 * i + 10, 1, stop(1'000'000 + 3 * i, 1));
  EXPECT_LT(columns_of(rows).size(), 4 * 5000u + 50) << "only the first difference is another one";
  expect_same_again(rows);
}

// Types, sizes and contents at random; half of them as the types say, half not.
TEST(Columns, KeepRowsWhateverTheyAre) {
  std::mt19937 random(4711);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    Rows rows;
    const std::uint32_t count = below(200);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t delta = below(3) == 0 ? below(0xFFFFFFFF) : i * 100 + below(50);
      std::string anything(below(4) == 0 ? below(600) : below(12), '\0');
      for (char& c : anything) c = static_cast<char>(below(4) == 0 ? random() : 'a');
      switch (below(6)) {
        case 0:
          rows.row(delta, 1, stop(below(9), 1));
          break;
        case 1:
          rows.row(delta, 2, note(anything, std::vector<std::uint32_t>(below(5), i), 1));
          break;
        case 2:
          rows.big_row(delta, static_cast<std::uint16_t>(1 + below(3)), anything);
          break;
        default:
          rows.row(delta, static_cast<std::uint16_t>(below(2) == 0 ? below(4) : random() & 0xFFFF), anything);
      }
    }
    SCOPED_TRACE(round);
    expect_same_again(rows);
  }
}

TEST(RowsThatAreNone, BecomeNoColumns) {
  Encoder encoder;
  const auto takes = [&](const std::string& bytes, std::uint32_t count) {
    return encoder.encode(raw(bytes), bytes.size(), count);
  };
  const std::string row = Rows().row(1, 1, "abc").bytes();
  EXPECT_TRUE(takes(row, 1));
  EXPECT_FALSE(takes(row, 2)) << "fewer rows than said";
  EXPECT_FALSE(takes(row + row, 1)) << "more rows than said";
  EXPECT_FALSE(takes(row.substr(0, 10), 1)) << "a row beyond the end";
  EXPECT_FALSE(takes(le32(1) + le16(1) + le16(7) + "abc", 1)) << "a row of less than its header";
  EXPECT_FALSE(takes(le32(1) + le16(1) + le16(0) + le32(11), 1)) << "a wide one of less than its header";
}

// Whether these bytes are this many rows.
bool are_rows(const std::string& bytes, std::uint32_t count) {
  std::size_t at = 0;
  for (; count > 0 && bytes.size() - at >= 8; --count) {
    std::size_t size = evt_load_u16(raw(bytes) + at + 6);
    const bool wide = size == 0;
    if (wide && bytes.size() - at >= 12) size = evt_load_u32(raw(bytes) + at + 8);
    if (size < (wide ? 12U : 8U) || size > bytes.size() - at) return false;
    at += size;
  }
  return count == 0 && at == bytes.size();
}

// A byte changed, or the end cut: other rows or a sentence, and not a byte beyond either.
TEST(ColumnsThatLie, AreRefusedOrOtherRows) {
  Rows rows;
  for (std::uint32_t i = 0; i < 20; ++i) rows.row(i, 1, stop(i, 1)).row(i, 2, note("text", {i}, 2)).row(i, 9, "rest");
  const std::string columns = columns_of(rows);
  const auto is_well_answered = [&](const std::string& changed) {
    const std::string answer = rows_of(changed, rows.count(), rows.bytes().size());
    return answer.starts_with("a ") || answer.starts_with("it") || answer.starts_with("the ") ||
           answer.starts_with("bytes ") || answer.starts_with("an ") || are_rows(answer, rows.count());
  };
  for (std::size_t at = 0; at < columns.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = columns;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      EXPECT_TRUE(is_well_answered(changed)) << "byte " << at << ", bit " << bit;
    }
    EXPECT_FALSE(are_rows(rows_of(columns.substr(0, at), rows.count(), rows.bytes().size()), rows.count())) << at;
  }
}

class OneRow : public ::testing::Test {
 protected:
  // A directory of one shape: this many rows of 8 bytes and these items.
  static std::string directory(std::uint32_t count, std::uint8_t items, const std::string& item,
                               std::uint8_t flags = 0) {
    return le16(1) + le16(0) + std::string(9, '\0') + le32(count) + le16(1) + le8(flags) + le8(items) + item;
  }
  static std::string item(std::uint8_t kind, std::uint8_t transform, std::uint16_t width) {
    return le8(kind) + le8(transform) + le16(width);
  }
};

TEST_F(OneRow, IsRead) { EXPECT_EQ(rows_of(directory(1, 0, ""), 1, 8), le32(0) + le16(1) + le16(8)); }

TEST_F(OneRow, IsRefusedWhenCountsDisagree) {
  EXPECT_EQ(rows_of(directory(2, 0, ""), 1, 8), "its shapes have another number of rows than its header");
  EXPECT_EQ(rows_of(directory(1, 0, ""), 1, 7), "its columns have more bytes of rows than its header has");
  EXPECT_EQ(rows_of(directory(1, 0, ""), 1, 9), "its columns have fewer bytes of rows than its header has");
}

TEST_F(OneRow, IsRefusedForWhatIsNotKnown) {
  EXPECT_EQ(rows_of(directory(1, 1, item(4, 0, 1)), 1, 8), "an item of its columns has a kind that is not known");
  EXPECT_EQ(rows_of(directory(1, 1, item(0, 2, 1)), 1, 9), "an item of its columns has a transform that is not known");
  EXPECT_EQ(rows_of(directory(1, 0, "", 2), 1, 8), "a shape of its columns has a flag that is not known");
}

TEST_F(OneRow, IsRefusedForBytesThatAreNotThere) {
  EXPECT_EQ(rows_of(directory(1, 3, item(0, 0, 1)), 1, 9), "the directory of its columns goes beyond their end");
  EXPECT_EQ(rows_of(directory(1, 1, item(0, 0, 1) + le8(1)), 1, 9), "its columns go beyond their end");
  EXPECT_EQ(rows_of(directory(1, 0, "") + "x", 1, 8), "bytes are left behind its columns");
}

TEST_F(OneRow, IsRefusedWhenItIsLongerThanItCanSay) {
  const std::string text = item(1, 0, 1) + le8(0) + le16(65'530);
  EXPECT_EQ(rows_of(directory(1, 1, text) + std::string(65'530, 'x'), 1, 65'540),
            "a row of its columns is longer than its size can say");
}

TEST_F(OneRow, IsRefusedWhenItsTextIsLongerThanAllRows) {
  const std::string text = item(2, 0, 65'535) + le8(0) + le32(0xFFFFFFFF);
  EXPECT_EQ(rows_of(directory(1, 1, text), 1, 100), "the counts of its columns add up to more than its rows");
}

TEST(TwoShapes, AreRefusedWhenARowHasAThird) {
  const std::string shape = le32(1) + le16(1) + le8(0) + le8(0);
  const std::string front = le16(2) + le16(0) + std::string(9, '\0') + shape + shape;
  EXPECT_EQ(rows_of(front + le8(0) + le8(2), 2, 16), "a row of its columns has a shape that they do not have");
  EXPECT_EQ(rows_of(front + le8(0) + le8(0), 2, 16), "a shape of its columns has more rows than it claims");
}

}  // namespace
}  // namespace evt::columns
