// evt stats diff: what is otherwise in a second trace.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kDiffTypes =
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
    "type 2 thread.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 9 span.begin role=spanBegin (name text role=name)\n"
    "type 10 span.end role=spanEnd\n"
    "type 1024 tick\n"
    "stream 1 \"main\"\n";

class StatsDiff : public AtTheShell {
 protected:
  void given(std::string_view before, std::string_view after) const {
    given_trace("a.evt", std::string(kDiffTypes) + std::string(before));
    given_trace("b.evt", std::string(kDiffTypes) + std::string(after));
  }
  // A tick and a tock more often, and later.
  void given_ticks() const {
    given("0.1 1 tick\n0.2 1 tick\n0.3 1 thread.stop thread=1\n",
          "0.1 1 tick\n0.2 1 tick\n0.3 1 tick\n0.4 1 span.begin name=\"a\"\n");
  }
};

TEST_F(StatsDiff, ListsWhatChangedColumnByColumn) {
  given("0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n0.3 1 span.begin name=\"b\"\n0.4 1 span.end\n",
        "0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n0.3 1 span.begin name=\"b\"\n0.45 1 span.end\n");
  EXPECT_EQ(run("evt stats diff spans a.evt b.evt"), prints("name  column        before   after   change       %\n"
                                                            "b     sum           100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     self          100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     trimmed mean  100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     min           100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     median        100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     p90           100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     p95           100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     p99           100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     p99.9         100 ms  150 ms  50.0 ms  50.0 %\n"
                                                            "b     max           100 ms  150 ms  50.0 ms  50.0 %\n"));
}

TEST_F(StatsDiff, ListsFunctionsThatTookMoreOrLess) {
  constexpr std::string_view kSamples =
      "type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
      "(weight u64 role=weight unit=nanoseconds)\n"
      "string 1 \"main\"\nstring 2 \"parse\"\nstream 1 \"main\"\n"
      "0.1 1 sample thread=1 stack=[\"main\"] weight=1000\n";
  given_trace("a.evt", std::string(kSamples) + "0.2 1 sample thread=1 stack=[\"parse\" \"main\"] weight=3000\n");
  given_trace("b.evt", std::string(kSamples) + "0.2 1 sample thread=1 stack=[\"parse\" \"main\"] weight=4000\n");
  EXPECT_EQ(run("evt stats diff stacks a.evt b.evt"), prints("column    before    after   change       %\n"
                                                             "sampled  4.00 us  5.00 us  1.00 us  25.0 %\n"
                                                             "\n"
                                                             "name   column   before    after   change       %\n"
                                                             "parse  sum     3.00 us  4.00 us  1.00 us  33.3 %\n"
                                                             "parse  self    3.00 us  4.00 us  1.00 us  33.3 %\n"
                                                             "main   sum     4.00 us  5.00 us  1.00 us  25.0 %\n"));
}

TEST_F(StatsDiff, OfTheSameTraceThereIsNone) {
  given("0.1 1 span.begin name=\"a\"\n", "0.1 1 span.begin name=\"a\"\n");
  EXPECT_EQ(run("evt stats diff events,spans --fail-above 0 a.evt b.evt 2> said; echo $?; grep difference said"),
            prints("# events\n# spans\n0\nevt stats: events: no difference\nevt stats: spans: no difference\n"));
}

TEST_F(StatsDiff, ShowsWhatOneTraceAloneHas) {
  given_ticks();
  const std::string said =
      "evt stats: events: 1 row only in a.evt: events thread.stop\n"
      "evt stats: events: 1 row only in b.evt: events span.begin\n";
  EXPECT_EQ(run("evt stats diff events a.evt b.evt"),
            (Outcome{0,
                     "event        column  before    after    change       %\n"
                     "tick         events       2        3         1  50.0 %\n"
                     "tick         rate     10 /s  10.0 /s  -0.00 /s  -0.0 %\n"
                     "span.begin   events       -        1         -       -\n"
                     "thread.stop  events       1        -         -       -\n",
                     said}));
  EXPECT_EQ(run("evt stats diff events --csv --top 5 a.evt b.evt | tr -d '\\r'"),
            (Outcome{0,
                     "event,column,before,after,change,percent\ntick,events,2,3,1,50\n"
                     "tick,rate_per_second,10,10,-0,-0\n"
                     "span.begin,events,,1,,\nspan.begin,rate_per_second,,3.333333,,\nthread.stop,events,1,,,\n",
                     said}));
}

TEST_F(StatsDiff, ThreadsAreTheSameByNameIfNamesAreUnique) {
  const auto run_of = [](int thread, const char* name, const char* until) {
    const std::string number = std::to_string(thread);
    return "0.1 1 thread.name thread=" + number + " name=\"" + name + "\"\n0.1 1 thread.run thread=" + number +
           " cpu=0\n" + until + " 1 thread.stop thread=" + number + "\n";
  };
  given(run_of(7, "gc", "0.2"), run_of(9, "gc", "0.3"));
  EXPECT_EQ(run("evt stats diff cpu --sort change --top 2 a.evt b.evt"),
            prints("thread  name  column   before   after  change        %\n"
                   "     9  gc    running  100 ms  200 ms  100 ms  100.0 %\n"
                   "     9  gc    current  100 ms  200 ms  100 ms  100.0 %\n"));
  const std::string other =
      "0.4 1 thread.name thread=8 name=\"gc\"\n0.4 1 thread.run thread=8 cpu=0\n"
      "0.5 1 thread.stop thread=8\n";
  given(run_of(7, "gc", "0.2") + other, run_of(7, "gc", "0.3") + other);
  EXPECT_EQ(run("evt stats diff cpu a.evt b.evt | grep -c ' 7 '"), prints("2\n"));
}

TEST_F(StatsDiff, AColumnThatOneTraceLeftOutWasZero) {
  given("0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n",
        "0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n0.3 1 span.begin name=\"a\"\n");
  EXPECT_EQ(run("evt stats diff spans a.evt b.evt"),
            (Outcome{0,
                     "name  column      before  after  change  %\n"
                     "a     unfinished       0      1       1  -\n",
                     "evt stats: b.evt: 1 span unfinished at the end\n"
                     "evt stats: spans: 1 row only in b.evt: open 1 #1 span a\n"}));
}

TEST_F(StatsDiff, FailsAboveALimit) {
  given("0.1 1 tick\n0.2 1 tick\n0.3 1 tick\n", "0.1 1 tick\n0.2 1 tick\n0.25 1 tick\n0.3 1 tick\n");
  EXPECT_EQ(run("evt stats diff events --fail-above 34 a.evt b.evt > out"), prints(""));
  EXPECT_EQ(run("evt stats diff events --fail-above 33 a.evt b.evt > out"),
            (Outcome{1, "", "evt stats: 1 change of more than 33 %, the largest by 33.3 %: events tick: events\n"}));
  given("0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n",
        "0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n0.3 1 span.begin name=\"a\"\n");
  EXPECT_EQ(run("evt stats diff spans --fail-above 1000 a.evt b.evt 2>&1 > out | tail -n 1"),
            prints("evt stats: 1 change of more than 1000 %, the largest by from 0: spans a: unfinished\n"));
}

TEST_F(StatsDiff, AsJson) {
  given_ticks();
  EXPECT_EQ(run("evt stats diff events --json --top 1 a.evt b.evt 2> said"),
            prints("{\"before\":\"a.evt\",\"after\":\"b.evt\",\"sessions\":[{\"events\":{\"events\":["
                   "{\"event\":\"tick\",\"column\":\"events\",\"before\":2,\"after\":3,\"change\":1,\"percent\":50}],"
                   "\"notes\":[\"1 row only in a.evt: events thread.stop\",\"1 row only in b.evt: events "
                   "span.begin\"]}}]}\n"));
}

TEST_F(StatsDiff, OfSummariesUnlessSaidOtherwise) {
  given_ticks();
  EXPECT_EQ(run("evt stats diff a.evt b.evt 2> said | head -n 2"),
            prints("column  before    after    change        %\n"
                   "span    200 ms   300 ms    100 ms   50.0 %\n"));
}

// As evt run calls the threads of a program that ran twice.
TEST_F(StatsDiff, MatchesThreadsOfAnotherRunByProgramAndOrder) {
  const auto merged = [&](const char* file, int pid, const char* until) {
    const std::string p = std::to_string(pid);
    const std::string q = std::to_string(pid + 1);
    given_trace("sort." + p, std::string(kDiffTypes) + "0.1 1 thread.run thread=" + p + " cpu=0\n" + until +
                                 " 1 thread.stop thread=" + p + "\n0.5 1 thread.run thread=" + q +
                                 " cpu=0\n0.6 1 thread.stop thread=" + q + "\n");
    given_trace("z.evt", "evtrace text 1\nsession uuid=0x010102030405460788090a0b0c0d0e10\n");
    ASSERT_EQ(run("evt merge -q sort." + p + " z.evt -o " + file).status, 0);
  };
  merged("a.evt", 70, "0.2");
  merged("b.evt", 90, "0.3");
  EXPECT_EQ(run("evt stats diff cpu a.evt b.evt"), prints("    thread  column   before   after  change        %\n"
                                                          "sort.90:90  running  100 ms  200 ms  100 ms  100.0 %\n"
                                                          "sort.90:90  current  100 ms  200 ms  100 ms  100.0 %\n"));
}

TEST_F(StatsDiff, TakesTwoTraces) {
  given_ticks();
  const auto says = [&](const std::string& line, const std::string& sentence) {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.err.substr(0, outcome.err.find('\n')), sentence) << line;
  };
  says("evt stats diff a.evt", "evt stats: expected two traces to compare, found 1");
  says("evt stats diff spans a.evt b.evt a.evt",
       "evt stats: expected two traces to compare, found 3; several runs: BEFORE... -- AFTER...");
  says("evt stats diff - -", "evt stats: expected one of the traces to be a file, found - twice");
  says("evt stats --fail-above 10 a.evt", "evt stats: --fail-above: works only with diff");
  EXPECT_EQ(run("evt stats diff events a.evt none.evt").status, 3);
  EXPECT_EQ(run("evt stats diff events a.evt - 2> said < b.evt | wc -l"), prints("5\n"));
}

TEST_F(StatsDiff, OfSessionsInTheirOrder) {
  given_ticks();
  given_trace("c.evt", "evtrace text 1\nsession uuid=0x010102030405460788090a0b0c0d0e10\n");
  EXPECT_EQ(
      run("cat a.evt c.evt > two.evt && evt stats diff events a.evt two.evt"),
      (Outcome{0, "",
               "evt stats: events: no difference\n"
               "evt stats: a.evt has 1 session, two.evt has 2 sessions: rows without a partner are not compared\n"}));
}

// Of a sample no cpu times are computed: events alone are compared, whichever trace it is.
TEST_F(StatsDiff, OfASampleHasWhatBothTracesHave) {
  const std::string folder = EVT_SOURCE_FOLDER "/testdata/future/";
  for (const auto& [before, after] :
       {std::pair("session_meanings.evt", "shape.evt"), std::pair("shape.evt", "session_meanings.evt")}) {
    const Outcome diff = run("evt stats diff cpu,events --json " + folder + before + " " + folder + after);
    EXPECT_EQ(diff.status, 1) << diff;
    EXPECT_NE(diff.out.find("\"events\":"), std::string::npos) << diff;
    EXPECT_EQ(diff.out.find("\"cpu\":"), std::string::npos) << diff;
    EXPECT_NE(diff.err.find("cpu: not computed, because events were sampled"), std::string::npos) << diff;
  }
}

}  // namespace
}  // namespace evt::testing
