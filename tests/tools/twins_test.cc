// What a cut states of itself: which types are twins, and what it left out; and who heeds it.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kWork =
    "type 1024 begin role=spanBegin (name text role=name)\n"
    "type 1025 end role=spanEnd\n"
    "type 1026 carried.begin (n u8)\n"
    "type 1027 tick\n"
    "stream 1 \"a\"\n"
    "stream 2 \"b\"\n"
    "0.100000000 1 begin name=\"outer\"\n"
    "0.200000000 1 carried.begin n=1\n"
    "0.300000000 2 tick\n"
    "0.400000000 1 tick\n"
    "0.500000000 1 end\n"
    "0.600000000 1 begin name=\"late\"\n"
    "0.700000000 1 end\n";

class CutStates : public AtTheShell {
 protected:
  CutStates() { given_trace("x.evt", kWork); }
  // The line of the header.
  Outcome left_out(const std::string& options) const {
    return run("evt cut " + options + " x.evt -o y.evt && evt dump --header y.evt | sed -n 's/^left out *//p'");
  }
};

TEST_F(CutStates, OfWhichTypeATwinIs) {
  EXPECT_EQ(run("evt cut --from 0.3 x.evt -o y.evt && evt dump --canonical y.evt | grep twin_of"),
            prints("type 1028 carried.begin role=spanBegin twin_of=\"begin\" (name text role=name) "
                   "(since ticks \"when it began\")\n"))
      << "though the program has a type of this name";
}

TEST_F(CutStates, OfWhichTypeATwinIsWhenItIsMergedToo) {
  given_trace("other.evt",
              "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e02\n"
              "type 1024 begin (n u8)\nstream 1 \"a\"\n0.100000000 1 begin n=1\n");
  EXPECT_EQ(run("evt cut --from 0.3 x.evt -o y.evt; evt merge other.evt y.evt -o z.evt 2>/dev/null; "
                "evt dump --canonical z.evt | grep -o 'twin_of=[^ ]*'"),
            prints("twin_of=\"begin\"\n"));
}

TEST_F(CutStates, ThatNothingIsLeftOut) { EXPECT_EQ(left_out(""), prints("")); }

TEST_F(CutStates, WhichTimesAreLeftOut) {
  EXPECT_EQ(left_out("--from 0.2 --to 0.6"), prints("before 0.200000000; after 0.600000000\n"));
  EXPECT_EQ(left_out("--to 0.6"), prints("after 0.600000000\n"));
}

TEST_F(CutStates, WhichStreamsAndTypesAreLeftOut) {
  EXPECT_EQ(left_out("--stream a"), prints("1 stream: b\n"));
  EXPECT_EQ(left_out("--event tick"), prints("3 types: begin end carried.begin\n"));
}

TEST_F(CutStates, HowEventsAreSampled) {
  EXPECT_EQ(left_out("--every 2"), prints("all but 1 of 2 events of each stream and type\n"));
  EXPECT_EQ(left_out("--every 10ms"), prints("all but some events of each stream and type\n"));
  EXPECT_EQ(left_out("--every 1"), prints(""));
}

TEST_F(CutStates, ThatEventsAreLeftOutByWhatIsInThem) {
  EXPECT_EQ(run("evt cut --thread 7 x.evt -o y.evt 2>/dev/null; evt dump --header y.evt | sed -n 's/^left out *//p'"),
            prints("events by what is in them\n"));
}

TEST_F(CutStates, WhatTheTraceBeforeItLeftOutToo) {
  EXPECT_EQ(run("evt cut --every 2 --stream a x.evt -o y.evt && evt cut --every 3 --to 0.5 y.evt -o z.evt && "
                "evt dump --header z.evt | sed -n 's/^left out *//p'"),
            prints("all but 1 of 6 events of each stream and type; after 0.500000000; 1 stream: b\n"));
}

TEST_F(CutStates, WhatItLeftOutWhenItIsMergedAndStoredOtherwise) {
  EXPECT_EQ(run("evt cut --every 2 x.evt -o y.evt && evt merge y.evt -o z.evt 2>/dev/null && evt dump --header z.evt | "
                "sed -n 's/^left out *//p'"),
            prints("all but 1 of 2 events of each stream and type\n"));
  EXPECT_EQ(run("evt convert --columns y.evt -o z.evt && evt dump --header z.evt | sed -n 's/^left out *//p'"),
            prints("all but 1 of 2 events of each stream and type\n"));
}

TEST_F(CutStates, ThatEventsAreSampledSoThatNothingPairsThem) {
  ASSERT_EQ(run("evt cut --every 2 x.evt -o y.evt"), prints(""));
  EXPECT_EQ(
      run("evt stats spans y.evt"),
      refuses(3,
              "evt stats: y.evt: spans: not computed, because events were sampled, which leaves out all but 1 of 2 "
              "events of each stream and type\n"));
  const Outcome some = run("evt stats spans,events --csv y.evt");
  EXPECT_EQ(some.status, 1);
  EXPECT_NE(some.out.find("tick"), std::string::npos);
  EXPECT_EQ(
      some.err,
      "evt stats: y.evt: spans: not computed, because events were sampled, which leaves out all but 1 of 2 events of "
      "each stream and type\n"
      "evt stats: y.evt: only the events that sampling kept are counted: it left out all but 1 of 2 events of each "
      "stream and type\n");
  EXPECT_EQ(run("evt stats spans x.evt >/dev/null"), prints(""));
}

}  // namespace
}  // namespace evt::testing
