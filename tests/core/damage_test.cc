// Damaged traces (FORMAT.md, section 10): what is lost is exactly what is damaged, is located, and the rest is read.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// Blocks 4 to 8: EVENTS of streams 1, 2, 1, 2, 1, with one event each, n = 1 to 5. Block 9: TRAILER.
RawTrace five_events() {
  RawTrace trace = ordinary_trace();
  for (std::uint32_t n = 1; n <= 5; ++n) trace.events(n % 2 == 1 ? 1 : 2, Rows().tick(n, n));
  return trace.trailer();
}

constexpr const char* kFirst = "0.000000001 1 tick n=1\n";
constexpr const char* kFront = "0.000000001 1 tick n=1\n0.000000002 2 tick n=2\n";
constexpr const char* kBack = "0.000000004 2 tick n=4\n0.000000005 1 tick n=5\n";
constexpr const char* kAll =
    "0.000000001 1 tick n=1\n0.000000002 2 tick n=2\n0.000000003 1 tick n=3\n"
    "0.000000004 2 tick n=4\n0.000000005 1 tick n=5\n";

TEST(Damage, IsNoneInAWholeTrace) { EXPECT_EQ(reading_of(five_events()), kAll); }

TEST(Damage, OfAPayloadCostsItsRowsAlone) {
  EXPECT_EQ(reading_of(five_events().spoil_payload(6)),
            lines({kFront, kBack,
                   "status damaged\n"
                   "damage 6..7: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
                   "missing 1 of stream 1\n"}));
}

TEST(Damage, OfAHeaderCostsItsRowsAlone) {
  EXPECT_EQ(reading_of(five_events().spoil_header(6)), lines({kFront, kBack,
                                                              "status damaged\n"
                                                              "damage 6..7: a block header whose checksum is wrong\n"
                                                              "missing 1 of stream 1\n"}));
}

TEST(Damage, BetweenBlocksCostsNothingElse) {
  EXPECT_EQ(reading_of(five_events().insert("garbage of 19 bytes", 6)),
            lines({kAll,
                   "status damaged\n"
                   "damage 6..7: no block header\n"
                   "damage 10: a TRAILER whose session has another length\n"
                   "truncated\n"}));
}

TEST(Damage, IsMoreThanSevenZeroBytesBetweenBlocks) {
  EXPECT_EQ(reading_of(five_events().insert(std::string(7, '\0'), 6)),
            lines({kAll,
                   "status damaged\n"
                   "damage 10: a TRAILER whose session has another length\n"
                   "truncated\n"}));
  EXPECT_EQ(reading_of(five_events().insert(std::string(8, '\0'), 6)),
            lines({kAll,
                   "status damaged\n"
                   "damage 6+7..7: no block header\n"
                   "damage 10: a TRAILER whose session has another length\n"
                   "truncated\n"}));
}

TEST(Damage, IsABlockThatStandsThereTwice) {
  EXPECT_EQ(reading_of(five_events().repeat(6)), lines({kAll,
                                                        "status damaged\n"
                                                        "damage 7..8: block 6 of its session again, after block 6\n"
                                                        "damage 10: a TRAILER whose session has another length\n"
                                                        "truncated\n"}));
}

TEST(Damage, IsABlockThatIsGone) {
  EXPECT_EQ(reading_of(five_events().remove(6)), lines({kFront, kBack,
                                                        "status damaged\n"
                                                        "damage 6: block 6 of the session is missing\n"
                                                        "damage 8: a TRAILER whose session has another length\n"
                                                        "missing 1 of stream 1\n"
                                                        "truncated\n"}));
}

TEST(Damage, IsSeveralBlocksThatAreGone) {
  EXPECT_EQ(reading_of(five_events().remove(5).remove(5).remove(5)),
            lines({kFirst,
                   "0.000000005 1 tick n=5\n"
                   "status damaged\n"
                   "damage 5: blocks 5 to 7 of the session are missing\n"
                   "damage 6: a TRAILER whose session has another length\n"
                   "missing 1 of stream 1\n"
                   "missing 2 of some stream\n"
                   "truncated\n"}))
      << "stream 2 has no later block: TRAILER alone tells how many are missing";
}

TEST(Damage, IsBlocksInTheWrongOrder) {
  EXPECT_EQ(reading_of(five_events().swap(5, 6)), lines({kAll,
                                                         "status damaged\n"
                                                         "damage 6: block 5 of its session comes after block 6\n"}));
}

// A tool that recovers a ring may find rows that were flushed already; its blocks have no numbers.
RawTrace::ChangeHeader recovered() {
  return [](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED, h.flags = EVT_FLAG_RECOVERED; };
}

TEST(Damage, IsNoneInRowsThatAreThereAlready) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1).tick(2, 2));
  trace.repeat(4).header(recovered(), 5).events(1, Rows().tick(3, 3)).header(recovered());
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000003 1 tick n=3\n"
            "status truncated\n"
            "truncated\n");
}

TEST(Damage, IsNoneInRowsOfWhichSomeAreThereAlready) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1).tick(2, 2)).events(1, Rows().tick(2, 2).tick(3, 3));
  trace.events_header([](EventsHeader& e) { e.first_ordinal = 1; });
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000003 1 tick n=3\nstatus truncated\ntruncated\n");
}

TEST(Damage, IsNoneInRowsThatWereRecovered) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).header(recovered());
  trace.events(2, Rows().tick(3, 3)).header(recovered());
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000003 2 tick n=3\nstatus truncated\ntruncated\n");
}

TEST(Damage, IsNoneAndNoCutEitherWhereAllOfARingWasRecovered) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).header(recovered());
  trace.session().header(recovered());
  EXPECT_EQ(reading_of(trace), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\ntruncated\n");
}

// Damage that is met while rows are read is listed in the order in which it is met, which depends on the memory.
std::string sorted_damage(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> damage;
  std::string sorted;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("damage ")) {
      damage.insert(line);
    } else {
      sorted += line + "\n";
    }
  }
  for (const std::string& line : damage) sorted += line + "\n";
  return sorted;
}

TEST(Damage, IsTheSameHoweverLittleMemoryThereIs) {
  RawTrace trace = ordinary_trace();
  for (std::uint32_t block = 0; block < 9; ++block) {
    Rows rows;
    for (std::uint32_t n = 0; n < 500; ++n) rows.tick(block * 500 + n, n);
    if (block % 3 == 1) rows.raw(le32(1) + le16(1024) + le16(7)).tick(1, 1);  // a row that lies, far from the front
    trace.events(1 + block % 2, rows);
  }
  trace.trailer().spoil_payload(6).spoil_header(9);
  const std::string expected = sorted_damage(reading_of(trace));
  EXPECT_EQ(expected.substr(expected.find("status")),
            "status damaged\n"
            "missing 502 of stream 1\n"
            "missing 504 of stream 2\n"
            "damage 11..12: row 2002 of stream 2 claims 7 bytes, 24 are left in its block\n"
            "damage 5..6: row 500 of stream 2 claims 7 bytes, 24 are left in its block\n"
            "damage 6..7: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
            "damage 8..9: row 1500 of stream 1 claims 7 bytes, 24 are left in its block\n"
            "damage 9..10: a block header whose checksum is wrong\n");
  for (const std::size_t budget : std::vector<std::size_t>{0, 1, 10'000, 65'536}) {
    ReadOptions options;
    options.memory_budget = budget;
    EXPECT_EQ(sorted_damage(reading_of(trace, options)), expected) << budget;
  }
}

}  // namespace
}  // namespace evt::testing
