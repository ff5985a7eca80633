// GHC eventlogs, given to the command where it takes a trace.
#include "at_the_shell.h"
#include "import/ghc_log.h"

namespace evt::testing {
namespace {

class EventlogAtTheShell : public AtTheShell {
 protected:
  // A log that GHC wrote, and the files beside it.
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
  EXPECT_EQ(run("evt check a.eventlog"),
            prints("a.eventlog: session of an unknown program, 3 events, 0 lost: closed\n"));
}

TEST_F(EventlogAtTheShell, BecomesWhatTheSuffixSays) {
  given_log("a.eventlog");
  EXPECT_EQ(run("evt convert a.eventlog -o a.txt && evt dump --canonical a.eventlog | cmp - a.txt &&"
                " evt convert a.eventlog -o a.csv && evt dump --csv a.eventlog | cmp - a.csv &&"
                " cat a.eventlog | evt convert --format json - | cmp - <(evt dump --json a.eventlog)"),
            prints(""));
  EXPECT_EQ(run("evt convert a.eventlog -o b.eventlog").status, 2);
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
  const std::string at = grouped(bytes.size() - 16);
  EXPECT_EQ(run("evt dump --count b.eventlog"),
            (Outcome{1, "2\n",
                     "evt dump: b.eventlog: 1 event of stream 3 \"cap 1\" lost: damage\n"
                     "evt dump: b.eventlog: 12 bytes from offset " +
                         at + " ignored: the log ends inside an event\n" +
                         "evt dump: b.eventlog: the last session is truncated: its end is missing\n"}));
  EXPECT_EQ(run("evt convert b.eventlog -o b.evt"),
            refuses(1,
                    "evt convert: b.eventlog: 1 event of stream 3 \"cap 1\" lost: damage\n"
                    "evt convert: b.eventlog: 12 bytes from offset " +
                        at +
                        " ignored: the log ends inside an event\n"
                        "evt convert: b.eventlog: the last session is truncated: its end is missing\n"));
  EXPECT_EQ(run("evt dump b.evt"),
            (Outcome{1,
                     "   0.000000000  cap 1  !lost           count=1 cause=damage duration=0.000000000\n"
                     "   0.000000010  cap 0  ghc.run_thread  thread=1\n"
                     "   0.000000030  cap 0  ghc.stop_thread thread=1 status=finished info=0\n",
                     "evt dump: b.evt: 1 event of stream 3 \"cap 1\" lost: damage\n"
                     "evt dump: b.evt: the session of an unknown program is truncated: its end is missing\n"}));
}

class DamagedEventlogAtTheShell : public EventlogAtTheShell {
 protected:
  // Whatever is made of the log is whole, and has the loss where it was: behind the event of 10 ns, in cap 0.
  void expect_loss(const std::string& trace) const {
    EXPECT_EQ(run("evt check " + trace),
              (Outcome{0, trace + ": session of an unknown program, 3 events, 1 lost: closed\n",
                       "evt check: " + trace + ": 1 event of stream 2 \"cap 0\" lost: damage\n"}));
    EXPECT_EQ(run("evt convert " + trace + " | grep '^[0-9]'").out,
              "0.000000010 2 ghc.run_thread thread=1\n"
              "0.000000010 2 !lost count=1 cause=damage duration=0.000000000\n"
              "0.000000020 3 ghc.run_thread thread=2\n"
              "0.000000040 2 ghc.run_thread thread=3\n");
  }
  // The messages of a command that reads it, and reports losses.
  std::string said(const std::string& command) const {
    return command + ": a.eventlog: 1 event of stream 2 \"cap 0\" lost: damage\n" + command +
           ": a.eventlog: 20 bytes from offset " + at + " ignored: event type 30840 is not declared\n";
  }
  std::string at;

  void SetUp() override {
    GhcLog log;
    log.usual_types().block(0).run(10, 1);
    const std::size_t stop = log.size();
    at = grouped(stop);
    log.stop(15, 1, 5).block(1).run(20, 2).block(0).run(40, 3).end();
    std::string bytes = log.bytes();
    given_file("a.eventlog", bytes.replace(stop, 20, std::string(20, 'x')));
  }
};

TEST_F(DamagedEventlogAtTheShell, BecomesATraceWithALossAtItsPlace) {
  for (const std::string form : {"", "--rows "}) {
    EXPECT_EQ(run("evt convert " + form + "a.eventlog -o b.evt"),
              refuses(1,
                      "evt convert: a.eventlog: 1 event of stream 2 \"cap 0\" lost: damage\n"
                      "evt convert: a.eventlog: 20 bytes from offset " +
                          at + " ignored: event type 30840 is not declared\n"));
    expect_loss("b.evt");
  }
}

TEST_F(DamagedEventlogAtTheShell, IsRepairedWithALossAtItsPlace) {
  EXPECT_EQ(run("evt check --repair b.evt a.eventlog"),
            (Outcome{1, "a.eventlog: session of an unknown program, 3 events, 1 lost: closed\n", said("evt check")}));
  expect_loss("b.evt");
}

TEST_F(DamagedEventlogAtTheShell, IsCutWithALossAtItsPlace) {
  EXPECT_EQ(run("evt cut a.eventlog -o b.evt").status, 1);
  expect_loss("b.evt");
}

TEST_F(DamagedEventlogAtTheShell, IsDumpedAndCountedWithItsLoss) {
  EXPECT_EQ(run("evt dump --count a.eventlog"), (Outcome{1, "3\n", said("evt dump")}));
  EXPECT_EQ(run("evt stats summary a.eventlog").err, said("evt stats"));
}

TEST_F(EventlogAtTheShell, ThatIsAPointerOfGitLfsIsSaidToBeOne) {
  given_file("a.eventlog", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  EXPECT_EQ(run("evt dump a.eventlog"), refuses(3,
                                                "evt dump: a.eventlog is not a trace: it looks like a git-lfs pointer"
                                                ": git lfs pull fetches the file itself\n"));
}

TEST_F(EventlogAtTheShell, WithoutAHeaderThatCanBeReadIsRefused) {
  given_file("a.eventlog", "hdrbhetbhetehdre");
  EXPECT_EQ(
      run("evt convert a.eventlog -o a.evt"),
      refuses(
          3,
          "evt convert: a.eventlog is a GHC eventlog whose header is truncated at 16: expected the beginning of the "
          "events\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"a.eventlog"});
}

}  // namespace
}  // namespace evt::testing
