// Steps back in time that are meant, and what a block's header records of its times (FORMAT.md, sections 7 and 9).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr const char* kDeclarations = "type 1024 tick (n u8)\nstream 1 \"a\"\nstream 2 \"b\"\n";

std::string order_of(std::string_view text) { return events_of(trace_from_text(kDeclarations + std::string(text))); }

TEST(Jump, MayBeTakenAgainAndAgain) {
  EXPECT_EQ(order_of("0.000000005 1 tick n=1\n"
                     "0.000000003 1 !jump\n"
                     "0.000000003 1 tick n=2\n"
                     "0.000000001 1 !jump\n"
                     "0.000000001 1 tick n=3\n"
                     "0.000000004 2 tick n=4\n"),
            "0.000000001 1 !jump\n"
            "0.000000001 1 tick n=3\n"
            "0.000000003 1 !jump\n"
            "0.000000003 1 tick n=2\n"
            "0.000000004 2 tick n=4\n"
            "0.000000005 1 tick n=1\n");
}

TEST(Jump, ToATimeThatWasThereStandsBehindIt) {
  EXPECT_EQ(order_of("0.000000002 1 tick n=1\n"
                     "0.000000005 1 tick n=2\n"
                     "0.000000002 1 !jump\n"
                     "0.000000002 1 tick n=3\n"),
            "0.000000002 1 tick n=1\n"
            "0.000000002 1 !jump\n"
            "0.000000002 1 tick n=3\n"
            "0.000000005 1 tick n=2\n");
}

TEST(Jump, ForwardChangesNothing) {
  EXPECT_EQ(order_of("0.000000002 1 tick n=1\n"
                     "0.000000005 1 !jump\n"
                     "0.000000005 1 tick n=2\n"
                     "0.000000003 2 tick n=3\n"),
            "0.000000002 1 tick n=1\n"
            "0.000000003 2 tick n=3\n"
            "0.000000005 1 !jump\n"
            "0.000000005 1 tick n=2\n");
}

TEST(Jump, AtTheFrontOfAStreamIsOneToo) {
  EXPECT_EQ(order_of("0.000000002 1 !jump\n0.000000002 1 tick n=1\n0.000000001 2 tick n=2\n"),
            "0.000000001 2 tick n=2\n0.000000002 1 !jump\n0.000000002 1 tick n=1\n");
}

TEST(Jump, SaidTwiceIsSaidOnce) {
  EXPECT_EQ(order_of("0.000000005 1 tick n=1\n"
                     "0.000000002 1 !jump\n"
                     "0.000000002 1 !jump\n"
                     "0.000000002 1 tick n=2\n"
                     "0.000000004 2 tick n=3\n"),
            "0.000000002 1 !jump\n"
            "0.000000002 1 tick n=2\n"
            "0.000000004 2 tick n=3\n"
            "0.000000005 1 tick n=1\n");
}

TEST(Jump, WithNothingBehindItHasNoEffect) {
  EXPECT_EQ(order_of("0.000000005 1 tick n=1\n0.000000002 1 !jump\n0.000000006 2 tick n=2\n"),
            "0.000000005 1 tick n=1\n0.000000006 2 tick n=2\n");
}

TEST(Jump, AloneInABlockStandsBeforeTheNextOne) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().time_base(5, EVT_TIME_BASE_JUMP)).events(1, Rows().tick(6, 1)).events(2, Rows().tick(7, 2));
  EXPECT_EQ(events_of(trace.bytes()), "0.000000006 1 !jump\n0.000000006 1 tick n=1\n0.000000007 2 tick n=2\n");
}

std::string numbers_of(const std::string& bytes, const EventOptions& options) {
  Trace trace = open_trace(bytes);
  Events events = trace.events(options);
  std::string text;
  while (const Event* e = events.next()) {
    if (!e->is_lost() && !e->is_jump()) text += std::to_string(e->value("n")->as_unsigned());
  }
  return text;
}

TEST(Key, CountsEveryRowThatHasATimeWhoeverAsks) {
  for (const Rows& first : {Rows().lost(50, 1, 1).tick(10, 1), Rows().row(50, EVT_ROW_PADDING, "").tick(10, 1),
                            Rows().row(50, 0xFFFF, "?").tick(10, 1)}) {
    const std::string bytes = ordinary_trace().events(1, first).events(2, Rows().tick(30, 2)).trailer().bytes();
    EXPECT_EQ(numbers_of(bytes, {}), "21") << "the stream had been at 50";
    EXPECT_EQ(numbers_of(bytes, {.markers = true}), "21");
    EXPECT_EQ(numbers_of(bytes, {.by_ns = true}), "21");
  }
}

TEST(Key, DoesNotCountATimeBase) {
  const std::string bytes =
      ordinary_trace().events(1, Rows().time_base(1000).time_base(0).tick(10, 1)).events(2, Rows().tick(30, 2)).bytes();
  EXPECT_EQ(numbers_of(bytes, {}), "12");
}

// What a header records of its times is a claim; nothing but the order may depend on it.
TEST(Key, MaySufferFromAHeaderThatLiesButNoEventDoes) {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{100}, UINT64_MAX}) {
    for (const std::uint64_t last : {std::uint64_t{0}, std::uint64_t{15}, UINT64_MAX}) {
      RawTrace trace = ordinary_trace();
      trace.events(1, Rows().tick(10, 1).tick(20, 2)).events(1, Rows().tick(30, 3)).events(2, Rows().tick(15, 4));
      trace.events_header([&](EventsHeader& e) { e.first_ticks = first, e.last_ticks = last; }, 4).trailer();
      std::string numbers = numbers_of(trace.bytes(), {});
      EXPECT_LT(numbers.find('1'), numbers.find('2'));
      EXPECT_LT(numbers.find('2'), numbers.find('3'));
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(numbers, "1234") << first << " to " << last;
    }
  }
}

TEST(Key, TakesARowBeforeItsBlocksFirstTimeAsIfItWereThere) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(10, 1).tick(20, 2)).events(2, Rows().tick(15, 3));
  trace.events_header([](EventsHeader& e) { e.first_ticks = 17; }, 4).trailer();
  EXPECT_EQ(reading_of(trace), "0.000000015 2 tick n=3\n0.000000010 1 tick n=1\n0.000000020 1 tick n=2\n");
}

}  // namespace
}  // namespace evt::testing
