// evt stats share: whose the time is.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsShare : public AtTheShell {
 protected:
  void given(const std::string& events) {
    given_trace("x.evt", std::string("type 1024 run role=threadRun (thread u32 role=thread) (cpu u32 role=cpu)\n"
                                     "type 1025 stop role=threadStop (thread u32 role=thread) (why enum8 role=reason "
                                     "labels=[0=preempted 1=sleeping])\n"
                                     "type 1026 new role=threadCreate (thread u32 role=thread)\n"
                                     "type 1027 exit role=threadExit (thread u32 role=thread)\n"
                                     "type 1028 begin role=spanBegin (thread u32 role=thread) (name text role=name)\n"
                                     "type 1029 end role=spanEnd (thread u32 role=thread)\n"
                                     "type 1030 call role=callBegin (thread u32 role=thread) (f text role=function)\n"
                                     "type 1031 back role=callEnd (thread u32 role=thread) (f text role=function)\n"
                                     "type 1032 was role=call (thread u32 role=thread) (f text role=function) (took "
                                     "u32 role=duration unit=milliseconds)\n"
                                     "type 1033 tick\n"
                                     "stream 1 \"a\"\n"
                                     "stream 2 \"b\"\n") +
                             events);
  }
};

TEST_F(StatsShare, TwoThreadsThatHalfOverlap) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 run thread=2 cpu=1\n"
      "2.0 1 stop thread=1 why=preempted\n"
      "3.0 1 stop thread=2 why=preempted\n"
      "4.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            prints("model        running\n"
                   "wall         4.00 s\n"
                   "nobody       1.00 s\n"
                   "serial       2.00 s\n"
                   "parallel     1.00 s\n"
                   "parallelism  1.33\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  4.00 s  2.00 s    2.00 s         1.50  3.00 s  75.0 %\n"
                   "(nobody)                          -       -       -         -            -  1.00 s  25.0 %\n"
                   "\n"
                   "  thread  active  serial  parallel  parallelism   share       %    self\n"
                   "       1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  1.50 s\n"
                   "       2  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  1.50 s\n"
                   "(nobody)       -       -         -            -  1.00 s  25.0 %       -\n"));
}

TEST_F(StatsShare, AThreadThatSleepsTakesNoTimeFromOneThatRuns) {
  given(
      "0.0 1 new thread=1\n"
      "0.0 1 new thread=2\n"
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 run thread=2 cpu=1\n"
      "0.5 1 stop thread=2 why=sleeping\n"
      "0.5 1 begin thread=1 name=\"work\"\n"
      "1.5 1 end thread=1\n"
      "2.0 1 stop thread=1 why=preempted\n"
      "2.0 1 exit thread=1\n"
      "2.0 1 exit thread=2\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            prints("model        running\n"
                   "wall         2.00 s\n"
                   "nobody       0 ns\n"
                   "serial       1.50 s\n"
                   "parallel     500 ms\n"
                   "parallelism  1.25\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  1.50 s  500 ms    1.00 s         1.67  1.00 s  50.0 %\n"
                   "work                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  50.0 %\n"
                   "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "  thread  active  serial  parallel  parallelism   share       %    self\n"
                   "       1  2.00 s  1.50 s    500 ms         1.25  1.75 s  87.5 %  750 ms\n"
                   "       2  500 ms    0 ns    500 ms         2.00  250 ms  12.5 %  250 ms\n"
                   "(nobody)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --model existing x.evt"),
            prints("model        existing: diluted by threads that sleep\n"
                   "wall         2.00 s\n"
                   "nobody       0 ns\n"
                   "serial       0 ns\n"
                   "parallel     2.00 s\n"
                   "parallelism  2.00\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  3.00 s    0 ns    3.00 s         2.00  1.50 s  75.0 %\n"
                   "work                  span        1  1.00 s    0 ns    1.00 s         2.00  500 ms  25.0 %\n"
                   "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "  thread  active  serial  parallel  parallelism   share       %    self\n"
                   "       1  2.00 s    0 ns    2.00 s         2.00  1.00 s  50.0 %  500 ms\n"
                   "       2  2.00 s    0 ns    2.00 s         2.00  1.00 s  50.0 %  1.00 s\n"
                   "(nobody)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --compare-models x.evt"),
            (Outcome{0,
                     "name                  kind    running  existing  existing off by   phase  phase off by\n"
                     "(threads themselves)  thread   1.00 s    1.50 s           500 ms  2.50 s        1.50 s\n"
                     "work                  span     1.00 s    500 ms          -500 ms  500 ms       -500 ms\n"
                     "(nobody)                         0 ns      0 ns             0 ns    0 ns          0 ns\n"
                     "\n"
                     "thread  running  existing  existing off by   phase  phase off by\n"
                     "     1   1.75 s    1.00 s          -750 ms  1.00 s       -750 ms\n"
                     "     2   250 ms    1.00 s           750 ms  2.00 s        1.75 s\n",
                     "evt stats: x.evt: by the model phase shares add up to 3000000000 ns of 2000000000 ns: it is an "
                     "approximation\n"}));
}

// Thread 1 makes two others, waits for them, and goes on alone.
TEST_F(StatsShare, SerialAndParallelPhases) {
  given(
      "0.0 1 new thread=1\n"
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 begin thread=1 name=\"read\"\n"
      "1.0 1 end thread=1\n"
      "1.0 1 new thread=2\n"
      "1.0 1 new thread=3\n"
      "1.0 1 run thread=2 cpu=1\n"
      "1.0 1 run thread=3 cpu=2\n"
      "1.0 1 call thread=2 f=\"solve\"\n"
      "1.0 1 call thread=3 f=\"solve\"\n"
      "1.0 1 call thread=1 f=\"wait\"\n"
      "1.0 1 stop thread=1 why=sleeping\n"
      "3.0 1 back thread=2 f=\"solve\"\n"
      "4.0 1 back thread=3 f=\"solve\"\n"
      "4.0 1 exit thread=2\n"
      "4.0 1 exit thread=3\n"
      "4.0 1 run thread=1 cpu=0\n"
      "4.0 1 back thread=1 f=\"wait\"\n"
      "4.0 1 begin thread=1 name=\"print\"\n"
      "5.0 1 end thread=1\n"
      "5.0 1 exit thread=1\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            prints("model        running\n"
                   "wall         5.00 s\n"
                   "nobody       0 ns\n"
                   "serial       2.00 s\n"
                   "parallel     3.00 s\n"
                   "parallelism  1.60\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "solve                 call        2  5.00 s    0 ns    5.00 s         2.00  2.50 s  50.0 %\n"
                   "read                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                   "print                 span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                   "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         2.00  500 ms  10.0 %\n"
                   "wait                  call        1    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                   "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "  thread  active  serial  parallel  parallelism   share       %    self\n"
                   "       1  2.00 s  2.00 s      0 ns         1.00  2.00 s  40.0 %    0 ns\n"
                   "       2  3.00 s    0 ns    3.00 s         2.00  1.50 s  30.0 %  500 ms\n"
                   "       3  3.00 s    0 ns    3.00 s         2.00  1.50 s  30.0 %    0 ns\n"
                   "(nobody)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --model phase x.evt"),
            (Outcome{0,
                     "model        phase: the most that existed in each phase\n"
                     "wall         5.00 s\n"
                     "nobody       0 ns\n"
                     "serial       2.00 s\n"
                     "parallel     3.00 s\n"
                     "parallelism  2.20\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "wait                  call        1  3.00 s    0 ns    3.00 s         3.00  3.00 s  60.0 %\n"
                     "solve                 call        2  5.00 s    0 ns    5.00 s         3.00  1.67 s  33.3 %\n"
                     "read                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                     "print                 span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                     "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         3.00  333 ms   6.7 %\n"
                     "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "  thread  active  serial  parallel  parallelism   share        %    self\n"
                     "       1  5.00 s  2.00 s    3.00 s         2.20  5.00 s  100.0 %    0 ns\n"
                     "       2  3.00 s    0 ns    3.00 s         3.00  1.00 s   20.0 %  333 ms\n"
                     "       3  3.00 s    0 ns    3.00 s         3.00  1.00 s   20.0 %    0 ns\n"
                     "(nobody)       -       -         -            -    0 ns    0.0 %       -\n",
                     "evt stats: x.evt: by the model phase shares add up to 7000000000 ns of 5000000000 ns: it is an "
                     "approximation\n"}));
}

TEST_F(StatsShare, ThirdsOfANanosecondAddUp) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 run thread=2 cpu=1\n"
      "0.0 1 run thread=3 cpu=2\n"
      "0.000000010 1 stop thread=1 why=preempted\n");
  EXPECT_EQ(
      run("evt stats share --raw x.evt"),
      prints("model        running\n"
             "wall ns      10\n"
             "nobody ns    0\n"
             "serial ns    0\n"
             "parallel ns  10\n"
             "parallelism  3\n"
             "\n"
             "name                  kind    times  active ns  serial ns  parallel ns  parallelism  share ns    %\n"
             "(threads themselves)  thread      -         30          0           30            3        10  100\n"
             "(nobody)                          -          -          -            -            -         0    0\n"
             "\n"
             "  thread  active ns  serial ns  parallel ns  parallelism  share ns   %  self ns\n"
             "       1         10          0           10            3         4  40        4\n"
             "       2         10          0           10            3         3  30        3\n"
             "       3         10          0           10            3         3  30        3\n"
             "(nobody)          -          -            -            -         0   0        -\n"));
}

TEST_F(StatsShare, ASpanThatIsOpenAtTheEndIsCountedUntilThen) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 begin thread=1 name=\"work\"\n"
      "1.5 1 call thread=1 f=\"read\"\n"
      "2.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         2.00 s\n"
                     "nobody       0 ns\n"
                     "serial       2.00 s\n"
                     "parallel     0 ns\n"
                     "parallelism  1.00\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  1.00 s  1.00 s      0 ns         1.00  1.00 s  50.0 %\n"
                     "work                  span        1  500 ms  500 ms      0 ns         1.00  500 ms  25.0 %\n"
                     "read                  call        1  500 ms  500 ms      0 ns         1.00  500 ms  25.0 %\n"
                     "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "  thread  active  serial  parallel  parallelism   share        %    self\n"
                     "       1  2.00 s  2.00 s      0 ns         1.00  2.00 s  100.0 %  1.00 s\n"
                     "(nobody)       -       -         -            -    0 ns    0.0 %       -\n",
                     "evt stats: x.evt: 2 spans or calls still open at the end: the time until then is counted\n"}));
}

TEST_F(StatsShare, BehindALossOneCannotBeSure) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 2 run thread=2 cpu=1\n"
      "1.0 1 begin thread=1 name=\"work\"\n"
      "2.0 1 !lost count=3 cause=ring_full\n"
      "3.0 1 end thread=1\n"
      "3.5 1 stop thread=1 why=preempted\n"
      "4.0 2 stop thread=2 why=preempted\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         4.00 s\n"
                     "nobody       0 ns\n"
                     "serial       500 ms\n"
                     "parallel     3.50 s\n"
                     "parallelism  1.88\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  5.50 s  500 ms    5.00 s         1.91  3.00 s  75.0 %\n"
                     "work                  span        1  2.00 s    0 ns    2.00 s         2.00  1.00 s  25.0 %\n"
                     "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "  thread  active  serial  parallel  parallelism   share       %    self\n"
                     "       2  4.00 s  500 ms    3.50 s         1.88  2.25 s  56.2 %  2.25 s\n"
                     "       1  3.50 s    0 ns    3.50 s         2.00  1.75 s  43.8 %  750 ms\n"
                     "(nobody)       -       -         -            -    0 ns   0.0 %       -\n",
                     "evt stats: x.evt: 2.00 s of the time are uncertain: events were lost that may have said that "
                     "threads stopped or spans ended\n"
                     "evt stats: x.evt: 3 events of stream 1 \"a\" lost: ring_full\n"}));
}

// They lie in one another, and in a span; while one waits, it does not run.
TEST_F(StatsShare, CallsThatAreToldAtTheirEnd) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.1 1 begin thread=1 name=\"work\"\n"
      "0.4 1 was thread=1 f=\"read\" took=100\n"
      "0.5 1 run thread=2 cpu=1\n"
      "0.6 1 stop thread=1 why=sleeping\n"
      "0.8 1 run thread=1 cpu=0\n"
      "0.9 1 was thread=1 f=\"load\" took=700\n"
      "1.0 1 end thread=1\n"
      "1.0 1 stop thread=2 why=preempted\n");
  EXPECT_EQ(run("evt stats share x.evt"),
            prints("model        running\n"
                   "wall         1.00 s\n"
                   "nobody       0 ns\n"
                   "serial       700 ms\n"
                   "parallel     300 ms\n"
                   "parallelism  1.30\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  600 ms  300 ms    300 ms         1.50  450 ms  45.0 %\n"
                   "load                  call        1  400 ms  200 ms    200 ms         1.50  300 ms  30.0 %\n"
                   "work                  span        1  200 ms  100 ms    100 ms         1.50  150 ms  15.0 %\n"
                   "read                  call        1  100 ms  100 ms      0 ns         1.00  100 ms  10.0 %\n"
                   "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "  thread  active  serial  parallel  parallelism   share       %    self\n"
                   "       1  800 ms  500 ms    300 ms         1.38  650 ms  65.0 %  100 ms\n"
                   "       2  500 ms  200 ms    300 ms         1.60  350 ms  35.0 %  350 ms\n"
                   "(nobody)       -       -         -            -    0 ns   0.0 %       -\n"));
}

TEST_F(StatsShare, WithoutEventsOfRunningWhatIsOpenRuns) {
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
                     "nobody       1.00 s\n"
                     "serial       2.00 s\n"
                     "parallel     1.00 s\n"
                     "parallelism  1.33\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "work                  span        2  4.00 s  2.00 s    2.00 s         1.50  3.00 s  75.0 %\n"
                     "(threads themselves)  thread      -    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                     "read                  call        1    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                     "(nobody)                          -       -       -         -            -  1.00 s  25.0 %\n"
                     "\n"
                     "  thread  active  serial  parallel  parallelism   share       %  self\n"
                     "       1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  0 ns\n"
                     "       2  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  0 ns\n"
                     "(nobody)       -       -         -            -  1.00 s  25.0 %     -\n",
                     "evt stats: x.evt: no event says that a thread runs (roles threadRun, threadStop): threads with "
                     "an open span or call are taken to run\n"
                     "evt stats: x.evt: 1 span or call told at the end alone, of a thread that nothing said to be "
                     "active: no share\n"}));
}

TEST_F(StatsShare, APartCountsFromItsBeginning) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 begin thread=1 name=\"work\"\n"
      "1.0 1 run thread=2 cpu=1\n"
      "2.0 1 end thread=1\n"
      "2.0 1 begin thread=1 name=\"rest\"\n"
      "3.0 1 end thread=1\n"
      "4.0 1 tick\n");
  EXPECT_EQ(run("evt stats share --from 1.5 --to 2.5 x.evt"),
            (Outcome{0,
                     "model        running\n"
                     "wall         1.00 s\n"
                     "nobody       0 ns\n"
                     "serial       0 ns\n"
                     "parallel     1.00 s\n"
                     "parallelism  2.00\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %\n"
                     "work                  span        1  500 ms    0 ns    500 ms         2.00  250 ms  25.0 %\n"
                     "rest                  span        1  500 ms    0 ns    500 ms         2.00  250 ms  25.0 %\n"
                     "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "  thread  active  serial  parallel  parallelism   share       %    self\n"
                     "       1  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %    0 ns\n"
                     "       2  1.00 s    0 ns    1.00 s         2.00  500 ms  50.0 %  500 ms\n"
                     "(nobody)       -       -         -            -    0 ns   0.0 %       -\n",
                     "evt stats: x.evt: 1 span or call still open at the end: the time until then is counted\n"}));
}

TEST_F(StatsShare, WhatDoesNotFitTogetherIsSaid) {
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
               "nobody       0 ns\n"
               "serial       1.00 s\n"
               "parallel     0 ns\n"
               "parallelism  1.00\n"
               "\n"
               "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
               "(threads themselves)  thread      -  800 ms  800 ms      0 ns         1.00  800 ms  80.0 %\n"
               "work                  span        1  100 ms  100 ms      0 ns         1.00  100 ms  10.0 %\n"
               "read                  call        1  100 ms  100 ms      0 ns         1.00  100 ms  10.0 %\n"
               "elsewhere             span        1    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
               "(nobody)                          -       -       -         -            -    0 ns   0.0 %\n"
               "\n"
               "  thread  active  serial  parallel  parallelism   share        %    self\n"
               "       1  1.00 s  1.00 s      0 ns         1.00  1.00 s  100.0 %  800 ms\n"
               "       7    0 ns    0 ns      0 ns            -    0 ns    0.0 %    0 ns\n"
               "(nobody)       -       -         -            -    0 ns    0.0 %       -\n",
               "evt stats: x.evt: 1 thread with spans or calls never seen to run: no share\n"
               "evt stats: x.evt: 1 end of a span or call that was not open: not counted\n"
               "evt stats: x.evt: 1 span or call not ended before what was around it: taken to have ended then\n"}));
}

TEST_F(StatsShare, OfNothingNothingIsKnown) {
  given("0.0 1 tick\n");
  EXPECT_EQ(
      run("evt stats share x.evt"),
      (Outcome{
          0,
          "model        running: threads with an open span or call\n"
          "wall         0 ns\n"
          "nobody       0 ns\n"
          "serial       0 ns\n"
          "parallel     0 ns\n"
          "parallelism  -\n"
          "\n"
          "name      kind  times  active  serial  parallel  parallelism  share  %\n"
          "(nobody)            -       -       -         -            -   0 ns  -\n"
          "\n"
          "  thread  active  serial  parallel  parallelism  share  %  self\n"
          "(nobody)       -       -         -            -   0 ns  -     -\n",
          "evt stats: x.evt: no event is about a thread, a span or a call: nothing is known of whose the time was\n"}));
}

}  // namespace
}  // namespace evt::testing
