// What cutting reads, and what it does with blocks that are damaged.
#include <evt/cut.h>

#include "read/raw_trace.h"

namespace evt::testing {
namespace {

TakeBytes into(std::string* out) {
  return [out](Bytes bytes) {
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return 0;
  };
}

// 16 bytes a row, a row each microsecond.
RawTrace long_trace(std::uint64_t blocks) {
  constexpr std::uint64_t kRows = 1000;
  RawTrace trace = ordinary_trace();
  for (std::uint64_t i = 0; i < blocks; ++i) {
    Rows rows;
    for (std::uint32_t k = 0; k < kRows; ++k) rows.tick(k * 1000, i * kRows + k);
    trace.events(1, rows, i * kRows * 1000);
  }
  return trace;
}

CutOptions of_range(std::int64_t from, std::int64_t to) {
  CutOptions options;
  options.range = [=](const Session&) { return TimeRange{from, to}; };
  return options;
}

TEST(Cut, OfAHundredthReadsLittleMoreThanThat) {
  RawTrace trace = long_trace(600);
  const std::string bytes = trace.index().trailer().bytes();
  Trace opened = open_trace(bytes);
  std::string out;
  ASSERT_TRUE(cut(opened, of_range(100'000'000, 105'999'999), into(&out)).ok());
  EXPECT_EQ(open_trace(out).sessions()[0].rows, 6'000u);
  EXPECT_LE(opened.bytes_read(), bytes.size() / 50);
}

TEST(Cut, OfWholeBlocksCopiesThemAsTheyAre) {
  RawTrace trace = long_trace(10);
  const std::string bytes = trace.trailer().bytes();
  Trace opened = open_trace(bytes);
  std::string out;
  ASSERT_TRUE(cut(opened, of_range(2'000'000, 4'999'999), into(&out)).ok());
  const RawTrace part = RawTrace::of(out);
  EXPECT_NE(out.find(trace.part(6).substr(EVT_EVENTS_HEADER_SIZE)), std::string::npos) << "the payload of a block";
}

TEST(Cut, WhatIsDamagedInTheRangeIsALoss) {
  RawTrace trace = long_trace(10);
  trace.events(2, Rows().tick(2'999'500, 1).tick(3'500'000, 2).tick(4'000'500, 3));
  trace.trailer().spoil_payload(7);
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  std::string out;
  ASSERT_TRUE(cut(opened, of_range(2'000'000, 4'999'999), into(&out)).ok());
  Trace part = open_trace(out);
  EXPECT_TRUE(part.status().ok()) << part.status().message();
  EXPECT_EQ(part.sessions()[0].lost, 1000u);
  EXPECT_EQ(opened.damage().size(), 1u);
  const std::string text = event_lines(text_of(part));
  const std::size_t around = text.find("0.002999000 ");
  EXPECT_EQ(text.substr(around, text.find("0.004001000 ") - around),
            "0.002999000 1 tick n=2999\n"
            "0.002999500 2 tick n=1\n"
            "0.003500000 2 tick n=2\n"
            "0.003999000 1 !lost count=1000 cause=damage\n"
            "0.004000000 1 tick n=4000\n"
            "0.004000500 2 tick n=3\n");
}

TEST(Cut, WhatIsDamagedOutsideTheRangeIsNotMet) {
  RawTrace trace = long_trace(10);
  trace.trailer().spoil_payload(4);
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  std::string out;
  ASSERT_TRUE(cut(opened, of_range(2'000'000, 4'999'999), into(&out)).ok());
  EXPECT_EQ(open_trace(out).sessions()[0].lost, 0u);
  EXPECT_TRUE(opened.damage().empty());
}

TEST(Cut, AJumpStaysOne) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(5000, 1).tick(6000, 2));
  trace.events(1, Rows().time_base(1000, EVT_TIME_BASE_JUMP).tick(0, 3).tick(9000, 4)).trailer();
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  CutOptions options;
  options.event = [](const Session&, const StreamInfo&, const EventType&, Bytes, std::int64_t ns) {
    return ns != 6000;
  };
  std::string out;
  ASSERT_TRUE(cut(opened, options, into(&out)).ok());
  EXPECT_EQ(text_of_trace(out).substr(text_of_trace(out).find("stream 1")),
            "stream 1 \"a\"\n0.000001000 1 !jump\ntype 1024 tick (n u64)\n0.000001000 1 tick n=3\n"
            "0.000005000 1 tick n=1\n0.000010000 1 tick n=4\n");
}

}  // namespace
}  // namespace evt::testing
