// Files of Parquet: how numbers are packed, and what every file has. Whether others read them,
// parquet_consumers_test.py asks them.
#include <evt/export/parquet_file.h>
#include <fmt/core.h>

#include <random>

#include "libtrace-read/export/src/parquet/packed_numbers.h"
#include "libtrace-read/export/src/parquet/thrift_writer.h"
#include "pictures.h"
#include "table_lines.h"

namespace evt::testing {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  return text;
}

std::string hybrid(const std::vector<std::uint32_t>& numbers, unsigned width) {
  std::string bytes;
  append_hybrid(&bytes, numbers, width);
  return hex(bytes);
}

std::string deltas(const std::vector<std::uint64_t>& numbers) {
  std::string bytes;
  append_deltas(&bytes, numbers);
  return hex(bytes);
}

// The numbers of Encodings.md of Apache Parquet, where it has an example.
TEST(PackedNumbers, AreBitsInGroupsOfEight) {
  EXPECT_EQ(hybrid({0, 1, 2, 3, 4, 5, 6, 7}, 3), "03 88 c6 fa");
  EXPECT_EQ(hybrid({1, 0, 1}, 1), "03 05");
}

TEST(PackedNumbers, AreRunsWhereOneIsRepeated) {
  EXPECT_EQ(hybrid(std::vector<std::uint32_t>(100, 4), 3), "c8 01 04");
  EXPECT_EQ(hybrid(std::vector<std::uint32_t>(8, 300), 9), "10 2c 01");
}

TEST(PackedNumbers, ChangeFromOneToTheOtherAtWholeGroups) {
  std::vector<std::uint32_t> numbers = {0, 1, 0, 1, 0, 1, 0, 1};
  numbers.insert(numbers.end(), 9, 1);
  EXPECT_EQ(hybrid(numbers, 1), "03 aa 12 01");
}

TEST(PackedNumbers, AreDifferencesFromTheLeast) {
  EXPECT_EQ(deltas({1, 2, 3, 4, 5}), "80 01 04 05 02 02 00 00 00 00");
  EXPECT_EQ(deltas({7, 5, 3, 1, 2, 3, 4, 5}), "80 01 04 08 0e 03 02 00 00 00 c0 3f 00 00 00 00 00 00");
  EXPECT_EQ(deltas({}), "80 01 04 00 00");
  EXPECT_EQ(deltas({UINT64_MAX}), "80 01 04 01 01");
}

// What a reader does, bit by bit.
std::vector<std::uint64_t> unpacked(const std::string& bytes) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (unsigned bits = 0;; bits += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= std::uint64_t{byte & 0x7Fu} << bits;
      if (byte < 0x80) return value;
    }
  };
  const auto unzigzag = [](std::uint64_t value) { return value >> 1 ^ (0 - (value & 1)); };
  varint();
  varint();
  const std::uint64_t count = varint();
  std::vector<std::uint64_t> numbers;
  std::uint64_t last = unzigzag(varint());
  if (count > 0) numbers.push_back(last);
  while (numbers.size() < count) {
    const std::uint64_t least = unzigzag(varint());
    const std::size_t widths = at;
    at += 4;
    for (std::size_t mini = 0; mini < 4 && numbers.size() < count; ++mini) {
      const auto width = static_cast<unsigned char>(bytes[widths + mini]);
      for (std::size_t i = 0; i < 32; ++i) {
        std::uint64_t delta = 0;
        for (unsigned bit = 0; bit < width; ++bit) {
          const std::size_t place = i * width + bit;
          const auto byte = static_cast<unsigned char>(bytes[at + place / 8]);
          delta |= std::uint64_t{byte >> place % 8 & 1u} << bit;
        }
        if (numbers.size() < count) numbers.push_back(last += least + delta);
      }
      at += std::size_t{width} * 4;
    }
  }
  EXPECT_EQ(at, bytes.size());
  return numbers;
}

TEST(PackedNumbers, OfAnySizeComeBack) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> numbers(random() % 400);
    const unsigned shift = static_cast<unsigned>(random() % 64);
    for (std::uint64_t& number : numbers) number = random() >> shift;
    std::string bytes;
    append_deltas(&bytes, numbers);
    ASSERT_EQ(unpacked(bytes), numbers);
  }
}

TEST(Thrift, HasFieldsByTheirDistances) {
  ThriftWriter out;
  out.i32(1, 2);
  out.text(4, "schema");
  out.begin(10);
  out.truth(1, true);
  out.i64(3, -1);
  out.end();
  out.list_of_i32(12, {3, 5});
  out.finish();
  EXPECT_EQ(hex(out.bytes()), "15 04 38 06 73 63 68 65 6d 61 6c 11 26 01 00 29 25 06 0a 00");
}

std::string parquet_of(const std::string& text, const std::string& name) {
  const std::string bytes = trace_from_text(std::string(kPictureTypes) + text);
  Trace trace = open_trace(bytes);
  Trace* const pointer = &trace;
  const Tables tables({&pointer, 1});
  const Table* const table = tables.find(name);
  Tables::Rows rows = tables.read({&table, 1}, {});
  ParquetFile file(*table);
  TextBuffer out;
  file.begin(out);
  while (const TableBatch* const batch = rows.next()) file.add(out, *batch);
  file.end(out);
  return std::string(out.text());
}

TEST(Parquet, IsBetweenItsMarks) {
  const std::string file = parquet_of(kLife, "spans");
  EXPECT_EQ(file.substr(0, 4), "PAR1");
  EXPECT_EQ(file.substr(file.size() - 4), "PAR1");
  std::size_t footer = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    footer |= std::size_t{static_cast<unsigned char>(file[file.size() - 8 + i])} << 8 * i;
  }
  EXPECT_LT(footer + 12, file.size());
  for (const char* const name : {"duration_ns", "outcome", "evtrace"}) {
    EXPECT_NE(file.find(name, file.size() - 8 - footer), file.npos) << name;
  }
}

TEST(Parquet, IsTheSameAgain) { EXPECT_EQ(parquet_of(kLife, "thread_states"), parquet_of(kLife, "thread_states")); }

}  // namespace
}  // namespace evt::testing
