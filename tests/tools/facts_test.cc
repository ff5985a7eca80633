// Facts at the shell: what shows them, and what keeps them in traces that are made of others.
#include "traces_to_merge.h"

namespace evt::testing {
namespace {

constexpr std::string_view kLines =
    "fact 0.000000000 session service.name \"shop\"\n"
    "fact 0.500000000 stream 1 evt.name \"worker\"\n"
    "fact 0.600000000 stream 2 evt.name \"of none\"\n"
    "fact 0.700000000 type 1024 org.example.color \"red\"\n"
    "type 1024 tick (n u8)\n"
    "stream 1 \"a\"\n"
    "0.100000000 1 tick n=1\n"
    "0.900000000 1 tick n=2\n";

class Facts : public TracesToMerge {
 protected:
  void given_shop() { given_trace("x.evt", kLines); }
};

TEST_F(Facts, AreInTheTextFormAndComeBack) { expect_same_text(kLines); }

TEST_F(Facts, HaveKeysAndValuesOfAnyBytes) {
  expect_same_text("fact -1.000000000 session \"a b\\x00\\xff\" \"\\\"\\n\\x00\\x1b[31m\"\n");
}

TEST_F(Facts, OfWhichTheLastLineCountsAreWrittenOnce) {
  EXPECT_EQ(text_of_trace(trace_from_text("fact 1 session a.b \"x\"\nfact 2 session a.b \"y\"\n")),
            "fact 2.000000000 session a.b \"y\"\n");
}

TEST_F(Facts, ThatMakeNoSenseAreRefusedByLineAndColumn) {
  const auto refusal = [&](std::string_view line) {
    given_text("x.txt", line);
    return run("evt convert x.txt -o x.evt").err;
  };
  const std::string front = "evt convert: x.txt: line 3, ";
  EXPECT_EQ(refusal("fact 0 clock 1 a.b \"x\"\n"), front + "column 8: expected session, stream or type; found clock\n");
  EXPECT_EQ(refusal("fact 0 session a.b x\n"), front + "column 20: expected a value in quotes\n");
  EXPECT_EQ(refusal("fact 0 session a.b \"" + std::string(65536, 'x') + "\"\n"),
            front + "column 20: a value has at most 65535 bytes\n");
  EXPECT_EQ(refusal("fact 0 session " + std::string(1025, 'k') + " \"x\"\n"),
            front + "column 1: fact " + std::string(64, 'k') + "...: its key has 1025 bytes, more than 1024\n");
}

TEST_F(Facts, AreShownWithTheHeaderAndTheStreams) {
  given_shop();
  EXPECT_EQ(run("evt dump --header x.evt | grep ^fact"),
            prints("fact      service.name=\"shop\"\nfact      type 1024: org.example.color=\"red\"\n"));
  EXPECT_EQ(run("evt dump --streams x.evt"),
            prints("stream  name    thread  process  rows  lost        first         last\n"
                   "     1  worker       -        -     2     0  0.100000000  0.900000000\n"
                   "fact      stream 1: evt.name=\"worker\"\n"
                   "fact      stream 2: evt.name=\"of none\"\n"));
  EXPECT_EQ(run("evt dump --stream worker x.evt"),
            prints("   0.100000000  worker  tick n=1\n   0.900000000  worker  tick n=2\n"));
}

TEST_F(Facts, AreInTheFindingsForPrograms) {
  given_trace("x.evt", "fact 1 session service.name \"shop\"\nstream 1 \"a\"\n");
  EXPECT_EQ(run("evt check --json x.evt | grep -o '\"facts\":.*],\"end\"'"),
            prints("\"facts\":[{\"scope\":\"session\",\"id\":0,\"ns\":1000000000,\"key\":\"service.name\","
                   "\"value\":\"shop\"}],\"end\"\n"));
}

TEST_F(Facts, AreKeptByACutWithWhatTheyAreAbout) {
  given_trace("x.evt",
              std::string(kLines) +
                  "type 1025 tock\nstream 3 \"c\"\nfact 0 stream 3 evt.name \"other\"\nfact 0 type 1025 a.b \"x\"\n"
                  "0.300000000 3 tock\n");
  EXPECT_EQ(run("evt cut --stream worker x.evt -o y.evt && evt dump --canonical y.evt | grep -v '^evtrace\\|^session'"),
            prints("fact 0.000000000 session service.name \"shop\"\n"
                   "fact 0.500000000 stream 1 evt.name \"worker\"\n"
                   "fact 0.700000000 type 1024 org.example.color \"red\"\n"
                   "type 1024 tick (n u8)\n"
                   "stream 1 \"a\"\n"
                   "0.100000000 1 tick n=1\n"
                   "0.900000000 1 tick n=2\n"));
}

TEST_F(Facts, AreLeftOutOfAnAnonymousCut) {
  given_shop();
  EXPECT_EQ(run("evt cut --anonymous x.evt -o y.evt && ! grep -q 'shop\\|worker\\|color' y.evt"), prints(""));
}

TEST_F(Facts, StayInOtherFormsOfATrace) {
  given_shop();
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt && evt dump --canonical x.evt > x.out &&"
                " evt dump --canonical y.evt | cmp - x.out"),
            prints(""));
}

TEST_F(Facts, AreKeptByARepair) {
  given_shop();
  EXPECT_EQ(run("evt check --repair y.evt x.evt > out && evt dump --canonical y.evt | grep ^fact"),
            prints("fact 0.000000000 session service.name \"shop\"\n"
                   "fact 0.500000000 stream 1 evt.name \"worker\"\n"
                   "fact 0.600000000 stream 2 evt.name \"of none\"\n"
                   "fact 0.700000000 type 1024 org.example.color \"red\"\n"));
}

TEST_F(Facts, OfMergedSessionsAreOfPartsAndWhatIsRenumberedIsFound) {
  given("a.evt", 1, 0,
        "fact 0 session service.name \"shop\"\nfact 0 stream 4 evt.name \"left\"\ntype 1024 tick\nstream 4 \"a\"\n"
        "0.1 4 tick\n");
  given("b.evt", 2, 500,
        "fact 0.001 session service.name \"bank\"\nfact 0 stream 4 evt.name \"right\"\nfact 0 type 1024 a.b \"x\"\n"
        "type 1024 tock\nstream 4 \"a\"\n0.2 4 tock\n");
  EXPECT_EQ(run("evt merge a.evt b.evt -o m.evt 2> notes && evt dump --header --streams m.evt | grep ^fact"),
            prints("fact      type 1025: a.b=\"x\"\n"
                   "fact      part a.evt: evt.start_utc_ns=\"1767225600000000000\"\n"
                   "fact      part a.evt: process.executable.name=\"a.evt\"\n"
                   "fact      part a.evt: process.pid=\"11\"\n"
                   "fact      part a.evt: service.name=\"shop\"\n"
                   "fact      part b.evt: evt.start_utc_ns=\"1767225600000500000\"\n"
                   "fact      part b.evt: process.executable.name=\"b.evt\"\n"
                   "fact      part b.evt: process.pid=\"12\"\n"
                   "fact      part b.evt: service.name=\"bank\"\n"
                   "fact      stream 1: evt.name=\"left\"\n"
                   "fact      stream 2: evt.name=\"right\"\n"));
  EXPECT_EQ(run("evt check --json m.evt | grep -o '\"id\":1,\"ns\":[0-9]*,\"key\":\"service.name\"'"),
            prints("\"id\":1,\"ns\":1500000,\"key\":\"service.name\"\n"));
}

TEST_F(Facts, ThatTheMergedTraceHasNothingForAreLeftOutAndCounted) {
  given("a.evt", 1, 0, "fact 0 stream 9 evt.name \"of none\"\nfact 0 type 77 a.b \"x\"\nstream 1 \"a\"\n");
  given("b.evt", 2, 0, "stream 1 \"b\"\n");
  const Outcome outcome = run("evt merge a.evt b.evt -o m.evt");
  EXPECT_NE(outcome.err.find("evt merge: a.evt: 2 facts left out, about what the merged trace does not have\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run("evt dump --streams m.evt | grep ^fact; evt check m.evt"),
            prints("m.evt: session of a.evt+b.evt, 0 events, 0 lost: closed\n"));
}

}  // namespace
}  // namespace evt::testing
