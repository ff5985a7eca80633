// evt convert --columns and --rows: the same trace in another form.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Recode : public AtTheShell {
 protected:
  // A trace of many events.
  Recode() {
    std::string lines =
        "type 1024 say (what text)\n"
        "stream 1 \"m\"\n";
    for (int i = 0; i < 5000; ++i) lines += "0." + std::to_string(100'000'000 + i) + " 1 say what=\"hello\"\n";
    given_text("x.txt", lines);
    EXPECT_EQ(run("evt convert x.txt -o x.evt"), prints(""));
  }
  std::size_t size_of(const std::string& name) { return content_of(name).size(); }
};

TEST_F(Recode, ColumnsTakeLessSpaceAndHaveTheSameEvents) {
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt"), prints(""));
  EXPECT_LT(size_of("y.evt"), size_of("x.evt") / 5);
  EXPECT_EQ(run("evt dump --canonical x.evt > x.out && evt dump --canonical y.evt | cmp - x.out"), prints(""));
}

TEST_F(Recode, RowsComeBackAsTheyWere) {
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt && evt convert --rows y.evt -o z.evt && cmp x.evt z.evt"),
            prints(""));
}

TEST_F(Recode, ColumnsKeepEventsWhoseLastTextsAreEmpty) {
  std::string lines = "type 1024 say (what text) (why text)\nstream 1 \"m\"\n";
  for (int i = 100; i < 200; ++i) {
    lines += "0." + std::to_string(i) + " 1 say what=\"a text of some length " + std::to_string(i) + "\" why=\"\"\n";
  }
  given_text("t.txt", lines);
  EXPECT_EQ(run("evt convert t.txt -o t.evt && evt convert --columns t.evt -o y.evt"), prints(""));
  EXPECT_EQ(run("evt check y.evt"), prints("y.evt: session of test, 100 events, 0 lost: closed\n"));
  EXPECT_EQ(run("evt convert --rows y.evt | cmp - t.evt"), prints(""));
}

TEST_F(Recode, WhatIsInThatFormAlreadyStaysAsItIs) {
  EXPECT_EQ(run("evt convert --rows x.evt -o y.evt && cmp x.evt y.evt"), prints(""));
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt && evt convert --columns y.evt -o z.evt && cmp y.evt z.evt"),
            prints(""));
}

TEST_F(Recode, GoesThroughPipes) {
  EXPECT_EQ(run("cat x.evt | evt convert --columns - | evt convert --rows - | cmp - x.evt"), prints(""));
}

TEST_F(Recode, TheIndexTellsOfTheNewForm) {
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt && evt check y.evt").status, 0);
  EXPECT_EQ(run("evt dump --types y.evt"), prints("number  name  count      size  fields     description\n"
                                                  "  1024  say    5000  variable  what:text\n"));
}

TEST_F(Recode, SeveralSessionsStayWhatTheyAre) {
  EXPECT_EQ(run("parfib -n 16 -c 8 -w 2 -o p.evt > out && cat x.evt p.evt > two.evt &&"
                " evt convert --columns two.evt -o y.evt && evt check y.evt > out &&"
                " evt dump two.evt > two.out && evt dump y.evt | cmp - two.out"),
            prints(""));
}

TEST_F(Recode, WhatIsDamagedGoesAlongAndIsNamed) {
  std::string bytes = content_of("x.evt");
  const std::size_t at = bytes.find("hello");
  bytes[at] = 'J';
  given_file("bad.evt", bytes);
  const Outcome outcome = run("evt convert --columns bad.evt -o y.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              ::testing::MatchesRegex(
                  "evt convert: bad.evt: [0-9]+ rows of stream 1 \"m\" missing, recorded between .*\n"
                  "evt convert: bad.evt: [0-9,]+ bytes from offset [0-9,]+ ignored: payload checksum .*\n"));
  const std::string missing = "2>&1 | grep missing | sed 's/^[^:]*: [^:]*: //'";
  EXPECT_EQ(run("evt check y.evt " + missing).out, run("evt check bad.evt " + missing).out) << "the same rows";
}

TEST_F(Recode, OfATraceIsColumnsUnlessRowsAreSaid) {
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt && evt convert x.evt -o z.evt && cmp y.evt z.evt"), prints(""));
}

TEST_F(Recode, WhatIsNoTraceIsRefused) {
  given_file("junk", "junk");
  EXPECT_EQ(run("evt convert --columns junk -o y.evt"),
            refuses(3, "evt convert: junk is not a trace: it begins with plain text\n"));
  EXPECT_EQ(run("ls y.evt").status, 2) << "nothing is left behind";
}

TEST_F(Recode, HasOneFormAtATime) { EXPECT_EQ(run("evt convert --columns --rows x.evt -o y.evt").status, 2); }

}  // namespace
}  // namespace evt::testing
