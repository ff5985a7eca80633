// What cutting reads, and what it does with blocks that are damaged.
#include <evt/cut.h>

#include "raw_trace.h"

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
            "0.003999000 1 !lost count=1000 cause=damage duration=0.000000000\n"
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

// However often a block is read, and in whichever way.
TEST(Cut, WhatIsDamagedIsMissingOnce) {
  RawTrace trace = long_trace(10);
  trace.trailer().spoil_payload(7);
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  std::uint64_t lost = 0;
  for (const std::int64_t from : {0, 3'500'000, 3'700'000}) {
    const std::int64_t to = from == 0 ? 3'499'999 : from == 3'500'000 ? 3'699'999 : INT64_MAX;
    std::string out;
    ASSERT_TRUE(cut(opened, of_range(from, to), into(&out)).ok());
    lost += open_trace(out).sessions()[0].lost;
    text_of(opened);
  }
  EXPECT_EQ(lost, 1000u);
  EXPECT_EQ(opened.sessions()[0].missing, 1000u);
  EXPECT_EQ(opened.sessions()[0].streams[0].missing, 1000u);
  EXPECT_EQ(opened.missing().size(), 1u);
  EXPECT_EQ(opened.damage().size(), 1u);
}

// What a cut of these lines from 50 ns on has at its first moment.
std::string running_at_50(const std::string& lines) {
  const std::string bytes = trace_from_text(
      "type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "type 2 stop role=threadStop (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "type 3 exit role=threadExit (thread u64 role=thread)\n"
      "type 4 here role=threadRun (thread u64 role=thread)\n"
      "type 5 leave role=threadStop\n"
      "stream 1 \"a\"\nstream 2 \"b\"\n" +
      lines);
  Trace opened = open_trace(bytes);
  std::string out;
  EXPECT_TRUE(cut(opened, of_range(50, INT64_MAX), into(&out)).ok());
  std::string text = event_lines(text_of_trace(out));
  for (std::size_t at = 0; (at = text.find("0.000000050 ")) != text.npos;) text.erase(at, 12);
  return text;
}

TEST(CutRuns, AreOneForEachCpuOfAStream) {
  EXPECT_EQ(running_at_50("0.00000001 1 run thread=7 cpu=1\n0.00000002 1 run thread=8 cpu=2\n"
                          "0.00000003 1 run thread=9 cpu=1\n"),
            "1 carried.run thread=7 cpu=1 since=0.000000010\n1 carried.run thread=8 cpu=2 since=0.000000020\n"
            "1 carried.run thread=9 cpu=1 since=0.000000030\n")
      << "7 could run on, as 9 took its cpu";
}

TEST(CutRuns, EndOnTheirOwnStreamAndOnOthers) {
  const std::string ran = "1 carried.run thread=7 cpu=1 since=0.000000010\n";
  EXPECT_EQ(running_at_50("0.00000001 1 run thread=7 cpu=1\n0.00000002 1 run thread=8 cpu=2\n"
                          "0.00000003 1 stop thread=7 cpu=1\n"),
            "1 carried.run thread=8 cpu=2 since=0.000000020\n1 carried.stop thread=7 cpu=1 since=0.000000030\n")
      << "7 waits";
  EXPECT_EQ(running_at_50("0.00000001 1 run thread=7 cpu=1\n0.00000003 2 stop thread=7 cpu=1\n"),
            ran + "2 carried.stop thread=7 cpu=1 since=0.000000030\n");
  EXPECT_EQ(running_at_50("0.00000001 1 run thread=7 cpu=1\n0.00000003 2 exit thread=7\n"),
            ran + "2 carried.exit thread=7 since=0.000000030\n")
      << "events of the stream that name no thread are of 7 still";
}

TEST(CutRuns, MoveToAnotherStream) {
  const std::string moved = "0.00000001 1 run thread=7 cpu=1\n0.00000002 2 run thread=7 cpu=2\n";
  const std::string on_1 = "1 carried.run thread=7 cpu=1 since=0.000000010\n";
  const std::string on_2 = "2 carried.run thread=7 cpu=2 since=0.000000020\n";
  EXPECT_EQ(running_at_50(moved), on_1 + on_2) << "its stop on 1 may come yet";
  EXPECT_EQ(running_at_50(moved + "0.00000003 1 stop thread=7 cpu=1\n"),
            on_1 + "1 carried.stop thread=7 cpu=1 since=0.000000030\n" + on_2);
  EXPECT_EQ(running_at_50(moved + "0.00000003 2 stop thread=7 cpu=2\n"),
            on_1 + on_2 + "2 carried.stop thread=7 cpu=2 since=0.000000030\n");
}

TEST(CutRuns, MayBeOfStreamsThatAreCpusThemselves) {
  const std::string on_2 = "2 carried.here thread=9 since=0.000000010\n";
  EXPECT_EQ(running_at_50("0.00000001 1 here thread=7\n0.00000002 1 here thread=8\n0.00000001 2 here thread=9\n"),
            "1 carried.here thread=7 since=0.000000010\n1 carried.here thread=8 since=0.000000020\n" + on_2);
  EXPECT_EQ(running_at_50("0.00000001 1 here thread=7\n0.00000002 1 leave\n0.00000001 2 here thread=9\n"),
            "1 carried.here thread=7 since=0.000000010\n1 carried.leave since=0.000000020\n" + on_2)
      << "the run shows which thread left";
}

TEST(CutRuns, AcrossALossOnTheirStreamMayHaveEnded) {
  EXPECT_EQ(
      running_at_50("0.00000001 1 run thread=7 cpu=1\n0.00000002 1 !lost count=1 cause=ring_full duration=0.000000000\n"
                    "0.00000003 1 run thread=8 cpu=2\n0.00000001 2 run thread=9 cpu=3\n"),
      "1 carried.run thread=7 cpu=1 since=0.000000010\n1 carried.unknown since=0.000000020\n"
      "1 carried.run thread=8 cpu=2 since=0.000000030\n2 carried.run thread=9 cpu=3 since=0.000000010\n");
}

// Far more threads than are followed at a time, one after another; one that began first goes on.
TEST(CutRuns, OfManyThreadsAreThoseThatGoOn) {
  std::string bytes;
  {
    RawTrace trace = ordinary_trace();
    trace.declare(
        "type 1030 run role=threadRun (thread u64 role=thread)\ntype 1031 exit role=threadExit (thread u64 "
        "role=thread)\n");
    trace.events(1, Rows().row(1, 1030, le64(5)));
    std::uint32_t now = 1;
    for (int block = 0; block < 200; ++block) {
      Rows rows;
      for (int i = 0; i < 1000; ++i, now += 2) {
        rows.row(now + 1, 1030, le64(1000 + now)).row(now + 2, 1031, le64(1000 + now));
      }
      trace.events(2, rows);
    }
    bytes = trace.trailer().bytes();
  }
  Trace opened = open_trace(bytes);
  std::string out;
  ASSERT_TRUE(cut(opened, of_range(1'000'000, INT64_MAX), into(&out)).ok());
  EXPECT_EQ(event_lines(text_of_trace(out)),
            "0.001000000 1 carried.run thread=5 since=0.000000001\n"
            "0.001000000 2 carried.run thread=400999 since=0.000400000\n"
            "0.001000000 2 carried.exit thread=400999 since=0.000400001\n")
      << "that the latest has ended on stream 2 shows of whom its next events are";
}

TEST(Cut, AJumpStaysOne) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(5000, 1).tick(6000, 2));
  trace.events(1, Rows().time_base(1000, EVT_TIME_BASE_JUMP).tick(0, 3).tick(9000, 4)).trailer();
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  CutOptions options;
  options.event = [](const Session&, const StreamInfo&, const EventType&, Bytes, std::uint64_t, std::int64_t ns) {
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
