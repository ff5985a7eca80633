// Time in a trace: nanoseconds since the session's start, UTC, several clocks (FORMAT.md, section 9).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// `ns utc` of each event.
std::string times_of(const RawTrace& raw, const EventOptions& options = {}) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events(options);
  std::string text;
  while (const Event* e = events.next()) text += fmt::format("{} {}\n", e->ns(), e->utc_ns() - 1767225600'000'000'000);
  return text;
}

const std::string kTypes = "type 1024 tick (n u64)\nstream 1 \"a\"\nstream 2 \"b\"\n";

SyncRecord sync_at(std::uint64_t ticks, std::int64_t ns, std::int64_t utc, std::uint16_t clock = 1) {
  SyncRecord facts;
  facts.clock_id = clock;
  facts.ticks = ticks;
  facts.ns = ns;
  facts.utc_ns = 1767225600'000'000'000 + utc;
  return facts;
}

TEST(Time, IsNanosecondsSinceTheStartOfTheSession) {
  RawTrace trace;
  trace.session(0, 7000).clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 100, 7000}).declare(kTypes);
  trace.events(1, Rows().tick(0, 1).tick(100, 2).tick(150, 3));
  EXPECT_EQ(times_of(trace), "-100 -100\n0 0\n50 50\n") << "negative before it";
}

TEST(Time, GoesByTheMomentsOfSync) {
  RawTrace trace;
  trace.session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0}).declare(kTypes);
  trace.events(1, Rows().tick(500, 1).tick(1000, 2).tick(1500, 3).tick(2500, 4)).sync(sync_at(1000, 3000, 3000));
  trace.sync(sync_at(2000, 5000, 5000)).trailer();
  EXPECT_EQ(times_of(trace), "1500 1500\n3000 3000\n4000 4000\n5500 5500\n");
}

TEST(Time, DoesNotGoByAPairThatIsNoAnchor) {
  RawTrace trace;
  trace.session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0}).declare(kTypes);
  SyncRecord outlier = sync_at(1000, 300'000, 7000);
  outlier.flags = EVT_SYNC_NO_ANCHOR;
  trace.events(1, Rows().tick(500, 1).tick(1500, 2)).sync(outlier).trailer();
  EXPECT_EQ(times_of(trace), "500 500\n1500 1500\n") << "but by its UTC, from then on";
}

TEST(Time, GoesByAllSyncsWhereverTheClockIsDescribed) {
  const auto with_clock_at_the_end = [](bool damaged) {
    const ClockRecord clock = {1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0};
    RawTrace trace = RawTrace().session().clock(clock).declare(kTypes);
    trace.events(1, Rows().tick(500, 1)).sync(sync_at(1000, 3000, 3000)).clock(clock).trailer();
    if (damaged) trace.spoil_payload(1);
    return times_of(trace);
  };
  EXPECT_EQ(with_clock_at_the_end(false), "1500 1500\n");
  EXPECT_EQ(with_clock_at_the_end(true), "1500 1500\n") << "the repeat is as good as the first";
}

TEST(Time, InUtcIsAsTheLastSyncSays) {
  RawTrace trace;
  trace.session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0}).declare(kTypes);
  trace.events(1, Rows().tick(500, 1).tick(1000, 2).tick(1999, 3).tick(2000, 4).tick(9999, 5));
  trace.sync(sync_at(1000, 1000, 51000)).sync(sync_at(2000, 2000, 2000)).trailer();  // set back between them
  EXPECT_EQ(times_of(trace), "500 500\n1000 51000\n1999 51999\n2000 2000\n9999 9999\n");
}

TEST(Time, InUtcIsKnownWhereverTheSessionIsDescribed) {
  RawTrace trace = RawTrace().session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0}).declare(kTypes);
  trace.events(1, Rows().tick(500, 1)).session().trailer().remove(0);
  EXPECT_EQ(times_of(trace), "500 500\n") << "by the repeat of the SESSION block";
}

TEST(Time, OfAClockThatIsRepeatedOtherwiseIsDamageAndTheFirstCounts) {
  for (const ClockRecord& other : {ClockRecord{1, 4, 2'000'000'000, 0, 0}, ClockRecord{1, 4, 1'000'000'000, 1, 0},
                                   ClockRecord{1, 4, 1'000'000'000, 0, 1}}) {
    RawTrace trace = RawTrace().session().clock({1, 4, 1'000'000'000, 0, 0}).clock(other).declare(kTypes);
    trace.events(1, Rows().tick(500, 1)).trailer();
    EXPECT_EQ(times_of(trace), "500 500\n");
    EXPECT_EQ(reading_of(trace),
              "0.000000500 1 tick n=1\nstatus damaged\ndamage 2..3: clock 1 again, with another rate or start\n");
  }
}

TEST(Time, OfAClockThatIsRepeatedWithAnotherKindOrToleranceIsDamage) {
  for (const ClockRecord& other : {ClockRecord{1, 2, 1'000'000'000, 0, 0}, ClockRecord{1, 4, 1'000'000'000, 0, 0, 5}}) {
    RawTrace trace = RawTrace().session().clock({1, 4, 1'000'000'000, 0, 0}).clock(other).trailer();
    EXPECT_NE(reading_of(trace), "");
  }
}

TEST(Time, InFieldsIsTakenByTheClockOfTheEvent) {
  RawTrace raw = RawTrace().session(0, 1000).clock({1, EVT_CLOCK_OTHER, 500'000'000, 100, 1000});
  raw.declare("type 1024 e (at ticks) (took tick_delta)\nstream 1 \"a\"\n");
  raw.events(1, Rows().row(150, 1024, le64(110) + le64(20)));
  EXPECT_EQ(events_of(raw.bytes()), "0.000000100 1 e at=0.000000020 took=0.000000040\n");
}

// Clock 1 counts nanoseconds from 0, clock 2 halves of a nanosecond from 1000, with 100 ns on the scale.
RawTrace two_clocks() {
  RawTrace trace;
  trace.session()
      .clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0})
      .clock({2, EVT_CLOCK_OTHER, 2'000'000'000, 1000, 100});
  return trace.declare(kTypes);
}

TEST(Clocks, AreOrderedByNanosecondsWhereASessionHasSeveral) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(105, 1).tick(120, 2).tick(140, 3));
  trace.events(2, Rows().tick(0, 4).tick(20, 5).tick(60, 6), 1000, 2).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000100 2 tick n=4\n0.000000105 1 tick n=1\n0.000000110 2 tick n=5\n0.000000120 1 tick n=2\n"
            "0.000000130 2 tick n=6\n0.000000140 1 tick n=3\n");
  EXPECT_EQ(times_of(trace), "100 100\n105 105\n110 110\n120 120\n130 130\n140 140\n") << "without being asked for it";
}

// Stream 1 of clock 2, streams 2 and 3 of clock 1, all of them within one nanosecond.
RawTrace within_a_nanosecond(std::uint32_t rows) {
  RawTrace trace;
  trace.session()
      .clock({1, EVT_CLOCK_OTHER, 1'000'000'000'000'000, 0, 0})
      .clock({2, EVT_CLOCK_OTHER, 1'000'000'000'000'000, 0, 0});
  trace.declare(kTypes + "stream 3 \"c\"\n");
  for (const std::uint32_t stream : {1u, 2u, 3u}) {
    Rows all;
    for (std::uint32_t i = 0; i < rows; ++i) all.tick(10 * i + stream, stream);
    trace.events(stream, all, 0, stream == 1 ? 2 : 1);
  }
  return trace.trailer();
}

std::string streams_of(const RawTrace& raw, const EventOptions& options = {}) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events(options);
  std::string text;
  while (const Event* e = events.next()) text += std::to_string(e->stream().id);
  return text;
}

TEST(Clocks, AreOrderedByClockThenTicksWithinOneNanosecond) {
  EXPECT_EQ(streams_of(within_a_nanosecond(3)), "232323111");
  EXPECT_EQ(streams_of(within_a_nanosecond(3), {.by_ns = true}), "111222333");
}

TEST(Clocks, AreOrderedWithinANanosecondOfMoreRowsThanAWindowHas) {
  std::string expected;
  for (int i = 0; i < 10'000; ++i) expected += "23";
  EXPECT_EQ(streams_of(within_a_nanosecond(10'000)), expected + std::string(10'000, '1'));
}

TEST(Clocks, KeepTheLatestClockOfAStreamWithinOneNanosecond) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(0, 1), 1801, 2);
  trace.events(2, Rows().tick(0, 2), 1800, 2).events(2, Rows().tick(500, 3)).trailer();
  EXPECT_EQ(times_of(trace), "500 500\n500 500\n500 500\n");
  EXPECT_EQ(streams_of(trace), "221") << "clock 1 comes before clock 2, but stream 2 had been at tick 1800 of clock 2";
}

TEST(Clocks, MayChangeWithinAStream) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(5000, 1)).events(1, Rows().tick(0, 2), 1'000'000, 2).events(2, Rows().tick(6000, 3));
  EXPECT_EQ(times_of(trace), "5000 5000\n6000 6000\n499600 499600\n");
}

TEST(Clocks, KeepAStreamsOrderWhereTheNewOneIsBehind) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(5000, 1)).events(1, Rows().tick(0, 2), 9000, 2).events(2, Rows().tick(4500, 3));
  EXPECT_EQ(events_of(trace.bytes()), "0.000004500 2 tick n=3\n0.000005000 1 tick n=1\n0.000004100 1 tick n=2\n");
}

TEST(Clocks, MayStepBackByAJump) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(5000, 1)).events(1, Rows().time_base(9000, EVT_TIME_BASE_JUMP).tick(0, 2), 9000, 2);
  trace.events(2, Rows().tick(4500, 3));
  EXPECT_EQ(events_of(trace.bytes()),
            "0.000004100 1 !jump\n0.000004100 1 tick n=2\n0.000004500 2 tick n=3\n0.000005000 1 tick n=1\n")
      << "though its ticks are more";
}

TEST(Clocks, ThatAreNotUsedDoNotMatter) {
  RawTrace trace = two_clocks();
  trace.events(1, Rows().tick(100, 1).tick(50, 2)).events(2, Rows().tick(60, 3).tick(70, 4)).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000060 2 tick n=3\n0.000000070 2 tick n=4\n0.000000100 1 tick n=1\n0.000000050 1 tick n=2\n");
}

TEST(Clocks, AreOrderedByTicksWhereThereIsOne) {
  RawTrace trace;
  trace.session().clock({1, EVT_CLOCK_OTHER, 4'000'000'000, 0, 0}).declare(kTypes);
  trace.events(1, Rows().tick(2, 1).tick(5, 3)).events(2, Rows().tick(1, 0).tick(3, 2)).trailer();
  const std::string bytes = trace.bytes();
  const auto order = [&](const EventOptions& options) {
    Trace opened = open_trace(bytes);
    Events events = opened.events(options);
    std::string text;
    while (const Event* e = events.next()) text += std::to_string(e->value("n")->as_unsigned());
    return text;
  };
  EXPECT_EQ(order({}), "0123");
  EXPECT_EQ(order({.by_ns = true}), "1023") << "within one nanosecond by stream";
}

TEST(Clocks, WithTimesAtTheEndsOfTheirRangeAreOrdered) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(0, 1).tick(0xFFFFFFFF, 2))
      .events(2, Rows().tick(0, 3).tick(0xFFFFFFFF, 4), ~0ull - 0xFFFFFFFF);
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  Events events = opened.events();
  EXPECT_EQ(events.next()->ticks(), 0u);
  EXPECT_EQ(events.next()->ticks(), 0xFFFFFFFFu);
  EXPECT_EQ(events.next()->ticks(), ~0ull - 0xFFFFFFFF);
  EXPECT_EQ(events.next()->ticks(), ~0ull);
  EXPECT_EQ(events.next(), nullptr);
}

}  // namespace
}  // namespace evt::testing
