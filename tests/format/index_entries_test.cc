// The entries of INDEX blocks, byte by byte (FORMAT.md, section 6.6).
#include "format-spec/src/block/index_entries.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace evt {
namespace {

std::string number(std::uint64_t value) {
  std::uint8_t bytes[kMaxNumber];
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(store_number(bytes, value) - bytes)};
}

TEST(IndexNumber, HasSevenBitsInEachByte) {
  EXPECT_EQ(number(0), std::string(1, '\0'));
  EXPECT_EQ(number(127), "\x7F");
  EXPECT_EQ(number(128), std::string("\x80\x01"));
  EXPECT_EQ(number(300), std::string("\xAC\x02"));
  EXPECT_EQ(number(UINT64_MAX), std::string(9, '\xFF') + "\x01");
}

TEST(IndexNumber, OfADifferenceIsSmallOnBothSides) {
  EXPECT_EQ(fold(std::uint64_t{0}), 0u);
  EXPECT_EQ(fold(std::uint64_t{0} - 1), 1u);
  EXPECT_EQ(fold(std::uint64_t{1}), 2u);
  for (const std::uint64_t d : {std::uint64_t{5}, std::uint64_t{0} - 5, std::uint64_t{1} << 63, UINT64_MAX >> 1}) {
    EXPECT_EQ(unfold(fold(d)), d);
  }
}

class Entries : public ::testing::Test {
 protected:
  std::string bytes() const { return {reinterpret_cast<const char*>(memory_), entries.size()}; }

  std::uint8_t memory_[1024] = {};
  IndexEntries entries{memory_, sizeof memory_};
  std::unique_ptr<TypeCounts> counts = std::make_unique<TypeCounts>();
};

TEST_F(Entries, OfMostBlocksAreTheirTypeAndSize) {
  ASSERT_TRUE(entries.add(EVT_BLOCK_SYNC, 104));
  ASSERT_TRUE(entries.add(0xFFFF, 128));
  EXPECT_EQ(bytes(), std::string("\2\7\x68\5\xFF\xFF\3\x80\1"));
  EXPECT_EQ(entries.covered(), 232u);
}

TEST_F(Entries, OfEventsSayWhatTheirHeaderAndRowsSay) {
  EventsHeader events;
  events.stream_id = 9;
  events.clock_id = 1;
  events.first_ticks = 10;
  events.last_ticks = 15;
  events.row_count = 3;
  events.first_ordinal = 4;
  events.lost_total = 5;
  for (const std::uint16_t type : std::vector<std::uint16_t>{3, 2, 3}) counts->count(type);
  ASSERT_TRUE(entries.add_events(120, EVT_CODEC_ZSTD, events, counts.get()));
  events.first_ticks = 7;
  ASSERT_TRUE(entries.add_events(120, EVT_CODEC_NONE, events, nullptr));
  EXPECT_EQ(bytes(), std::string("\x11\6\x78\0\1\1\x14\5\1\x9\3\4\5\2\6\2\1\1", 18) +
                         std::string("\xD\6\x78\0\0\1\5\x8\1\x9\3\4\5\0", 14));
}

TEST_F(Entries, LeaveOutCountsThatHaveNoRoom) {
  for (std::uint16_t type = 1; type < 500; ++type) counts->count(type);
  EventsHeader events;
  ASSERT_TRUE(entries.add_events(EVT_EVENTS_HEADER_SIZE, EVT_CODEC_NONE, events, counts.get()));
  EXPECT_EQ(bytes().back(), '\0');
  EXPECT_LT(entries.size(), 20u);
}

TEST_F(Entries, AreRefusedWhenThereIsNoRoom) {
  while (entries.add(EVT_BLOCK_SYNC, 104)) {
  }
  const std::uint32_t count = entries.count();
  EXPECT_GT(count, 200u);
  EXPECT_FALSE(entries.add_events(EVT_EVENTS_HEADER_SIZE, EVT_CODEC_NONE, {}, nullptr));
  EXPECT_EQ(entries.count(), count);
}

TEST(TypeCounts, BeginAgainAtZero) {
  const auto counts = std::make_unique<TypeCounts>();
  counts->count(7);
  counts->clear();
  counts->count(7);
  EXPECT_EQ(counts->met, 1u);
  EXPECT_EQ(counts->rows[7], 1u);
}

}  // namespace
}  // namespace evt
