#include "format-spec/src/block/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace evt {
namespace {

TEST(Crc32c, OfTheDigitsIsThePublishedCheckValue) {
  EXPECT_EQ(crc32c(0, "123456789", 9), 0xE3069283u);
  EXPECT_EQ(crc32c_by_table(0, "123456789", 9), 0xE3069283u);
}

TEST(Crc32c, OfNothingIsZero) { EXPECT_EQ(crc32c(0, "", 0), 0u); }

TEST(Crc32c, GoesOnFromWhereItStopped) {
  const std::string text = "the bytes of a block";
  EXPECT_EQ(crc32c(crc32c(0, text.data(), 7), text.data() + 7, text.size() - 7), crc32c(0, text.data(), text.size()));
}

TEST(Crc32c, IsTheSameByInstructionAndByTable) {
  std::mt19937 random(1);
  std::string bytes(300, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t size = 0; size < bytes.size() - start; size += 7) {
      EXPECT_EQ(crc32c(0, bytes.data() + start, size), crc32c_by_table(0, bytes.data() + start, size));
    }
  }
}

TEST(Crc32c, IsTheSameByTableWhereRunsGoSideBySide) {
  std::mt19937 random(2);
  std::string bytes(20'000, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  for (std::size_t size = 1500; size < bytes.size(); size += 391) {
    const auto before = static_cast<std::uint32_t>(random());
    EXPECT_EQ(crc32c(before, bytes.data() + size % 8, size - 8),
              crc32c_by_table(before, bytes.data() + size % 8, size - 8));
  }
}

}  // namespace
}  // namespace evt
