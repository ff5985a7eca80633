// END rows: what a reader makes of the row that ends a stream, and of a stream that goes on (FORMAT.md, section 7.1).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr ReadOptions kChecked{.use_index = false, .check_index = true};

Rows end_at(std::uint32_t delta) { return Rows().row(delta, EVT_ROW_END, ""); }

// Of one stream, with this block behind one that ends it.
RawTrace ended_before(const Rows& more) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).row(5, EVT_ROW_END, "")).events(1, more);
  return trace.trailer();
}

std::size_t ends_in(const RawTrace& raw, const EventOptions& options) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events(options);
  std::size_t ends = 0;
  while (const Event* event = events.next()) {
    ends += event->is_end() ? 1 : 0;
    EXPECT_FALSE(event->is_end() && (event->is_lost() || event->is_jump() || !event->payload().empty()));
  }
  return ends;
}

TEST(StreamEnd, IsHandedOutWhereItIsAskedForAlone) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).row(5, EVT_ROW_END, "of a later version")).trailer();
  EXPECT_EQ(ends_in(trace, {.markers = true}), 0u);
  EXPECT_EQ(ends_in(trace, {.ends = true}), 1u);
  EXPECT_EQ(text_of_trace(trace.bytes()),
            "type 1024 tick (n u64)\nstream 1 \"a\"\n0.000000001 1 tick n=1\n0.000000005 1 !end\nstream 2 \"b\"\n");
}

TEST(StreamEnd, IsTheEndOfItsStreamAlone) {
  RawTrace trace = ordinary_trace();
  trace.events(1, end_at(1)).events(2, Rows().tick(2, 2)).events(2, end_at(3)).trailer();
  EXPECT_EQ(reading_of(trace, kChecked), "0.000000001 1 !end\n0.000000002 2 tick n=2\n0.000000003 2 !end\n");
}

TEST(StreamEnd, HasLossesBehindIt) {
  EXPECT_EQ(reading_of(ended_before(Rows().lost(6, 3, EVT_LOST_RING_FULL)), kChecked),
            "0.000000001 1 tick n=1\n0.000000005 1 !end\n0.000000006 1 !lost count=3 cause=ring_full "
            "duration=0.000000000\n");
}

TEST(StreamEnd, BehindWhichTheStreamGoesOnIsReportedOnceAndItsRowsAreRead) {
  EXPECT_EQ(reading_of(ended_before(Rows().tick(6, 6).tick(7, 7)), kChecked),
            "0.000000001 1 tick n=1\n0.000000005 1 !end\n0.000000006 1 tick n=6\n0.000000007 1 tick n=7\n"
            "status damaged\ndamage 5: stream 1 goes on behind its end\n");
}

TEST(StreamEnd, BehindWhichTheStreamGoesOnIsNoDamageToWhoOnlyReads) {
  EXPECT_EQ(reading_of(ended_before(Rows().tick(6, 6))),
            "0.000000001 1 tick n=1\n0.000000005 1 !end\n0.000000006 1 tick n=6\n");
}

}  // namespace
}  // namespace evt::testing
