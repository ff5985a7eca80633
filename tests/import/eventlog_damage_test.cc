// GHC eventlogs that were cut, that make no sense somewhere, or that are of versions which recorded wrong sizes.
// What cannot be read of them is a loss.
#include <gtest/gtest.h>

#include "eventlog_reading.h"

namespace evt::testing {
namespace {

TEST(EventlogDamage, WithoutItsEndWasCut) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  EXPECT_EQ(reading_of(log.bytes()), "0.000000001 2 ghc.run_thread thread=1\ntruncated\n");
}

TEST(EventlogDamage, WithoutEventsWasCutBeforeThem) {
  GhcLog log;
  log.usual_types();
  EXPECT_EQ(reading_of(log.bytes()), "truncated\n");
}

TEST(EventlogDamage, ThatEndsInsideAnEventSaysWhere) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  const std::size_t at = log.size();
  log.run(2, 2);
  std::string bytes = log.bytes();
  bytes.resize(at + 8);
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000001 2 !lost count=1 cause=damage duration=0.000000000\n"
            "damage " +
                std::to_string(at) + "+8: the log ends inside an event\ntruncated\n");
}

// A log whose first block, which has been begun, goes on with something that it does not declare; a good block follows.
void expect_to_go_on_at_the_next_block(GhcLog& log) {
  log.run(1, 1);
  const std::size_t at = log.size();
  log.raw(BigEndian().u16(777).u64(2).bytes()).run(3, 3);
  const std::size_t next = log.size();
  log.block(1).run(4, 4).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000001 2 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000004 3 ghc.run_thread thread=4\n"
            "damage " +
                std::to_string(at) + "+" + std::to_string(next - at) + ": event type 777 is not declared\n");
}

TEST(EventlogDamage, GoesOnBehindATypeThatIsNotDeclaredAtTheNextBlock) {
  GhcLog log;
  log.usual_types().block(0);
  expect_to_go_on_at_the_next_block(log);
}

TEST(EventlogDamage, FindsTheNextBlockIfTheSizeOfOneIsWrong) {
  GhcLog log;
  log.usual_types().block_of_size(0, 0x7FFFFFFF);
  expect_to_go_on_at_the_next_block(log);
}

TEST(EventlogDamage, InTheMiddleIsALossBetweenTheEventsAroundIt) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  const std::size_t at = log.size();
  log.run(2, 2).block(1).run(3, 3).block(0).run(4, 4).end();
  std::string bytes = log.bytes();
  bytes.replace(at, 2, "xx");
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000001 2 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000003 3 ghc.run_thread thread=3\n"
            "0.000000004 2 ghc.run_thread thread=4\n"
            "damage " +
                std::to_string(at) + "+14: event type 30840 is not declared\n");
}

TEST(EventlogDamage, AtTheFrontOfABlockIsALossWhereTheBlockBegins) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1).block(1, 5);
  const std::size_t at = log.size();
  log.run(6, 6).block(0).run(9, 9).end();
  std::string bytes = log.bytes();
  bytes.replace(at, 2, "xx");
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000005 3 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000009 2 ghc.run_thread thread=9\n"
            "damage " +
                std::to_string(at) + "+14: event type 30840 is not declared\n");
}

TEST(EventlogDamage, WhereABlockBeginsIsALossOfNobodyKnowsWhom) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  const std::size_t at = log.size();
  log.block(1).run(2, 2);
  const std::size_t next = log.size();
  log.block(0).run(3, 3).end();
  std::string bytes = log.bytes();
  bytes.replace(at, 2, "xx");
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000003 2 ghc.run_thread thread=3\n"
            "damage " +
                std::to_string(at) + "+" + std::to_string(next - at) + ": event type 30840 is not declared\n");
}

TEST(EventlogDamage, OverTheEndOfABlockIsALossOfItsStreamAndOfNobodyKnowsWhom) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  const std::size_t at = log.size();
  log.run(2, 2);
  const std::size_t block = log.size();
  log.block(1).run(3, 3);
  const std::size_t next = log.size();
  log.block(0).run(4, 4).end();
  std::string bytes = log.bytes();
  bytes.replace(at, 2, "xx").replace(block, 2, "xx");
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000001 2 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000004 2 ghc.run_thread thread=4\n"
            "damage " +
                std::to_string(at) + "+" + std::to_string(next - at) + ": event type 30840 is not declared\n");
}

TEST(EventlogDamage, AtSeveralPlacesBetweenTwoEventsIsOneLossOfAsMany) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  for (std::uint64_t i = 0; i < 3; ++i) log.block(0, 2 + i).raw(BigEndian().u16(777).u64(2).bytes());
  log.block(0).run(9, 9).end();
  const std::string text = reading_of(log.bytes());
  EXPECT_EQ(text.substr(0, text.find("\ndamage ") + 1),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000004 2 !lost count=3 cause=damage duration=0.000000000\n"
            "0.000000009 2 ghc.run_thread thread=9\n");
}

// The text claims the events behind it, and the front of the next block.
TEST(EventlogDamage, OfASizeThatLeavesItsBlockIsNoEvent) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1);
  const std::size_t at = log.size();
  log.say(2, "hello").run(3, 3);
  const std::size_t next = log.size();
  log.block(1).run(4, 4).end();
  std::string bytes = log.bytes();
  bytes.replace(at + 10, 2, std::string("\0\x20", 2));
  EXPECT_EQ(reading_of(bytes),
            "0.000000001 2 ghc.run_thread thread=1\n"
            "0.000000001 2 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000004 3 ghc.run_thread thread=4\n"
            "damage " +
                std::to_string(at) + "+" + std::to_string(next - at) +
                ": an event goes on behind the end of its block\n");
}

TEST(EventlogDamage, WithoutSizesOfItsBlocksIsReadAllTheSame) {
  GhcLog log;
  log.usual_types().block_of_size(0, 0).run(1, 1).block_of_size(1, 0).run(2, 2).end();
  EXPECT_EQ(reading_of(log.bytes()), "0.000000001 2 ghc.run_thread thread=1\n0.000000002 3 ghc.run_thread thread=2\n");
}

TEST(EventlogDamage, IsReadAloneIfAnotherFollows) {
  GhcLog log;
  log.usual_types().block(0).run(1, 1).end();
  const std::string one = log.bytes();
  EXPECT_EQ(reading_of(one + one),
            "0.000000001 1 !lost count=1 cause=damage duration=0.000000000\n"
            "0.000000001 2 ghc.run_thread thread=1\n"
            "damage " +
                std::to_string(one.size()) + "+" + std::to_string(one.size()) +
                ": another log begins here, which is not read\n");
}

TEST(EventlogDamage, OfGhc612HasSizesThatAreMended) {
  GhcLog log;
  log.type(0, 8, "Create thread").type(2, 10, "Stop thread").type(17, 0, "Startup").type(18, 14, "Block marker");
  log.event(17, 1, BigEndian().u16(4));
  log.block(3).event(0, 2, BigEndian().u32(7)).event(2, 3, BigEndian().u32(7).u16(5)).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 1 ghc.startup caps=4\n"
            "0.000000002 5 ghc.create_thread thread=7\n"
            "0.000000003 5 ghc.stop_thread thread=7 status=finished\n");
}

TEST(EventlogDamage, Of2009HasItsCapabilitiesInPayloads) {
  GhcLog log;
  log.type(0, 10, "Create thread").type(1, 10, "Run thread").type(9, 2, "Starting GC").type(13, 10, "Create spark");
  log.type(14, 0, "Spark to thread").type(15, 10, "Create spark thread");
  log.event(0, 1, BigEndian().u16(1).u32(7))
      .event(9, 2, BigEndian().u16(0))
      .event(13, 3, BigEndian().u16(1).u32(7))
      .end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 3 ghc.create_thread thread=7\n"
            "0.000000002 2 ghc.gc_start\n"
            "0.000000003 3 ghc.create_spark thread=7\n");
}

TEST(EventlogDamage, Of2009WithFewerTypesHasLargeNumbersOfThreads) {
  GhcLog log;
  log.type(0, 10, "Create thread").type(9, 2, "Request sequential GC").type(11, 2, "Starting GC");
  log.event(0, 1, BigEndian().u16(1).u64(7)).event(9, 2, BigEndian().u16(0)).event(11, 3, BigEndian().u16(0)).end();
  EXPECT_EQ(reading_of(log.bytes()),
            "0.000000001 3 ghc.create_thread thread=7\n"
            "0.000000002 2 ghc.request_seq_gc\n"
            "0.000000003 2 ghc.gc_start\n");
}

TEST(EventlogDamage, OfAVersionBeforeAllReleasesIsRefused) {
  const std::string log =
      "hdrbhetb" +
      BigEndian().text({"etb\0", 4}).u32(0).u32(13).text("Create thread").u16(10).text({"ete\0", 4}).bytes();
  EXPECT_EQ(
      reading_of(log),
      "not a trace: memory is a GHC eventlog whose event type at 8 has no end where it should: the log may be of a GHC "
      "before 6.12, which is not read\n");
}

TEST(EventlogDamage, WhoseHeaderIsCutIsRefused) {
  GhcLog log;
  log.usual_types();
  EXPECT_EQ(reading_of(log.bytes().substr(0, 9)),
            "not a trace: memory is a GHC eventlog whose header is truncated at 8: expected an event type, or the end "
            "of their "
            "list\n");
  EXPECT_EQ(reading_of(log.bytes().substr(0, 14)),
            "not a trace: memory is a GHC eventlog whose event type at 8 is truncated\n");
}

TEST(EventlogDamage, ThatDeclaresATypeTwiceIsRefused) {
  GhcLog log;
  log.type(1, 4, "Run thread").type(1, 8, "Run thread");
  EXPECT_EQ(reading_of(log.bytes()),
            "not a trace: memory is a GHC eventlog whose event type at 38 has the number of another one\n");
}

// A program that opened its log as text, and a transfer that took it for text.
TEST(EventlogDamage, ByTextModeOfWindowsIsNamed) {
  GhcLog log;
  log.usual_types().type(10, 0, "a type whose number is that of a line end").block(0).run(1, 1).end();
  std::string bytes;
  for (const char c : log.bytes()) bytes += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(reading_of(bytes),
            "not a trace: memory is a GHC eventlog that text mode broke, as Windows has it: each byte 0A has a byte 0D "
            "before it now; copy the log as binary\n");
}

// Behind it nothing is late enough to end a block of rows, which could not be read if it had them all.
TEST(EventlogDamage, InATimeCostsNoEvent) {
  constexpr std::uint32_t kRuns = 1'500'000;
  GhcLog log;
  log.usual_types().block(0).run(std::uint64_t{1} << 60, 1);
  for (std::uint32_t i = 1; i < kRuns; ++i) log.run(i, i);
  log.end();
  const std::string bytes = log.bytes();
  Trace trace = open_trace(bytes);
  std::uint64_t runs = 0;
  for (Events events = trace.events(); events.next() != nullptr;) ++runs;
  EXPECT_EQ(runs, kRuns);
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(trace.sessions()[0].missing, 0u);
}

}  // namespace
}  // namespace evt::testing
