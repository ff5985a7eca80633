// Folders of traces, of which some members cannot be read: each command reports which, and ends with status 1.
#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

constexpr const char* kWhole =
    "type 1024 tick (n u32)\n"
    "stream 1 \"whole\"\n"
    "0.000000001 1 tick n=1\n";
constexpr const char* kOther =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e10 start=1767225600.000000000 program=\"test\"\n"
    "type 1024 tick (n u32)\n"
    "stream 1 \"other\"\n"
    "0.000000002 1 tick n=2\n";

class TraceFolder : public AtTheShell {
 protected:
  TraceFolder() {
    EXPECT_EQ(run("mkdir d"), prints(""));
    given_trace("d/whole.evt", kWhole);
  }

  void given_damaged(const std::string& name) const {
    Blocks blocks(trace_from_text(kOther));
    blocks.first(EVT_BLOCK_EVENTS).payload()[4] ^= 1;
    given_file(name, blocks.together());
  }
};

TEST_F(TraceFolder, IsWholeWhereAllOfItIsRead) {
  given_trace("d/other.evt", kOther);
  EXPECT_EQ(run("evt dump --count d"), prints("2\n"));
}

TEST_F(TraceFolder, ReportsAMemberThatCannotBeOpened) {
  EXPECT_EQ(run("ln -s nowhere d/other.evt; evt dump --count d"),
            (Outcome{1, "1\n", "evt dump: cannot open d/other.evt: No such file or directory\n"}));
}

TEST_F(TraceFolder, ReportsAMemberThatIsNoTraceUnlessItIsEmpty) {
  given_file("d/other.evt", "a text");
  EXPECT_EQ(run("evt dump --count d"),
            (Outcome{1, "1\n", "evt dump: d/other.evt is not a trace: it begins with plain text\n"}));
  given_file("d/other.evt", "");  // as a program leaves that was killed while it began
  EXPECT_EQ(run("evt dump --count d"), prints("1\n"));
}

TEST_F(TraceFolder, ReportsAMemberThatIsTruncated) {
  const std::string whole = trace_from_text(kOther);
  given_file("d/other.evt", whole.substr(0, whole.size() - 130));
  EXPECT_EQ(run("evt check d"), (Outcome{1, "d: session of test, 1 event, 0 lost: closed\n",
                                         "evt check: d: the end of part test.0 is missing\n"
                                         "evt check: d/other.evt: the file ends inside a block\n"}));
  Blocks without_end(whole);
  without_end.all.pop_back();
  given_file("d/other.evt", without_end.together());
  EXPECT_EQ(run("evt check d"),
            (Outcome{1, "d: session of test, 2 events, 0 lost: closed\n",
                     "evt check: d: the end of part test.0 is missing\n"
                     "evt check: d/other.evt: the session of test is truncated: its end is missing\n"}));
}

TEST_F(TraceFolder, IsNoneIfNoMemberCanBeRead) {
  EXPECT_EQ(run("rm d/*; ln -s nowhere d/other.evt; evt check d"),
            refuses(3, "evt check: d: no trace can be read: cannot open d/other.evt: No such file or directory\n"));
}

TEST_F(TraceFolder, ReportsAMemberOfALaterFormat) {
  EXPECT_EQ(run("cp " EVT_SOURCE_FOLDER "/testdata/future/major.evt d; evt dump --count d"),
            (Outcome{1, "1\n", "evt dump: d/major.evt was written in format 2.3, newer than 1.0\n"}));
}

TEST_F(TraceFolder, ReportsAMemberThatIsDamagedAsCheckDoesOfTheFile) {
  given_damaged("d/other.evt");
  EXPECT_EQ(run("evt check d/other.evt").status, 1);
  const std::string sentence = "d/other.evt: at 680: rows checksum is ...";
  const std::string shortened = " | sed 's/checksum is [0-9a-f]*, expected [0-9a-f]*/checksum is .../'";
  EXPECT_EQ(run("evt check d 2>&1 >out" + shortened),
            prints("evt check: " + sentence + "\nevt check: d: 1 event of stream 1 \"other\" lost: damage\n"));
  EXPECT_EQ(run("evt check -q d"), (Outcome{1, "d: session of test, 1 event, 1 lost: closed\n", ""}));
  EXPECT_EQ(run("evt check -q --json d | grep -o -e '\"status\":\"[a-z]*\"' -e '\"unread\":.*'" + shortened),
            prints("\"status\":\"damaged\"\n\"unread\":[\"" + sentence + "\"]}\n"));
}

TEST_F(TraceFolder, IsReportedAsIncompleteByEveryCommand) {
  EXPECT_EQ(run("ln -s nowhere d/other.evt"), prints(""));
  for (const std::string line :
       {"dump d", "dump --follow d", "dump --types d", "grep tick d", "stats d", "stats diff d d", "check d",
        "convert d -o x.txt", "convert d -o x.evt", "convert d -o x.json", "convert d -o x.ctf",
        "convert d -o x.parquet", "convert --format rowbinary --table spans d", "cut d -o y.evt", "merge d -o z.evt",
        "view --text d", "view -o x.svg d", "view -o x.html d", "view --no-open --idle 1ms d"}) {
    const Outcome outcome = run("evt " + line + " > out");
    EXPECT_EQ(outcome.status, 1) << line;
    const std::string command = line.substr(0, line.find(' '));
    EXPECT_NE(outcome.err.find("evt " + command + ": cannot open d/other.evt: No such file or directory\n"),
              std::string::npos)
        << line << outcome;
  }
}

}  // namespace
}  // namespace evt::testing
