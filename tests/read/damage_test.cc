// Damaged traces (FORMAT.md, section 10): what is lost is exactly what is damaged, is located, and the rest is read.
#include <gtest/gtest.h>

#include "read/raw_trace.h"

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
                   "damage 6..7: payload checksum is XXXXXXXX, header says XXXXXXXX\n"
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
                   "cut\n"}));
}

TEST(Damage, IsMoreThanSevenZeroBytesBetweenBlocks) {
  EXPECT_EQ(reading_of(five_events().insert(std::string(7, '\0'), 6)),
            lines({kAll,
                   "status damaged\n"
                   "damage 10: a TRAILER whose session has another length\n"
                   "cut\n"}));
  EXPECT_EQ(reading_of(five_events().insert(std::string(8, '\0'), 6)),
            lines({kAll,
                   "status damaged\n"
                   "damage 6+7..7: no block header\n"
                   "damage 10: a TRAILER whose session has another length\n"
                   "cut\n"}));
}

TEST(Damage, IsABlockThatStandsThereTwice) {
  EXPECT_EQ(reading_of(five_events().repeat(6)), lines({kAll,
                                                        "status damaged\n"
                                                        "damage 7..8: block 6 of its session again, after block 6\n"
                                                        "damage 10: a TRAILER whose session has another length\n"
                                                        "cut\n"}));
}

TEST(Damage, IsABlockThatIsGone) {
  EXPECT_EQ(reading_of(five_events().remove(6)), lines({kFront, kBack,
                                                        "status damaged\n"
                                                        "damage 6: block 6 of the session is missing\n"
                                                        "damage 8: a TRAILER whose session has another length\n"
                                                        "missing 1 of stream 1\n"
                                                        "cut\n"}));
}

TEST(Damage, IsSeveralBlocksThatAreGone) {
  EXPECT_EQ(reading_of(five_events().remove(5).remove(5).remove(5)),
            lines({kFirst,
                   "0.000000005 1 tick n=5\n"
                   "status damaged\n"
                   "damage 5: blocks 5 to 7 of the session are missing\n"
                   "damage 6: a TRAILER whose session has another length\n"
                   "missing 1 of stream 1\n"
                   "cut\n"}))
      << "stream 2 has no later block that tells how many are missing";
}

TEST(Damage, IsBlocksInTheWrongOrder) {
  EXPECT_EQ(reading_of(five_events().swap(5, 6)), lines({kFirst, "0.000000003 1 tick n=3\n", kBack,
                                                         "status damaged\n"
                                                         "damage 5: block 5 of the session is missing\n"
                                                         "damage 6..7: block 5 of its session again, after block 6\n"
                                                         "missing 1 of stream 2\n"}));
}

}  // namespace
}  // namespace evt::testing
