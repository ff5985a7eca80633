// More rows than 32 bits can count: by headers that claim them, which takes few bytes, and by ordinals that leave them
// out.
#include "raw_trace.h"
#include "support/row_sizes.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kRowsOfABlock = std::uint32_t{EVT_MAX_EVENTS_PAYLOAD} / kRowHeader;
constexpr std::uint64_t kBlocks = (std::uint64_t{1} << 32) / kRowsOfABlock + 3;

// Blocks of as many rows as there may be, of which none can be had.
RawTrace more_rows_than_32_bits_count() {
  RawTrace trace = ordinary_trace();
  for (std::uint64_t i = 0; i < kBlocks; ++i) {
    trace.events(1, Rows().tick(1, 1)).store_as("no columns", EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, 10);
    trace.events_header([&](EventsHeader& events) {
      events.row_count = kRowsOfABlock;
      events.rows_size = EVT_MAX_EVENTS_PAYLOAD;
      events.first_ordinal = i * kRowsOfABlock;
    });
  }
  return trace.trailer();
}

TEST(Counts, OfRowsHave64Bits) {
  const std::string bytes = more_rows_than_32_bits_count().bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions()[0].rows, kBlocks * kRowsOfABlock);
  EXPECT_EQ(trace.sessions()[0].stream(1)->rows, kBlocks * kRowsOfABlock);
}

TEST(Counts, OfRowsThatCannotBeHadHave64Bits) {
  const std::string bytes = more_rows_than_32_bits_count().bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(events.next(), nullptr);
  EXPECT_EQ(trace.sessions()[0].missing, kBlocks * kRowsOfABlock);
  EXPECT_EQ(trace.sessions()[0].stream(1)->missing, kBlocks * kRowsOfABlock);
}

TEST(Counts, OfRowsThatOrdinalsLeaveOutHave64Bits) {
  constexpr std::uint64_t kMany = std::uint64_t{5} << 40;
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).leave_out_rows(1, kMany);
  trace.events(1, Rows().tick(2, 2)).trailer();
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  ASSERT_EQ(opened.missing().size(), 1u);
  EXPECT_EQ(opened.missing()[0].rows, kMany);
  Events events = opened.events();
  events.next();
  EXPECT_EQ(events.next()->ordinal(), kMany + 1);
}

}  // namespace
}  // namespace evt::testing
