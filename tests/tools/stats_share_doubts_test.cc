// evt stats share: what is not known, and a part of the time.
#include "stats_share.h"

namespace evt::testing {
namespace {

using StatsShareDoubts = StatsShare;

TEST_F(StatsShareDoubts, ASpanThatIsOpenAtTheEndIsCountedUntilThen) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 begin thread=1 name=\"work\"\n"
      "1.5 1 call thread=1 f=\"read\"\n"
      "2.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         2.00 s\n"
                     "idle         0 ns\n"
                     "serial       2.00 s\n"
                     "parallel     0 ns\n"
                     "parallelism  1.00\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  1.00 s  1.00 s      0 ns         1.00  1.00 s  50.0 %\n"
                     "read                  call        1  500 ms  500 ms      0 ns         1.00  500 ms  25.0 %\n"
                     "work                  span        1  500 ms  500 ms      0 ns         1.00  500 ms  25.0 %\n"
                     "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism   share        %    self\n"
                     "     1  2.00 s  2.00 s      0 ns         1.00  2.00 s  100.0 %  1.00 s\n"
                     "(idle)       -       -         -            -    0 ns    0.0 %       -\n",
                     "evt stats: x.evt: 1 span unfinished at the end\n"
                     "evt stats: x.evt: 1 call unfinished at the end\n"}));
}

TEST_F(StatsShareDoubts, BehindALossOneCannotBeSure) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 2 run thread=2 cpu=1\n"
      "1.0 1 begin thread=1 name=\"work\"\n"
      "2.0 1 !lost count=3 cause=ring_full duration=0.000000000\n"
      "3.0 1 end thread=1\n"
      "3.5 1 stop thread=1 why=preempted\n"
      "4.0 2 stop thread=2 why=preempted\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         4.00 s\n"
                     "idle         0 ns\n"
                     "serial       500 ms\n"
                     "parallel     3.50 s\n"
                     "parallelism  1.88\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  5.50 s  500 ms    5.00 s         1.91  3.00 s  75.0 %\n"
                     "work                  span        1  2.00 s    0 ns    2.00 s         2.00  1.00 s  25.0 %\n"
                     "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism   share       %    self\n"
                     "     2  4.00 s  500 ms    3.50 s         1.88  2.25 s  56.2 %  2.25 s\n"
                     "     1  3.50 s    0 ns    3.50 s         2.00  1.75 s  43.8 %  750 ms\n"
                     "(idle)       -       -         -            -    0 ns   0.0 %       -\n",
                     "evt stats: x.evt: 1 span uncertain: events of the same stream were lost during that time\n"
                     "evt stats: x.evt: 2.50 s of the threads' time is uncertain: threads may have changed state "
                     "unseen, because events were lost\n"
                     "evt stats: x.evt: 3 events of stream 1 \"a\" lost: ring_full\n"}));
}

TEST_F(StatsShareDoubts, WithoutEventsOfRunningWhatIsOpenRuns) {
  given(
      "0.0 1 begin thread=1 name=\"work\"\n"
      "1.0 1 begin thread=2 name=\"work\"\n"
      "2.0 1 end thread=1\n"
      "3.0 1 end thread=2\n"
      "3.5 1 was thread=2 f=\"read\" took=200\n"
      "4.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running: threads with an open span or call\n"
                     "wall         4.00 s\n"
                     "idle         800 ms\n"
                     "serial       2.20 s\n"
                     "parallel     1.00 s\n"
                     "parallelism  1.31\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "work                  span        2  4.00 s  2.00 s    2.00 s         1.50  3.00 s  75.0 %\n"
                     "read                  call        1  200 ms  200 ms      0 ns         1.00  200 ms   5.0 %\n"
                     "(threads themselves)  thread      -    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                     "(idle)                            -       -       -         -            -  800 ms  20.0 %\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism   share       %  self\n"
                     "     2  2.20 s  1.20 s    1.00 s         1.45  1.70 s  42.5 %  0 ns\n"
                     "     1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  0 ns\n"
                     "(idle)       -       -         -            -  800 ms  20.0 %     -\n",
                     "evt stats: x.evt: 2 threads in spans or calls before any event shows them to run or stop (roles "
                     "threadRun, threadStop): taken to run in them\n"}));
}

// Of the 3 s of the span, it is taken to run for the first, and seen to run for the second.
TEST_F(StatsShareDoubts, UntilAThreadIsSeenToRunWhatIsOpenRuns) {
  given(
      "0.0 1 begin thread=1 name=\"work\"\n"
      "1.0 1 run thread=1 cpu=0\n"
      "2.0 1 stop thread=1 why=sleeping\n"
      "3.0 1 end thread=1\n");
  const std::string before = "before any event shows it to run or stop (roles threadRun, threadStop): ";
  EXPECT_EQ(run("evt stats cpu --csv x.evt | cut -d, -f 3; evt stats share --csv x.evt | grep ^work,; evt stats calls "
                "--csv x.evt | sed -n 2p | cut -d, -f 1-2; evt stats usage --csv x.evt | grep ^cpu,"),
            (Outcome{0,
                     "running_ns\n1000000000\n"
                     "work,span,1,2000000000,2000000000,0,1,2000000000,66.666667,0,2000000000\r\n"
                     "3000000000,2000000000\n"
                     "cpu,2000000000,66.666667,0,0\r\n",
                     "evt stats: x.evt: 1 thread in spans or calls " + before +
                         "taken to run in them\n"
                         "evt stats: x.evt: 1 thread in spans or calls " +
                         before +
                         "taken to run in them\n"
                         "evt stats: x.evt: no event records a call (roles callBegin, callEnd, call): nothing is known "
                         "about usage\n"
                         "evt stats: x.evt: 1 thread outside of calls " +
                         before + "that time counts as cpu\n"}));
  EXPECT_EQ(run("evt stats share,calls --from 1 x.evt > out").err,
            "evt stats: x.evt: 1 span begun before the requested time: counted from the start of that time\n");
}

TEST_F(StatsShareDoubts, APartCountsFromItsBeginning) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 begin thread=1 name=\"work\"\n"
      "1.0 1 run thread=2 cpu=1\n"
      "2.0 1 end thread=1\n"
      "2.0 1 begin thread=1 name=\"rest\"\n"
      "3.0 1 end thread=1\n"
      "4.0 1 tick\n");
  EXPECT_EQ(
      run("evt stats share --from 1.5 --to 2.5 x.evt"),
      (Outcome{0,
               "model        running\n"
               "wall         1.00 s\n"
               "idle         0 ns\n"
               "serial       0 ns\n"
               "parallel     1.00 s\n"
               "parallelism  2.00\n"
               "\n"
               "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
               "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %\n"
               "rest                  span        1  500 ms    0 ns    500 ms         2.00  250 ms  25.0 %\n"
               "work                  span        1  500 ms    0 ns    500 ms         2.00  250 ms  25.0 %\n"
               "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
               "\n"
               "thread  active  serial  parallel  parallelism   share       %    self\n"
               "     1  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %    0 ns\n"
               "     2  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %  500 ms\n"
               "(idle)       -       -         -            -    0 ns   0.0 %       -\n",
               "evt stats: x.evt: 1 span unfinished at the end\n"
               "evt stats: x.evt: 1 span begun before the requested time: counted from the start of that time\n"}));
}

TEST_F(StatsShareDoubts, WhatDoesNotFitTogetherIsSaid) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.1 1 end thread=1\n"
      "0.2 1 begin thread=1 name=\"work\"\n"
      "0.3 1 call thread=1 f=\"read\"\n"
      "0.4 1 end thread=1\n"
      "0.5 1 begin thread=7 name=\"elsewhere\"\n"
      "0.6 1 end thread=7\n"
      "1.0 1 stop thread=1 why=preempted\n");
  EXPECT_EQ(
      run("evt stats share x.evt"),
      (Outcome{0,
               "model        running\n"
               "wall         1.00 s\n"
               "idle         0 ns\n"
               "serial       900 ms\n"
               "parallel     100 ms\n"
               "parallelism  1.10\n"
               "\n"
               "name                  kind    times  active  serial  parallel  parallelism    share       %\n"
               "read                  call        1  700 ms  600 ms    100 ms         1.14   650 ms  65.0 %\n"
               "(threads themselves)  thread      -  200 ms  200 ms      0 ns         1.00   200 ms  20.0 %\n"
               "work                  span        1  100 ms  100 ms      0 ns         1.00   100 ms  10.0 %\n"
               "elsewhere             span        1  100 ms    0 ns    100 ms         2.00  50.0 ms   5.0 %\n"
               "(idle)                            -       -       -         -            -     0 ns   0.0 %\n"
               "\n"
               "thread  active  serial  parallel  parallelism    share       %    self\n"
               "     1  1.00 s  900 ms    100 ms         1.10   950 ms  95.0 %  200 ms\n"
               "     7  100 ms    0 ns    100 ms         2.00  50.0 ms   5.0 %    0 ns\n"
               "(idle)       -       -         -            -     0 ns   0.0 %       -\n",
               "evt stats: x.evt: 1 thread in spans or calls before any event shows it to run or stop (roles "
               "threadRun, threadStop): taken to run in them\n"
               "evt stats: x.evt: 1 end of spans that were not seen to begin: not counted\n"
               "evt stats: x.evt: 1 span overlapping another without nesting: common time counts for the later one\n"
               "evt stats: x.evt: 1 call unfinished at the end\n"}));
}

TEST_F(StatsShareDoubts, WhatAThreadLeavesOpenIsNotOfTheNextOfItsNumber) {
  given(
      "0.0 1 new thread=1\n"
      "0.0 1 run thread=1 cpu=0\n"
      "0.5 1 begin thread=1 name=\"work\"\n"
      "1.0 1 exit thread=1\n"
      "2.0 1 new thread=1\n"
      "2.0 1 run thread=1 cpu=0\n"
      "3.0 1 stop thread=1 why=preempted\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         3.00 s\n"
                     "idle         1.00 s\n"
                     "serial       2.00 s\n"
                     "parallel     0 ns\n"
                     "parallelism  1.00\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  1.50 s  1.50 s      0 ns         1.00  1.50 s  50.0 %\n"
                     "work                  span        1  500 ms  500 ms      0 ns         1.00  500 ms  16.7 %\n"
                     "(idle)                            -       -       -         -            -  1.00 s  33.3 %\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism   share       %    self\n"
                     "     1  1.00 s  1.00 s      0 ns         1.00  1.00 s  33.3 %  500 ms\n"
                     "     1  1.00 s  1.00 s      0 ns         1.00  1.00 s  33.3 %  1.00 s\n"
                     "(idle)       -       -         -            -  1.00 s  33.3 %       -\n",
                     "evt stats: x.evt: 1 span unfinished when the enclosing one ended\n"}));
}

TEST_F(StatsShareDoubts, ThreadsOfTheInputsOfAMergedTraceAreNotTheSame) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.5 1 begin thread=1 name=\"work\"\n"
      "1.0 1 end thread=1\n"
      "1.0 1 stop thread=1 why=preempted\n");
  EXPECT_EQ(run("evt convert x.evt | sed 's/0c0d0e0f start/0c0d0e1f start/' > y.txt && evt convert y.txt -o y.evt && "
                "evt merge "
                "x.evt y.evt -o m.evt 2> said && evt stats share m.evt"),
            prints("model        running\n"
                   "wall         1.00 s\n"
                   "idle         0 ns\n"
                   "serial       0 ns\n"
                   "parallel     1.00 s\n"
                   "parallelism  2.00\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %\n"
                   "work                  span        2  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   " thread  active  serial  parallel  parallelism   share       %    self\n"
                   "x.evt:1  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %  250 ms\n"
                   "y.evt:1  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %  250 ms\n"
                   " (idle)       -       -         -            -    0 ns   0.0 %       -\n"));
}

TEST_F(StatsShareDoubts, OfNothingNothingIsKnown) {
  given("0.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{1,
                     "model        running\n"
                     "wall         0 ns\n"
                     "idle         0 ns\n"
                     "serial       0 ns\n"
                     "parallel     0 ns\n"
                     "parallelism  -\n"
                     "\n"
                     "name    kind  times  active  serial  parallel  parallelism  share  %\n"
                     "(idle)            -       -       -         -            -   0 ns  -\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism  share  %  self\n"
                     "(idle)       -       -         -            -   0 ns  -     -\n",
                     "evt stats: x.evt: no event records a thread, a span or a call: the time cannot be divided\n"}));
}

TEST_F(StatsShareDoubts, AnEmptyTraceHasNoTimeToShare) {
  given("");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{1,
                     "model        running\n"
                     "wall         0 ns\n"
                     "idle         0 ns\n"
                     "serial       0 ns\n"
                     "parallel     0 ns\n"
                     "parallelism  -\n"
                     "\n"
                     "name    kind  times  active  serial  parallel  parallelism  share  %\n"
                     "(idle)            -       -       -         -            -   0 ns  -\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism  share  %  self\n"
                     "(idle)       -       -         -            -   0 ns  -     -\n",
                     "evt stats: x.evt: no event records a thread, a span or a call: the time cannot be divided\n"}));
  EXPECT_EQ(run("evt stats share --compare-models x.evt"),
            (Outcome{1,
                     "name    kind  running  existing  existing off by  phase  phase off by\n"
                     "(idle)           0 ns      0 ns             0 ns   0 ns          0 ns\n",
                     "evt stats: x.evt: no event records a thread, a span or a call: the time cannot be divided\n"}));
}

}  // namespace
}  // namespace evt::testing
