// evt grep: finds events by a text, a pattern or a condition, with those around them.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kCalls =
    "type 1024 call.open (file text) (flags enum8 labels=[1=READ 2=WRITE])\n"
    "type 1025 call.read (file interned) (bytes u32) (data bytes)\n"
    "type 1026 tick (names text[]) (n u8)\n"
    "stream 1 \"main\"\n"
    "stream 2 \"worker 1\"\n"
    "string 5 \"/tmp/Log\"\n"
    "1.000000000 1 call.open file=\"/etc/passwd\" flags=READ\n"
    "2.000000000 1 tick names=[] n=1\n"
    "3.000000000 2 call.read file=\"/tmp/Log\" bytes=4711 data=0xcafe\n"
    "4.000000000 1 tick names=[\"one\" \"two\"] n=2\n"
    "5.000000000 2 tick names=[] n=3\n"
    "6.000000000 1 tick names=[] n=4\n"
    "7.000000000 1 call.open file=\"/tmp/log\" flags=WRITE\n";

class Grep : public AtTheShell {
 protected:
  Grep() { given_trace("x.evt", kCalls); }

  // Seconds of the events that are printed, and the lines between them.
  std::string found(const std::string& words) const {
    return run("evt grep --format '{time}' " + words + " x.evt | sed 's/[.]0*$//' | tr '\\n' ' '").out;
  }
};

TEST_F(Grep, PrintsTheEventsThatHaveTheText) {
  EXPECT_EQ(run("evt grep passwd x.evt"),
            prints("   1.000000000  main      call.open file=\"/etc/passwd\" flags=READ\n"));
}

TEST_F(Grep, LooksIntoNamesAndIntoValuesOfAllKinds) {
  EXPECT_EQ(found("call"), "1 3 7 ") << "the name of a type";
  EXPECT_EQ(found("worker"), "3 5 ") << "the name of a stream";
  EXPECT_EQ(found("/tmp/"), "3 7 ") << "texts, interned ones too";
  EXPECT_EQ(found("471"), "3 ") << "digits";
  EXPECT_EQ(found("RITE"), "7 ") << "labels";
  EXPECT_EQ(found("0xca"), "3 ") << "bytes";
  EXPECT_EQ(found("two"), "4 ") << "elements";
  EXPECT_EQ(found("file"), "") << "names of fields are none";
}

TEST_F(Grep, IsAnswerOneWhereNothingIsFound) {
  EXPECT_EQ(run("evt grep nothing x.evt"), refuses(1, ""));
  EXPECT_EQ(run("evt grep --count nothing x.evt"), (Outcome{1, "0\n", ""}));
  EXPECT_EQ(run("evt grep --count call x.evt"), prints("3\n"));
  EXPECT_EQ(run("evt grep --count call x.evt x.evt"), prints("3 x.evt\n3 x.evt\n"));
  EXPECT_EQ(run("evt grep call none.evt"), refuses(3, "evt grep: cannot open none.evt: No such file or directory\n"));
}

TEST_F(Grep, MayTakeBothCases) {
  EXPECT_EQ(found("LOG"), "");
  EXPECT_EQ(found("--ignore-case LOG"), "3 7 ");
  EXPECT_EQ(found("--ignore-case --pattern '*LOG'"), "3 7 ");
}

TEST_F(Grep, TakesSeveralTextsAndPatterns) {
  EXPECT_EQ(found("--text passwd --text two"), "1 4 ");
  EXPECT_EQ(found("--pattern '/tmp/[lL]og'"), "3 7 ");
  EXPECT_EQ(found("--pattern 'tmp*'"), "") << "a pattern describes all of a value";
  EXPECT_EQ(found("--pattern 't*k' --text passwd"), "1 2 4 5 6 ");
}

TEST_F(Grep, TakesConditions) {
  EXPECT_EQ(found("--where 'n>2'"), "5 6 ");
  EXPECT_EQ(found("--where 'n>1' --text two"), "4 ");
  EXPECT_EQ(found("--event 'call.*' main"), "1 7 ");
  EXPECT_EQ(found("--from 2 --to 3 --where @size"), "");
  EXPECT_EQ(found("--from 6 --text call"), "7 ");
  const Outcome alone = run("evt grep passwd");
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("expected a string and the traces to look for it in, found passwd"), std::string::npos);
}

TEST_F(Grep, ShowsWhatIsAround) {
  EXPECT_EQ(found("--context 1 two"), "3 4 5 ");
  EXPECT_EQ(found("--context 1 passwd"), "1 2 ") << "nothing is in front of the first";
  EXPECT_EQ(found("--context 1 /tmp/log"), "6 7 ") << "nor behind the last";
  EXPECT_EQ(found("--context 1 call"), "1 2 3 4 -- 6 7 ") << "groups that touch are one";
  EXPECT_EQ(found("--context 0 call"), "1 3 7 ");
  EXPECT_EQ(found("--context 99 two"), "1 2 3 4 5 6 7 ");
  EXPECT_EQ(found("--context 1 --stream main two"), "2 4 6 ") << "of the events that are looked at";
  EXPECT_EQ(found("--context 1 --where n=3"), "4 5 6 ");
}

TEST_F(Grep, PrintsTheFirstOrTheLastThatItFinds) {
  EXPECT_EQ(found("--first 2 tick"), "2 4 ");
  EXPECT_EQ(found("--last 2 tick"), "5 6 ");
  EXPECT_EQ(found("--last 1 --context 1 call"), "6 7 ");
  EXPECT_EQ(found("--first 1 --context 1 call"), "1 2 ");
  EXPECT_EQ(found("--last 9 call"), "1 3 7 ");
}

TEST_F(Grep, PrintsForPrograms) {
  EXPECT_EQ(run("evt grep --json two x.evt"), prints(R"({"ns":4000000000,"stream":"main","stream_id":1,"event":"tick",)"
                                                     R"("fields":{"names":["one","two"],"n":2}})"
                                                     "\n"));
  EXPECT_EQ(run("evt grep --csv --fields ns,n --context 1 two x.evt"),
            prints("ns,n\r\n3000000000,\r\n4000000000,2\r\n5000000000,3\r\n"));
  EXPECT_EQ(run("evt grep --csv --fields ns --context 1 --where 'n=1 or n=4' x.evt"),
            prints("ns\r\n1000000000\r\n2000000000\r\n3000000000\r\n5000000000\r\n6000000000\r\n7000000000\r\n"))
      << "groups of lines for programs have nothing between them";
}

TEST_F(Grep, ColoursWhatIsFound) {
  EXPECT_EQ(run("evt grep --color always LOG --ignore-case --context 1 --first 1 x.evt"),
            prints("\x1b[2m   2.000000000\x1b[0m  main      tick      names=[] n=1\n"
                   "\x1b[2m   3.000000000\x1b[0m  worker 1  call.read file=\"/tmp/\x1b[1;31mLog\x1b[0m\" bytes=4711 "
                   "data=0xcafe\n"
                   "\x1b[2m   4.000000000\x1b[0m  main      tick      names=[\"one\" \"two\"] n=2\n"));
}

TEST_F(Grep, ReportsWhatIsNotThere) {
  EXPECT_EQ(run("evt grep --event tock 1 x.evt"),
            refuses(1, "evt grep: no event type is called tock; did you mean tick?\n"));
}

}  // namespace
}  // namespace evt::testing
