// GHC eventlogs, given to the command where it takes a trace.
#include "at_the_shell.h"
#include "read/ghc_log.h"

namespace evt::testing {
namespace {

class EventlogAtTheShell : public AtTheShell {
 protected:
  // A log that GHC wrote, and what stands beside it.
  static std::string archived(const std::string& name) { return EVT_SOURCE_FOLDER "/testdata/eventlog/" + name; }

  void given_log(const std::string& name) const {
    GhcLog log;
    log.usual_types().block(0).run(10, 1).stop(30, 1, 5);
    log.block(1).run(20, 2).end();
    given_file(name, log.bytes());
  }
  static constexpr const char* kEvents =
      "   0.000000010  cap 0  ghc.run_thread  thread=1\n"
      "   0.000000020  cap 1  ghc.run_thread  thread=2\n"
      "   0.000000030  cap 0  ghc.stop_thread thread=1 status=finished info=0\n";
};

TEST_F(EventlogAtTheShell, IsDumpedAsATraceIs) {
  given_log("a.eventlog");
  EXPECT_EQ(run("evt dump a.eventlog"), prints(kEvents));
  EXPECT_EQ(run("tracedump a.eventlog"), prints(kEvents));
}

TEST_F(EventlogAtTheShell, ByGhcIsDumpedAsTheTextBesideItSays) {
  for (const std::string name : {"threads", "user", "heap"}) {
    EXPECT_EQ(run("evt dump " + archived(name + ".eventlog")), prints(read_file(archived(name + ".txt")))) << name;
  }
}

TEST_F(EventlogAtTheShell, ComesThroughPipes) {
  given_log("a.eventlog");
  EXPECT_EQ(run("cat a.eventlog | evt dump -"), prints(kEvents));
  EXPECT_EQ(run("cat a.eventlog | evt convert - | evt dump -"), prints(kEvents));
}

TEST_F(EventlogAtTheShell, HasFiltersAndForms) {
  given_log("a.eventlog");
  EXPECT_EQ(run("evt dump --count --stream 'cap 0' a.eventlog"), prints("2\n"));
  EXPECT_EQ(
      run("evt dump --json --where thread=2 a.eventlog"),
      prints(
          "{\"ns\":20,\"stream\":\"cap 1\",\"stream_id\":3,\"event\":\"ghc.run_thread\",\"fields\":{\"thread\":2}}\n"));
}

TEST_F(EventlogAtTheShell, IsWholeByACheck) {
  given_log("a.eventlog");
  EXPECT_EQ(run("evt check a.eventlog"), prints("a.eventlog: session of \"\", 3 events, 0 lost: closed\n"));
}

TEST_F(EventlogAtTheShell, BecomesACompactedTrace) {
  EXPECT_EQ(run("evt convert " + archived("threads.eventlog") + " -o a.evt"), prints(""));
  EXPECT_EQ(run("evt dump a.evt"), prints(read_file(archived("threads.txt"))));
  EXPECT_EQ(run("evt check a.evt").status, 0);
  EXPECT_EQ(run("evt convert --rows " + archived("threads.eventlog") + " -o b.evt"), prints(""));
  EXPECT_LT(content_of("a.evt").size(), content_of("b.evt").size());
  EXPECT_EQ(run("evt convert --rows a.evt -o c.evt && cmp b.evt c.evt"), prints(""));
}

TEST_F(EventlogAtTheShell, IsMergedAndCutAsATraceIs) {
  given_log("a.eventlog");
  EXPECT_EQ(run("evt cut --from 20ns a.eventlog -o b.evt && evt dump --count --event 'ghc.*' b.evt").out, "2\n");
}

TEST_F(EventlogAtTheShell, ThatWasCutIsReadAsFarAsItGoes) {
  given_log("a.eventlog");
  const std::string bytes = content_of("a.eventlog");
  given_file("b.eventlog", bytes.substr(0, bytes.size() - 4));
  const std::string at = std::to_string(bytes.size() - 16);
  EXPECT_EQ(run("evt dump --count b.eventlog"),
            (Outcome{1, "2\n",
                     "evt dump: b.eventlog: 12 bytes at " + at + " cannot be used: the log ends inside an event\n" +
                         "evt dump: b.eventlog: the last session was cut: its end is missing\n"}));
  EXPECT_EQ(run("evt convert b.eventlog -o b.evt"),
            refuses(1, "evt convert: b.eventlog: at " + at + ": the log ends inside an event\n"));
  EXPECT_EQ(run("evt dump --count b.evt").out, "2\n");
}

TEST_F(EventlogAtTheShell, ThatIsAPointerOfGitLfsIsSaidToBeOne) {
  given_file("a.eventlog", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  EXPECT_EQ(run("evt dump a.eventlog"),
            refuses(3, "evt dump: a.eventlog is not a trace: it is a git-lfs pointer, not the file itself\n"));
}

TEST_F(EventlogAtTheShell, WithoutAHeaderThatCanBeReadIsRefused) {
  given_file("a.eventlog", "hdrbhetbhetehdre");
  EXPECT_EQ(
      run("evt convert a.eventlog -o a.evt"),
      refuses(3,
              "evt convert: a.eventlog is a GHC eventlog whose header is cut at 16: expected the beginning of the "
              "events\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"a.eventlog"});
}

}  // namespace
}  // namespace evt::testing
