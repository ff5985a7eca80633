// Rows of the format's own: losses, time bases, wide types, padding and what later versions may add (FORMAT.md, section
// 7).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

std::string events_of_rows(const Rows& rows, std::uint64_t base = 0) {
  return events_of(ordinary_trace().events(1, rows, base).trailer().bytes());
}

TEST(ReservedRow, ThatIsPaddingIsSkipped) {
  EXPECT_EQ(
      events_of_rows(Rows().row(9, EVT_ROW_PADDING, "").tick(1, 1).row(0, EVT_ROW_PADDING, "anything").tick(2, 2)),
      "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n");
}

TEST(ReservedRow, ThatIsNotKnownIsSkipped) {
  Rows rows;
  for (unsigned type = EVT_ROW_END + 1; type <= 0xFFFF; ++type) rows.row(1, static_cast<std::uint16_t>(type), "what?");
  EXPECT_EQ(events_of_rows(rows.tick(1, 1)), "0.000000001 1 tick n=1\n");
}

TEST(ReservedRow, TakesAnOrdinal) {
  const std::string bytes =
      ordinary_trace()
          .events(1, Rows().row(0, EVT_ROW_PADDING, "").time_base(5).tick(1, 1).lost(2, 1, 1).tick(3, 2))
          .bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(events.next()->ordinal(), 2u);
  EXPECT_EQ(events.next()->ordinal(), 4u);
  EXPECT_EQ(trace.sessions()[0].rows, 5u) << "and is a row";
}

TEST(ReservedRow, OfATimeBaseMovesTheRowsBehindIt) {
  EXPECT_EQ(events_of_rows(Rows().tick(1, 1).time_base(5'000'000'000).tick(1, 2).time_base(7'000'000'000).tick(2, 3)),
            "0.000000001 1 tick n=1\n5.000000001 1 tick n=2\n7.000000002 1 tick n=3\n");
}

TEST(ReservedRow, OfATimeBaseCountsUntilItsBlockEnds) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().time_base(5'000'000'000).tick(1, 1)).events(1, Rows().tick(1, 2), 6'000'000'000);
  EXPECT_EQ(events_of(trace.bytes()), "5.000000001 1 tick n=1\n6.000000001 1 tick n=2\n");
}

TEST(ReservedRow, OfATimeBaseMayBeBig) {
  EXPECT_EQ(events_of_rows(Rows().big_row(0, EVT_ROW_TIME_BASE, le64(5'000'000'000) + le32(0)).tick(1, 1)),
            "5.000000001 1 tick n=1\n");
}

TEST(ReservedRow, ThatIsTooShortIsSkipped) {
  EXPECT_EQ(events_of_rows(Rows().row(1, EVT_ROW_TIME_BASE, le64(99) + "123").tick(1, 1)), "0.000000001 1 tick n=1\n");
  EXPECT_EQ(events_of_rows(Rows().row(1, EVT_ROW_LOST, le64(99) + le16(1) + "7 bytes").tick(1, 1)),
            "0.000000001 1 tick n=1\n");
  EXPECT_EQ(events_of_rows(Rows().row(1, EVT_ROW_WIDE, "123").tick(1, 1)), "0.000000001 1 tick n=1\n");
  EXPECT_EQ(
      events_of_rows(Rows().row(1, EVT_ROW_TIME_BASE, "").row(1, EVT_ROW_LOST, "").row(1, EVT_ROW_WIDE, "").tick(1, 1)),
      "0.000000001 1 tick n=1\n");
}

TEST(ReservedRow, ThatIsLongerThanKnownIsReadAllTheSame) {
  EXPECT_EQ(events_of_rows(Rows().row(0, EVT_ROW_TIME_BASE, le64(5'000'000'000) + le32(0) + "more").tick(1, 1)),
            "5.000000001 1 tick n=1\n");
}

TEST(ReservedRow, OfALossIsAMarkerForThoseWhoAsk) {
  const Rows rows = Rows().tick(1, 1).lost(2, 7, EVT_LOST_RING_FULL).tick(3, 3);
  EXPECT_EQ(events_of_rows(rows),
            "0.000000001 1 tick n=1\n0.000000002 1 !lost count=7 cause=ring_full duration=0.000000000\n0.000000003 1 "
            "tick n=3\n");

  const std::string bytes = ordinary_trace().events(1, rows).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(events.next()->value("n")->as_unsigned(), 1u);
  EXPECT_EQ(events.next()->value("n")->as_unsigned(), 3u);
  EXPECT_EQ(events.next(), nullptr) << "others see events alone";
}

TEST(ReservedRow, OfALossNamesItsCause) {
  EXPECT_EQ(
      events_of_rows(
          Rows().lost(1, 1, 1).lost(1, 2, 2).lost(1, 3, 3).lost(1, 4, 4).lost(1, 5, 5).lost(1, 6, 6).lost(1, 7, 7).lost(
              1, 8, 8)),
      "0.000000001 1 !lost count=1 cause=ring_full duration=0.000000000\n"
      "0.000000001 1 !lost count=2 cause=too_large duration=0.000000000\n"
      "0.000000001 1 !lost count=3 cause=overwritten duration=0.000000000\n"
      "0.000000001 1 !lost count=4 cause=reentered duration=0.000000000\n"
      "0.000000001 1 !lost count=5 cause=sink duration=0.000000000\n"
      "0.000000001 1 !lost count=6 cause=damage duration=0.000000000\n"
      "0.000000001 1 !lost count=7 cause=unfinished duration=0.000000000\n"
      "0.000000001 1 !lost count=8 cause=8 duration=0.000000000\n");
}

TEST(ReservedRow, OfALossIsAnEventOfATypeOfItsOwn) {
  const std::string bytes = ordinary_trace().events(2, Rows().lost(5, 7, EVT_LOST_SINK, 3)).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events({.markers = true});
  const Event* const event = events.next();
  ASSERT_NE(event, nullptr);
  EXPECT_TRUE(event->is_lost());
  EXPECT_FALSE(event->is_jump());
  EXPECT_EQ(event->type().name(), "!lost");
  EXPECT_EQ(event->value("count")->as_unsigned(), 7u);
  EXPECT_EQ(event->value("cause")->as_unsigned(), 5u);
  EXPECT_EQ(event->value("duration")->as_signed(), 3);
  EXPECT_EQ(event->stream().id, 2u);
  EXPECT_EQ(event->ns(), 5);
}

TEST(ReservedRow, OfALossIsCountedByTheBlocksHeaders) {
  RawTrace raw = ordinary_trace();
  raw.events(1, Rows().lost(1, 7, 1)).events(2, Rows().lost(1, 4, 2)).events(1, Rows().lost(2, 3, 1)).trailer();
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.sessions()[0].stream(1)->lost, 10u);
  EXPECT_EQ(trace.sessions()[0].stream(2)->lost, 4u);
  EXPECT_EQ(trace.sessions()[0].lost, 14u);
  EXPECT_TRUE(trace.status().ok()) << "a loss that was counted is no damage";
}

TEST(ReservedRow, OfALossIsCountedEvenIfItsBlockCannotBeRead) {
  RawTrace raw = ordinary_trace();
  raw.events(1, Rows().lost(1, 7, 1)).events(1, Rows().tick(2, 2)).trailer().spoil_header(4);
  const std::string bytes = raw.bytes();
  EXPECT_EQ(open_trace(bytes).sessions()[0].lost, 7u) << "by the next block's lost_total";
}

TEST(ReservedRow, OfAJumpIsAMarkerBeforeTheRowsOfItsBlock) {
  RawTrace raw = ordinary_trace().events(1, Rows().tick(9, 9));
  raw.events(1, Rows().time_base(3, EVT_TIME_BASE_JUMP).tick(1, 4).tick(2, 5)).trailer();
  EXPECT_EQ(events_of(raw.bytes()),
            "0.000000004 1 !jump\n0.000000004 1 tick n=4\n0.000000005 1 tick n=5\n0.000000009 1 tick n=9\n");

  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  Events with_markers = trace.events({.markers = true});
  const Event* const event = with_markers.next();
  EXPECT_TRUE(event->is_jump());
  EXPECT_EQ(event->type().name(), "!jump");
  EXPECT_TRUE(event->payload().empty());
  EXPECT_FALSE(trace.events().next()->is_jump()) << "others see events alone";
}

TEST(ReservedRow, OfAJumpInTheMiddleOfABlockIsATimeBaseAndNoMore) {
  EXPECT_EQ(events_of_rows(Rows().tick(9, 9).time_base(3, EVT_TIME_BASE_JUMP).tick(1, 4)),
            "0.000000009 1 tick n=9\n0.000000004 1 tick n=4\n");
}

TEST(ReservedRow, OfAJumpStandsBeforeALossToo) {
  RawTrace raw = ordinary_trace().events(1, Rows().tick(9, 9));
  raw.events(1, Rows().time_base(3, EVT_TIME_BASE_JUMP).lost(1, 2, 1).tick(2, 5)).trailer();
  EXPECT_EQ(
      events_of(raw.bytes()),
      "0.000000004 1 !jump\n0.000000004 1 !lost count=2 cause=ring_full duration=0.000000000\n0.000000005 1 tick n=5\n"
      "0.000000009 1 tick n=9\n");
}

// A number of 32 bits that is a reserved one's is no event type's, and no marker's either.
TEST(ReservedRow, OfAWideTypeCannotPretendToBeAMarker) {
  const std::string bytes =
      ordinary_trace()
          .events(1,
                  Rows().wide(1, EVT_ROW_LOST, le64(99) + le16(1) + le64(0)).wide(2, EVT_ROW_TIME_BASE, "").tick(3, 3))
          .bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  while (const Event* event = events.next()) {
    EXPECT_FALSE(event->is_lost());
    EXPECT_FALSE(event->is_jump());
  }
}

TEST(ReservedRow, MayBeBig) {
  EXPECT_EQ(events_of_rows(Rows()
                               .big_row(1, EVT_ROW_LOST, le64(7) + le16(1) + le64(0))
                               .big_row(2, EVT_ROW_WIDE, le32(70000) + "x")
                               .big_row(2, EVT_ROW_PADDING, std::string(70000, 'p'))
                               .big_row(3, 1024, le64(3))),
            "0.000000001 1 !lost count=7 cause=ring_full duration=0.000000000\n0.000000002 1 type#70000 "
            "+0x78\n0.000000003 1 tick n=3\n");
}

}  // namespace
}  // namespace evt::testing
