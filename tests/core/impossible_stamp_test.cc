// Rows whose stamp is later than their block can have been made (FORMAT.md, section 9).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "columns_of.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kWild = UINT64_MAX;

// The last block has this bound, and the first and last time of its possible rows.
RawTrace& bound(RawTrace& trace, std::uint64_t ticks, std::uint64_t first, std::uint64_t last) {
  return trace.events_header(
      [&](EventsHeader& e) { e.bound_ticks = ticks, e.first_ticks = first, e.last_ticks = last; });
}

// Stream 1 has a row at 10, a wild one, one at 30; stream 2 has one between them.
RawTrace wild_between() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1).time_base(kWild).tick(0, 2).time_base(0).tick(30, 3));
  bound(trace, 1000, 10, 30).events(2, Rows().tick(20, 4));
  return trace;
}

const char* const kWildBetween =
    "0.000000010 1 tick n=1\n"
    "0.000000010 1 tick n=2\n"
    "0.000000020 2 tick n=4\n"
    "0.000000030 1 tick n=3\n";

// Each event with its stamp where that is impossible, then how many there are of each stream.
std::string stamps_of(const RawTrace& raw) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  std::string text;
  for (int reading = 0; reading < 2; ++reading) {
    text.clear();
    Events events = trace.events();
    while (const Event* e = events.next()) {
      text += fmt::format("{}", e->value("n")->as_unsigned());
      if (e->has_impossible_stamp()) text += fmt::format(" {}", e->stamp());
      text += '\n';
    }
  }
  for (const StreamInfo& stream : trace.sessions().front().streams)
    text += fmt::format("{} ", stream.impossible_stamps);
  return text;
}

TEST(ImpossibleStamp, LeavesItsRowBetweenItsNeighbours) {
  EXPECT_EQ(reading_of(wild_between().trailer()), kWildBetween);
}

TEST(ImpossibleStamp, IsKeptAndItsEventIsCountedOnceHoweverOftenItIsRead) {
  EXPECT_EQ(stamps_of(wild_between().trailer()), "1\n2 18446744073709551615\n4\n3\n1 0 ");
}

TEST(ImpossibleStamp, IsOneBeyondTheBoundAndNotTheBoundItself) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1).tick(1000, 2).tick(1001, 3));
  EXPECT_EQ(stamps_of(bound(trace, 1000, 10, 1000).trailer()), "1\n2\n3 1001\n1 0 ");
}

TEST(ImpossibleStamp, DoesNotExistWhereNoBoundIsStated) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1).time_base(kWild >> 2).tick(0, 2)).trailer();
  EXPECT_EQ(stamps_of(trace), "1\n2\n0 0 ");
}

TEST(ImpossibleStamp, OfTheFirstRowGivesWayToTheFirstTimeOfItsBlock) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().time_base(kWild).tick(0, 1).time_base(0).tick(30, 2));
  bound(trace, 1000, 30, 30).events(2, Rows().tick(20, 3)).trailer();
  EXPECT_EQ(reading_of(trace), "0.000000020 2 tick n=3\n0.000000030 1 tick n=1\n0.000000030 1 tick n=2\n");
}

TEST(ImpossibleStamp, OfAllRowsOfABlockGivesWayToTheBound) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1)).events(1, Rows().time_base(kWild).tick(0, 2).tick(0, 3));
  bound(trace, 1000, kWild, kWild).events(2, Rows().tick(900, 4)).events(2, Rows().tick(1100, 5)).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000010 1 tick n=1\n0.000000900 2 tick n=4\n0.000001000 1 tick n=2\n0.000001000 1 tick n=3\n"
            "0.000001100 2 tick n=5\n");
}

TEST(ImpossibleStamp, InMultiplexedRowsIsTheSame) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1).time_base(kWild).tick(0, 2).time_base(0).tick(30, 3));
  bound(trace, 0, 10, 30).events(2, Rows().tick(20, 4)).gather(2);
  trace.events_header([](EventsHeader& e) { e.bound_ticks = 1000; }).trailer();
  EXPECT_EQ(reading_of(trace), kWildBetween);
}

TEST(ImpossibleStamp, InColumnsIsTheSame) {
  RawTrace trace = ordinary_trace();
  const Rows rows = Rows().tick(10, 1).time_base(kWild).tick(0, 2).time_base(0).tick(30, 3);
  const std::string columns = columns_of(rows);
  bound(trace.events(1, rows), 1000, 10, 30);
  trace.store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
  trace.events(2, Rows().tick(20, 4)).trailer();
  EXPECT_EQ(reading_of(trace), kWildBetween);
}

TEST(ImpossibleStamp, IsNotWhatARangeOfTimesGoesBy) {
  const std::string bytes = wild_between().trailer().bytes();
  Trace trace = open_trace(bytes);
  EventOptions options;
  options.range = [](const Session&) { return TimeRange{5, 15}; };
  Events events = trace.events(options);
  std::string numbers;
  while (const Event* e = events.next()) numbers += fmt::format("{} ", e->value("n")->as_unsigned());
  EXPECT_EQ(numbers, "1 2 ");
}

TEST(ImpossibleStamp, ChangesNothingOfWhenItsStreamWas) {
  const std::string bytes = wild_between().trailer().bytes();
  const Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions().front().stream(1)->last_ns, 30);
  EXPECT_EQ(trace.sessions().front().last_ns, 30);
}

}  // namespace
}  // namespace evt::testing
