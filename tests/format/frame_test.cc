// Rows -> the payload of a compressed block: it unpacks to the same columns, whatever they have last.
#include "format-spec/src/columns/frame.h"

#include <evt/little_endian.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "format-spec/src/columns/decoder.h"
#include "support/rows.h"

namespace evt {
namespace {

using testing::le16;
using testing::Rows;

const std::uint8_t* raw(const std::string& bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

// Of a type 1 of two texts.
ColumnFrame& learned(ColumnFrame& frame) {
  static constexpr columns::Item kTexts[] = {{columns::kCounted16, 1}, {columns::kCounted16, 1}};
  frame.encoder().set_items(1, kTexts, std::size(kTexts));
  return frame;
}

std::string texts(const std::string& one, const std::string& other) {
  return le16(one.size()) + one + le16(other.size()) + other;
}

// The rows that come out of a frame of these; empty when there is no frame.
std::string there_and_back(const Rows& rows) {
  ColumnFrame frame;
  if (!learned(frame).make(raw(rows.bytes()), rows.bytes().size(), rows.count())) return "";
  std::string columns(frame.raw_size(), '\0');
  const std::size_t size = ZSTD_decompress(columns.data(), columns.size(), frame.bytes(), frame.size());
  EXPECT_EQ(size, columns.size()) << "the frame ends, and has all of its columns";
  std::string again(rows.bytes().size(), '?');
  auto* const out = reinterpret_cast<std::uint8_t*>(again.data());
  EXPECT_TRUE(columns::Decoder().decode(raw(columns), columns.size(), rows.count(), out, again.size()).ok());
  return again;
}

Rows a_hundred(const std::string& one, const std::string& other) {
  Rows rows;
  for (std::uint32_t n = 0; n < 100; ++n) {
    rows.row(n, 1, texts(one.empty() ? "" : one + std::to_string(n), other.empty() ? "" : other + std::to_string(n)));
  }
  return rows;
}

TEST(Frame, KeepsRows) {
  const Rows rows = a_hundred("a text of some length, number ", "another, number ");
  EXPECT_EQ(there_and_back(rows), rows.bytes());
}

TEST(Frame, KeepsRowsWhoseLastTextsAreEmpty) {
  const Rows rows = a_hundred("a text of some length, number ", "");
  EXPECT_EQ(there_and_back(rows), rows.bytes());
}

TEST(Frame, KeepsRowsWhoseTextsAreAllEmpty) {
  const Rows rows = a_hundred("", "");
  EXPECT_EQ(there_and_back(rows), rows.bytes());
}

TEST(Frame, KeepsRowsOfTextsOfAnySizes) {
  for (const std::size_t one : {0u, 1u, 20u, 21u, 2048u, 5000u}) {
    for (const std::size_t other : {0u, 1u, 20u, 21u, 2048u, 5000u}) {
      const Rows rows = a_hundred(std::string(one, 'x'), std::string(other, 'y'));
      EXPECT_EQ(there_and_back(rows), rows.bytes()) << one << " and " << other;
    }
  }
}

}  // namespace
}  // namespace evt
