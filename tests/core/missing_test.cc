// How many rows are missing behind the last ones of their streams, which no later row shows.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// Blocks 4 to 7: EVENTS of streams 1, 2, 1 and 2, one, two, three and four events.
RawTrace ten_events() {
  RawTrace trace = ordinary_trace();
  std::uint32_t n = 0;
  for (std::uint32_t block = 1; block <= 4; ++block) {
    Rows rows;
    for (std::uint32_t i = 0; i < block; ++i) ++n, rows.tick(n, n);
    trace.events(block % 2 == 1 ? 1 : 2, rows);
  }
  return trace;
}

constexpr std::size_t kLastOfTwo = 7;

// Each as `rows of stream, from_ns to to_ns`. From header to header: who reads by an index meets damage in it.
std::string missing_text_of(const RawTrace& raw, const ReadOptions& options = {.use_index = false}) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes, options);
  std::string text;
  for (const MissingRows& missing : trace.missing()) {
    text += std::to_string(missing.rows) + " of stream " + std::to_string(missing.stream) + ", " +
            std::to_string(missing.from_ns) + " to " + std::to_string(missing.to_ns);
    text += missing.or_later ? " or later\n" : "\n";
  }
  return text + "in all " + std::to_string(trace.sessions().front().missing) + "\n";
}

TEST(Missing, BehindTheLastRowIsToldByTheIndex) {
  EXPECT_EQ(missing_text_of(ten_events().index().trailer().spoil_header(kLastOfTwo)),
            "4 of stream 2, 3 to 10\nin all 4\n");
}

TEST(Missing, OfAStreamOfWhichNothingIsLeftIsToldByTheIndex) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(3, Rows().tick(2, 2).tick(3, 3));
  EXPECT_EQ(missing_text_of(trace.index().trailer().spoil_header(5)), "2 of stream 3, 0 to 3\nin all 2\n");
}

TEST(Missing, IsToldWithoutAnEndWhereTheIndexMayMeanAnyOfSeveralClocks) {
  RawTrace trace = RawTrace().session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0});
  trace.clock({2, EVT_CLOCK_OTHER, 2'000'000'000, 1000, 100}).declare("type 1024 tick (n u64)\nstream 1 \"a\"\n");
  trace.events(1, Rows().tick(5, 1)).events(1, Rows().tick(10, 2), 1000, 2).index().trailer();
  EXPECT_EQ(missing_text_of(trace.spoil_header(6)), "1 of stream 1, 5 to 5 or later\nin all 1\n") << "at 105";
}

TEST(Missing, WithoutAnIndexIsToldByTheTrailer) {
  EXPECT_EQ(missing_text_of(ten_events().trailer().spoil_header(kLastOfTwo)),
            "4 of stream 0, 3 to 6 or later\nin all 4\n");
}

TEST(Missing, OfASessionThatWasCutIsAtLeastWhatTheLatestSyncSays) {
  SyncRecord sync;
  sync.clock_id = 1;
  sync.ticks = sync.ns = 10;
  sync.rows_before = 10;
  RawTrace trace = ten_events().sync(sync).events(1, Rows().tick(11, 11)).spoil_header(kLastOfTwo);
  EXPECT_EQ(missing_text_of(trace), "4 of stream 0, 3 to 11 or later\nin all 4\n")
      << "stream 1 goes on, stream 2 does not";
}

TEST(Missing, IsToldOnceWhereALaterRowTellsItToo) {
  RawTrace trace = ten_events().events(2, Rows().tick(11, 11));
  EXPECT_EQ(missing_text_of(trace.index().trailer().spoil_header(kLastOfTwo)), "4 of stream 2, 3 to 11\nin all 4\n");
}

TEST(Missing, OfRowsWhoseStreamsAreNotKnownIsPutToTheStreamsThatTheIndexTellsOf) {
  RawTrace trace = ten_events().gather(2).index().trailer();
  trace.part(6)[EVT_EVENTS_HEADER_SIZE + 2] ^= 1;  // in the table of the multiplexed rows
  EXPECT_EQ(missing_text_of(trace), "3 of stream 1, 1 to 6\n4 of stream 2, 3 to 10\nin all 7\n");
}

TEST(Missing, OfTheBlockInsideWhichTheFileEndsIsToldByItsHeader) {
  EXPECT_EQ(missing_text_of(ten_events().cut(EVT_EVENTS_HEADER_SIZE)), "4 of stream 2, 3 to 10\nin all 4\n");
}

TEST(Missing, OfAStreamThatHasOnlyTheBlockInsideWhichTheFileEndsIsToldToo) {
  EXPECT_EQ(missing_text_of(ten_events().events(3, Rows().tick(11, 11)).cut(120)),
            "1 of stream 3, 0 to 11\nin all 1\n");
}

TEST(Missing, OfMultiplexedRowsInsideWhichTheFileEndsIsToldByTheirTable) {
  RawTrace trace = ten_events().gather(2);
  EXPECT_EQ(missing_text_of(trace.cut(trace.part(6).size() - EVT_ALIGNMENT)),
            "3 of stream 1, 1 to 6\n4 of stream 2, 3 to 10\nin all 7\n");
}

TEST(Missing, IsNotKnownWhereTheFileEndsInsideTheTableOfMultiplexedRows) {
  EXPECT_EQ(missing_text_of(ten_events().gather(2).cut(EVT_EVENTS_HEADER_SIZE + 4)), "in all 0\n");
}

TEST(Missing, IsNothingOfABlockThatIsThereAgainAndInsideWhichTheFileEnds) {
  EXPECT_EQ(missing_text_of(ten_events().repeat(kLastOfTwo).cut(120)), "in all 0\n");
}

TEST(Missing, BlockInsideWhichTheFileEndsSaysWhatItsStreamHadLost) {
  RawTrace trace = ten_events().events_header([](EventsHeader& events) { events.lost_total = 5; });
  EXPECT_EQ(open_trace(trace.cut(120).bytes()).sessions().front().lost, 5u);
}

TEST(Missing, IsNothingWhereAnIndexLiesAndAllBlocksAreThere) {
  const auto one_more = [](IndexClaims& claims) { claims.streams.back().rows += 1; };
  EXPECT_EQ(missing_text_of(ten_events().index(one_more).trailer(), {.use_index = false, .check_index = true}),
            "in all 0\n");
}

// Whatever is spoilt, what is there and what is missing are all that there was.
TEST(Missing, AndWhatIsThereAreAllThatThereWas) {
  const RawTrace whole = ten_events().index().trailer();
  for (std::size_t block = 4; block <= kLastOfTwo; ++block) {
    for (const bool header : {true, false}) {
      RawTrace trace = whole;
      const std::string bytes = (header ? trace.spoil_header(block) : trace.spoil_payload(block)).bytes();
      Trace opened = open_trace(bytes);
      std::uint64_t count = 0;
      for (Events events = opened.events(); events.next() != nullptr;) ++count;
      EXPECT_EQ(count + opened.sessions().front().missing, 10u) << "block " << block;
      std::uint64_t listed = 0;
      for (const MissingRows& missing : opened.missing()) listed += missing.rows;
      EXPECT_EQ(listed, block - 3) << "block " << block;
    }
  }
}

}  // namespace
}  // namespace evt::testing
