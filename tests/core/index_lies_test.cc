// Indexes that describe what is not so. A reader that uses them reports that, and reads as if there were none.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr ReadOptions kIndexUnused{.use_index = false};
constexpr ReadOptions kChecking{.check_index = true};

// Blocks 0 to 3 metadata; 4, 5, 6 ticks of stream 1, 2, 1; 7 the index; 8 TRAILER.
class LyingIndex : public ::testing::Test {
 protected:
  static RawTrace ticks() {
    RawTrace trace = ordinary_trace();
    return trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(2, 2)).events(1, Rows().tick(3, 3).tick(4, 4));
  }
  static RawTrace with(const RawTrace::ChangeIndex& change) { return ticks().index(change).trailer(); }
  // The same behind many other blocks, so that 260, 261, 262 have the ticks.
  static RawTrace with_many(const RawTrace::ChangeIndex& change) {
    RawTrace trace = ordinary_trace();
    for (int i = 0; i < 256; ++i) trace.events(9, Rows().row(0, EVT_ROW_PADDING, ""));
    trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(2, 2)).events(1, Rows().tick(3, 3).tick(4, 4));
    return trace.index(change).trailer();
  }
  static RawTrace with_trailer(const RawTrace::ChangeTrailer& change) { return ticks().index().trailer(change); }
  // Rows are there, and the damage besides.
  static void expect_not_used(const RawTrace& trace, const std::string& damage) {
    const std::string without = reading_of(trace, kIndexUnused);
    EXPECT_EQ(without, events_of(trace.bytes(), kIndexUnused)) << "the blocks themselves are right";
    EXPECT_EQ(reading_of(trace), without + "status damaged\ndamage " + damage + "\n");
  }
  static void expect_found_by_check(const RawTrace& trace, const std::string& damage) {
    EXPECT_EQ(reading_of(trace, kChecking),
              events_of(trace.bytes(), kIndexUnused) + "status damaged\ndamage " + damage + "\n");
  }
};

TEST_F(LyingIndex, IsAnotherThanARightOne) {
  const RawTrace right = with({});
  EXPECT_EQ(reading_of(right, kChecking), reading_of(right));
  EXPECT_EQ(reading_of(right), events_of(right.bytes()));
}

TEST_F(LyingIndex, WhosePayloadIsDamaged) {
  expect_not_used(with({}).spoil_payload(7),
                  "7: the index is not used: the payload checksum of an INDEX block is wrong");
}

TEST_F(LyingIndex, WhoseHeaderIsDamagedIsDamageAndNothingElse) {
  const RawTrace trace = with({}).spoil_header(7);
  EXPECT_EQ(reading_of(trace), reading_of(trace, kIndexUnused));
}

TEST_F(LyingIndex, ThatStandsElsewhere) {
  const auto place = [](std::int64_t by) {
    return with_trailer([by](TrailerRecord& facts) { facts.index_distance += static_cast<std::uint64_t>(by); });
  };
  for (const std::int64_t by : {8, -8}) {
    const RawTrace trace = place(by);
    const std::uint64_t at = trace.offset_of(7) - static_cast<std::uint64_t>(by);
    expect_not_used(trace, trace.place(at) + ": the index is not used: no INDEX block that ends at " +
                               std::to_string(trace.offset_of(8)) + " is here");
  }
  expect_not_used(place(1 << 20), "8: the index is not used: by TRAILER it is before its session");
  expect_found_by_check(place(8), "8: by TRAILER the last INDEX block is " +
                                      std::to_string(with({}).part(7).size() + 8) + " bytes before it, it is " +
                                      std::to_string(with({}).part(7).size()));
}

TEST_F(LyingIndex, ThatIsOlderThanWhatStandsBehindIt) {
  RawTrace trace = ticks().index();
  trace.events(1, Rows().tick(9, 9)).trailer();
  expect_not_used(trace, "7: the index is not used: no INDEX block that ends at " + std::to_string(trace.offset_of(9)) +
                             " is here");
}

TEST_F(LyingIndex, WhosePredecessorCannotBe) {
  for (const std::uint64_t distance : {std::uint64_t{1}, std::uint64_t{1} << 40, UINT64_MAX}) {
    expect_not_used(with([=](IndexClaims& claims) { claims.previous_distance = distance; }),
                    "7: the index is not used: the INDEX block before this one cannot be at its place");
  }
}

TEST_F(LyingIndex, ThatLeavesOutTheFront) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.entries.erase(claims.entries.begin()); });
  const std::string size = std::to_string(trace.part(0).size());
  expect_not_used(trace,
                  "7: the index is not used: no INDEX block describes the first " + size + " bytes of its session");
  expect_found_by_check(trace, "7: the index has a block of type 2 and " + std::to_string(trace.part(1).size()) +
                                   " bytes at " + size + ", which is not there");
}

TEST_F(LyingIndex, WhoseEntriesOverlapWhatFollows) {
  expect_not_used(with([](IndexClaims& claims) { claims.entries[4].size += 8, claims.more_covered = -8; }),
                  "7: the index is not used: entry 6 of an INDEX block reaches over it");
}

TEST_F(LyingIndex, WhoseEntriesLeaveAGap) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.entries[4].size -= 8, claims.more_covered = 8; });
  const std::string size = std::to_string(trace.offset_of(7));
  expect_not_used(trace, "7: the index is not used: an INDEX block describes " +
                             std::to_string(trace.offset_of(7) - 8) + " bytes, of " + size + " before it");
}

TEST_F(LyingIndex, WhoseEntriesBeginElsewhere) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.entries[2].size += 8, claims.entries[3].size -= 8; });
  const std::string size = std::to_string(trace.part(2).size() + 8);
  expect_not_used(trace,
                  "2: the index is not used: by it block 2 is here, of type 3 and " + size + " bytes, and it is not");
}

TEST_F(LyingIndex, ThatCallsABlockByAnotherType) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.entries[3].type = EVT_BLOCK_SYNC; });
  const std::string size = std::to_string(trace.part(3).size());
  expect_not_used(trace,
                  "3: the index is not used: by it block 3 is here, of type 7 and " + size + " bytes, and it is not");
}

TEST_F(LyingIndex, ThatReachesOutsideItsSession) {
  const RawTrace first = ordinary_trace(1).trailer();
  RawTrace trace = first;
  trace.append(
      with([&](IndexClaims& claims) { claims.entries.insert(claims.entries.begin(), claim_of(first.part(0))); }));
  expect_not_used(trace, "12: the index is not used: an INDEX block describes more than its session");
}

TEST_F(LyingIndex, ThatReachesOutsideItsFile) {
  expect_not_used(with([](IndexClaims& claims) { claims.more_covered = 1 << 20; }),
                  "7: the index is not used: an INDEX block that describes more than what is before it");
}

TEST_F(LyingIndex, WithOtherRowsThanTrailer) {
  expect_not_used(with([](IndexClaims& claims) {
                    claims.entries[6].events.row_count = 1;
                    claims.entries[6].row_types.pop_back();
                  }),
                  "8: the index is not used: it has 3 rows, TRAILER 4");
}

TEST_F(LyingIndex, WithOtherCountsThanRows) {
  expect_not_used(with([](IndexClaims& claims) { claims.entries[6].row_types.pop_back(); }),
                  "7: the index is not used: entry 6 of an INDEX block makes no sense");
}

TEST_F(LyingIndex, WithMoreRowsThanABlockCanHold) {
  expect_not_used(with([](IndexClaims& claims) {
                    claims.entries[6].events.row_count = 1'000'000;
                    claims.entries[6].row_types.clear();
                  }),
                  "7: the index is not used: entry 6 of an INDEX block makes no sense");
}

TEST_F(LyingIndex, WithOtherOrdinals) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.entries[6].events.first_ordinal = 0; });
  expect_not_used(trace, "6: the index and the header of these rows differ");
  expect_found_by_check(trace, "6: the index and the header of these rows differ");
}

TEST_F(LyingIndex, WithATableOfOtherRows) {
  const RawTrace trace = with([](IndexClaims& claims) { claims.streams[1].rows = 9; });
  expect_not_used(trace, "7: the index is not used: its table has 9 rows of stream 2, its blocks 1");
  expect_found_by_check(trace, "7: by the index stream 2 has 9 rows at ticks 2 to 2; it has 1, at 2 to 2");
}

TEST_F(LyingIndex, WithMoreEntriesThanBytes) {
  RawTrace trace = ticks();
  const std::string payload = le16(32) + le16(0) + le32(UINT32_MAX) + le64(0) + le64(trace.offset_of(7)) + le32(9) +
                              le32(0) + std::string("\x06\x06\xff\xff\xff\xff\x7f", 7) + "\1\1";
  const std::uint64_t begin = trace.offset_of(7);
  trace.block(EVT_BLOCK_INDEX, payload);
  const std::uint64_t distance = trace.offset_of(8) - begin;
  trace.trailer([=](TrailerRecord& facts) { facts.index_distance = distance; });
  expect_not_used(trace, "7: the index is not used: entry 0 of an INDEX block makes no sense");
}

TEST_F(LyingIndex, WhosePartsAreLargerThanIt) {
  for (const std::string& sizes : {le32(UINT32_MAX) + le32(0), le32(0) + le32(UINT32_MAX)}) {
    RawTrace trace = ticks();
    const std::uint64_t begin = trace.offset_of(7);
    trace.block(EVT_BLOCK_INDEX, le16(32) + le16(0) + le32(1) + le64(0) + le64(begin) + sizes);
    const std::uint64_t distance = trace.offset_of(8) - begin;
    trace.trailer([=](TrailerRecord& facts) { facts.index_distance = distance; });
    expect_not_used(trace, "7: the index is not used: an INDEX block whose parts do not fit it");
  }
}

// What only the header of a block shows is met before, if there are few blocks.
TEST_F(LyingIndex, AboutAFewBlocksCostsNothing) {
  for (const RawTrace::ChangeIndex& change :
       {RawTrace::ChangeIndex([](IndexClaims& claims) {
          claims.entries[5].events.stream_id = 3;
          claims.streams[1].id = 3;
        }),
        RawTrace::ChangeIndex([](IndexClaims& claims) { claims.entries[5].events.first_ticks = 1; }),
        RawTrace::ChangeIndex([](IndexClaims& claims) { claims.entries[5].events.clock_id = 2; })}) {
    expect_not_used(with(change), "5: the index and the header of these rows differ");
    expect_found_by_check(with(change), "5: the index and the header of these rows differ");
  }
}

// Of more blocks it is met when their rows are read.

TEST_F(LyingIndex, AboutAStreamCostsTheRows) {
  const RawTrace trace = with_many([](IndexClaims& claims) {
    claims.entries[261].events.stream_id = 3;
    claims.streams[1].id = 3;
  });
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "0.000000003 1 tick n=3\n"
            "0.000000004 1 tick n=4\n"
            "status damaged\n"
            "damage 261..262: the index has 1 rows from 0 on of stream 3 on clock 1, the header 1 rows from 0 on of "
            "stream 2 on clock 1\n"
            "missing 1 of stream 3\n");
  expect_found_by_check(trace, "261: the index and the header of these rows differ");
}

TEST_F(LyingIndex, AboutABlocksNumberCostsTheRows) {
  RawTrace trace = with_many({});
  trace.header([](BlockHeader& h) { h.block_no = 2; }, 261);
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "0.000000003 1 tick n=3\n"
            "0.000000004 1 tick n=4\n"
            "status damaged\n"
            "damage 261..262: by the index block 261 is here, by its header it is block 2\n"
            "missing 1 of stream 2\n");
  EXPECT_EQ(events_of(trace.bytes(), kIndexUnused), event_lines(reading_of(trace)))
      << "a block of that number was before";
}

TEST_F(LyingIndex, AboutTimesCostsNoRows) {
  const RawTrace trace = with_many([](IndexClaims& claims) { claims.entries[261].events.first_ticks = 1; });
  EXPECT_EQ(reading_of(trace), events_of(trace.bytes(), kIndexUnused) +
                                   "status damaged\ndamage 261: the index has ticks 1 to 2 and 0 lost, the header 2 to "
                                   "2 and 0\n");
  expect_found_by_check(trace, "261: the index and the header of these rows differ");
}

TEST_F(LyingIndex, AboutALaterBeginningKeepsTheOrderItPromised) {
  const RawTrace trace = with_many([](IndexClaims& claims) {
    claims.entries[261].events.first_ticks = claims.entries[261].events.last_ticks = 4;
    claims.streams[1].last_ticks = 4;
  });
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n"
            "0.000000003 1 tick n=3\n"
            "0.000000004 1 tick n=4\n"
            "0.000000002 2 tick n=2\n"
            "status damaged\n"
            "damage 261: the index has ticks 4 to 4 and 0 lost, the header 2 to 2 and 0\n");
}

TEST_F(LyingIndex, IsSaidOnceHoweverOftenItIsRead) {
  const std::string bytes = with_many([](IndexClaims& claims) {
                              claims.entries[261].events.stream_id = 3;
                              claims.entries[262].events.first_ticks = 2;
                              claims.streams.clear();
                            }).bytes();
  auto trace = Trace::from_memory(as_bytes(bytes));
  for (int i = 0; i < 2; ++i) {
    Events events = trace->events();
    while (events.next() != nullptr) {
    }
    EXPECT_EQ(trace->damage().size(), 2u);
  }
}

}  // namespace
}  // namespace evt::testing
