// How reading goes on behind damage (FORMAT.md, section 10): truncated blocks, what was appended behind them, traces
// that stand inside damaged ones, and how much searching is worth.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// Padding that separates this block from the next one is part of it: rows of 9 bytes leave 7.
Rows odd_tick(std::uint32_t n) { return Rows().row(n, 1024, le8(n)); }

RawTrace odd_trace() {
  RawTrace trace;
  trace.session().clock({.id = 1, .hz = 1'000'000'000});
  return trace.declare("type 1024 tick (n u8)\nstream 1 \"a\"\n");
}

TEST(Search, GoesOnBehindATornBlockWithWhatWasAppended) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).tick(3, 3)).events(1, Rows().tick(4, 4));
  trace.events(1, Rows().tick(5, 5));
  trace.cut(EVT_EVENTS_HEADER_SIZE + 20, 5);  // of 152 bytes: the writer died here, and recovery appended the rest
  const auto recovered = [](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED, h.flags = EVT_FLAG_RECOVERED; };
  trace.header(recovered, 6).header(recovered, 7);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000004 1 tick n=4\n0.000000005 1 tick n=5\n"
            "status damaged\n"
            "damage 5..6: a block whose payload checksum is wrong and whose end is not followed by another block\n"
            "missing 2 of stream 1\n"
            "truncated\n");
}

TEST(Search, GoesOnBehindATornBlockThatClaimsMoreThanFollows) {
  RawTrace trace = ordinary_trace();
  Rows many;
  for (std::uint32_t n = 10; n < 210; ++n) many.tick(n, n);
  trace.events(1, many).cut(200);
  trace.append(ordinary_trace(1).events(2, Rows().tick(7, 7)).trailer());
  EXPECT_EQ(reading_of(trace),
            "0.000000007 2 tick n=7\n"
            "status damaged\n"
            "damage 4..5: a block of 3320 bytes, of which 1152 are there\n"
            "truncated\n")
      << "the first session is cut, the second one closed";
}

// A whole session in the payload of an event, as a program that copies traces might record it.
RawTrace trace_with_a_trace_inside() {
  const std::string inner = ordinary_trace(7).events(1, Rows().tick(1, 100)).trailer().bytes();
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 copy (trace bytes)\n");
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().row(2, 1025, le16(inner.size()) + inner));
  return trace.events(1, Rows().tick(3, 3)).trailer();
}

TEST(Search, TakesATraceInsideADamagedPayloadForDamage) {
  RawTrace trace = trace_with_a_trace_inside().spoil_payload(6);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000003 1 tick n=3\n"
            "status damaged\n"
            "damage 6..6+1082: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
            "missing 1 of stream 1\n")
      << "the block without its padding";
}

TEST(Search, TakesATraceInsideABlockWithoutItsHeaderForDamage) {
  RawTrace trace = trace_with_a_trace_inside().spoil_header(6);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000003 1 tick n=3\n"
            "status damaged\n"
            "damage 6..7: a block header whose checksum is wrong\n"
            "missing 1 of stream 1\n");
}

TEST(Search, BelievesATraceThatFollowsWhereTheOuterSessionNeverGoesOn) {
  RawTrace trace = trace_with_a_trace_inside().spoil_header(6);
  trace.remove(8).remove(7);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000001 1 tick n=100\n"
            "status damaged\n"
            "damage 6..6+130: a block header whose checksum is wrong\n"
            "truncated\n");
}

TEST(Search, NotesAGapBehindABlockThatHasPadding) {
  RawTrace trace = odd_trace().events(1, odd_tick(1)).events(1, odd_tick(2)).events(1, odd_tick(3)).remove(5);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000003 1 tick n=3\n"
            "status damaged\n"
            "damage 5: block 5 of the session is missing\n"
            "missing 1 of stream 1\n"
            "truncated\n");
}

TEST(Search, NotesAGapBehindABlockThatContradictsAnother) {
  RawTrace trace = ordinary_trace().declare("string 1 \"abcd\"\n");
  trace.block(EVT_BLOCK_STRINGS, le32(1) + le32(1) + le32(4) + "text");
  trace.leave_out_blocks(3).events(1, Rows().tick(1, 1)).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 5..6: string 1 again, with another text\n"
            "damage 6: blocks 6 to 8 of the session are missing\n");
}

TEST(Search, SkipsWhatStandsBeforeTheFirstBlock) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer().insert("#!/bin/sh\n", 0);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 0..1: no block header\n");
}

TEST(Search, FindsABlockAtAnyOffset) {
  for (std::size_t shift = 0; shift < 9; ++shift) {
    RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
    trace.insert(std::string(65536 - 7 + shift, 'x'));  // its magic lies around the end of a step of the search
    trace.events(1, Rows().tick(2, 2));
    EXPECT_EQ(reading_of(trace),
              "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n"
              "status damaged\n"
              "damage 5..6: no block header\n"
              "truncated\n")
        << shift;
  }
}

TEST(Search, IsNotMisledByMagicsWithoutAHeader) {
  RawTrace trace = ordinary_trace();
  std::string magics;
  for (int i = 0; i < 100; ++i) magics += std::string(EVT_MAGIC, EVT_MAGIC_SIZE) + "x";
  trace.events(1, Rows().tick(1, 1)).insert(magics).events(1, Rows().tick(2, 2));
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n"
            "status damaged\n"
            "damage 5..6: a block header with an impossible size\n"
            "truncated\n");
}

TEST(Search, GoesOnHoweverOftenATraceIsDamaged) {
  RawTrace trace = ordinary_trace();
  std::string expected;
  for (std::uint32_t n = 1; n <= 50; ++n) {
    trace.insert("garbage").events(1, Rows().tick(n, n));
    expected +=
        "0.0000000" + std::string(n < 10 ? "0" : "") + std::to_string(n) + " 1 tick n=" + std::to_string(n) + "\n";
  }
  EXPECT_EQ(events_of(trace.bytes()), expected);
}

// As files of programs that were killed, one behind the other.
TEST(Search, ReadsEachOfManyTracesWhoseLastBlockIsTorn) {
  constexpr std::uint8_t kTraces = 100;
  std::string all;
  for (std::uint8_t n = 1; n <= kTraces; ++n) {
    all += ordinary_trace(n).events(1, Rows().tick(1, n)).events(1, Rows().tick(2, n).tick(3, n)).cut(20).bytes();
  }
  Trace trace = open_trace(all);
  EXPECT_EQ(trace.sessions().size(), kTraces);
  EXPECT_EQ(trace.damage().size(), kTraces);
  for (const Session& session : trace.sessions()) EXPECT_EQ(session.rows, 1u);
}

TEST(Search, ReadsTheSameTraceTwiceInAFileOnce) {
  const RawTrace once = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  RawTrace twice = once;
  EXPECT_EQ(reading_of(twice.append(once)),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 6..12: the session starts over (block 0 after block 5); was the file appended to itself?\n");
}

TEST(Search, SaysThatAnUnfinishedBlockAtTheEndIsCut) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).cut(120);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status truncated\n"
            "damage 5..6: a block of 136 bytes, of which 120 are there\n"
            "missing 1 of stream 1\n"
            "truncated\n");
}

TEST(Search, SaysThatAnUnfinishedHeaderAtTheEndIsCut) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).cut(47);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status truncated\n"
            "damage 5..6: the file ends inside a block header\n"
            "truncated\n");
}

TEST(Search, SaysThatTheFrontOfAMagicAtTheEndIsCut) {
  for (std::size_t left = 1; left < EVT_MAGIC_SIZE; ++left) {
    RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).cut(left);
    EXPECT_EQ(reading_of(trace),
              "0.000000001 1 tick n=1\n"
              "status truncated\n"
              "damage 5..6: the file ends inside a block header\n"
              "truncated\n")
        << left;
  }
}

TEST(Search, SaysThatAFewBytesAtTheEndThatBeginNoBlockAreDamage) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).insert("EVT");
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "status damaged\n"
            "damage 5..6: no block header\n"
            "truncated\n");
}

}  // namespace
}  // namespace evt::testing
