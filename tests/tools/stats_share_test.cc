// evt stats share: whose the time is.
#include "stats_share.h"

namespace evt::testing {
namespace {

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
                   "idle         1.00 s\n"
                   "serial       2.00 s\n"
                   "parallel     1.00 s\n"
                   "parallelism  1.33\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  4.00 s  2.00 s    2.00 s         1.50  3.00 s  75.0 %\n"
                   "(idle)                            -       -       -         -            -  1.00 s  25.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  1.50 s\n"
                   "     2  2.00 s  1.00 s    1.00 s         1.50  1.50 s  37.5 %  1.50 s\n"
                   "(idle)       -       -         -            -  1.00 s  25.0 %       -\n"));
}

TEST_F(StatsShare, NothingIsIdleBeforeTheFirstEvent) {
  given(
      "3.0 1 run thread=1 cpu=0\n"
      "4.0 1 stop thread=1 why=preempted\n"
      "6.0 1 tick\n");
  EXPECT_EQ(run("evt stats share x.evt | head -5"), prints("model        running\n"
                                                           "wall         3.00 s\n"
                                                           "idle         2.00 s\n"
                                                           "serial       1.00 s\n"
                                                           "parallel     0 ns\n"));
  EXPECT_EQ(run("evt stats share --session x.evt | head -3"), prints("model        running\n"
                                                                     "wall         6.00 s\n"
                                                                     "idle         5.00 s\n"));
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
                   "idle         0 ns\n"
                   "serial       1.50 s\n"
                   "parallel     500 ms\n"
                   "parallelism  1.25\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  1.50 s  500 ms    1.00 s         1.67  1.00 s  50.0 %\n"
                   "work                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  50.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  2.00 s  1.50 s    500 ms         1.25  1.75 s  87.5 %  750 ms\n"
                   "     2  500 ms    0 ns    500 ms         2.00  250 ms  12.5 %  250 ms\n"
                   "(idle)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --model existing x.evt"),
            prints("model        existing: diluted by threads that sleep\n"
                   "wall         2.00 s\n"
                   "idle         0 ns\n"
                   "serial       0 ns\n"
                   "parallel     2.00 s\n"
                   "parallelism  2.00\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  3.00 s    0 ns    3.00 s         2.00  1.50 s  75.0 %\n"
                   "work                  span        1  1.00 s    0 ns    1.00 s         2.00  500 ms  25.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  2.00 s    0 ns    2.00 s         2.00  1.00 s  50.0 %  500 ms\n"
                   "     2  2.00 s    0 ns    2.00 s         2.00  1.00 s  50.0 %  1.00 s\n"
                   "(idle)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --compare-models x.evt"),
            (Outcome{0,
                     "name                  kind    running  existing  existing off by   phase  phase off by\n"
                     "(threads themselves)  thread   1.00 s    1.50 s           500 ms  2.50 s        1.50 s\n"
                     "work                  span     1.00 s    500 ms          -500 ms  500 ms       -500 ms\n"
                     "(idle)                           0 ns      0 ns             0 ns    0 ns          0 ns\n"
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
                   "idle         0 ns\n"
                   "serial       2.00 s\n"
                   "parallel     3.00 s\n"
                   "parallelism  1.60\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "solve                 call        2  5.00 s    0 ns    5.00 s         2.00  2.50 s  50.0 %\n"
                   "print                 span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                   "read                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                   "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         2.00  500 ms  10.0 %\n"
                   "wait                  call        1    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  2.00 s  2.00 s      0 ns         1.00  2.00 s  40.0 %    0 ns\n"
                   "     2  3.00 s    0 ns    3.00 s         2.00  1.50 s  30.0 %  500 ms\n"
                   "     3  3.00 s    0 ns    3.00 s         2.00  1.50 s  30.0 %    0 ns\n"
                   "(idle)       -       -         -            -    0 ns   0.0 %       -\n"));
  EXPECT_EQ(run("evt stats share --model phase x.evt"),
            (Outcome{0,
                     "model        phase: the most that existed in each phase\n"
                     "wall         5.00 s\n"
                     "idle         0 ns\n"
                     "serial       2.00 s\n"
                     "parallel     3.00 s\n"
                     "parallelism  2.20\n"
                     "\n"
                     "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                     "wait                  call        1  3.00 s    0 ns    3.00 s         3.00  3.00 s  60.0 %\n"
                     "solve                 call        2  5.00 s    0 ns    5.00 s         3.00  1.67 s  33.3 %\n"
                     "print                 span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                     "read                  span        1  1.00 s  1.00 s      0 ns         1.00  1.00 s  20.0 %\n"
                     "(threads themselves)  thread      -  1.00 s    0 ns    1.00 s         3.00  333 ms   6.7 %\n"
                     "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                     "\n"
                     "thread  active  serial  parallel  parallelism   share        %    self\n"
                     "     1  5.00 s  2.00 s    3.00 s         2.20  5.00 s  100.0 %    0 ns\n"
                     "     2  3.00 s    0 ns    3.00 s         3.00  1.00 s   20.0 %  333 ms\n"
                     "     3  3.00 s    0 ns    3.00 s         3.00  1.00 s   20.0 %    0 ns\n"
                     "(idle)       -       -         -            -    0 ns    0.0 %       -\n",
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
             "idle ns      0\n"
             "serial ns    0\n"
             "parallel ns  10\n"
             "parallelism  3\n"
             "\n"
             "name                  kind    times  active ns  serial ns  parallel ns  parallelism  share ns    %\n"
             "(threads themselves)  thread      -         30          0           30            3        10  100\n"
             "(idle)                            -          -          -            -            -         0    0\n"
             "\n"
             "thread  active ns  serial ns  parallel ns  parallelism  share ns   %  self ns\n"
             "     1         10          0           10            3         4  40        4\n"
             "     2         10          0           10            3         3  30        3\n"
             "     3         10          0           10            3         3  30        3\n"
             "(idle)          -          -            -            -         0   0        -\n"));
}

// Thread 1 in A until 2 s, thread 2 in B from 1 s to 3 s.
TEST_F(StatsShare, OfOneStreamIsTheShareThatItHasOfTheTimeOfAll) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 begin thread=1 name=\"A\"\n"
      "1.0 2 run thread=2 cpu=1\n"
      "1.0 2 begin thread=2 name=\"B\"\n"
      "2.0 1 end thread=1\n"
      "2.0 1 stop thread=1 why=sleeping\n"
      "3.0 2 end thread=2\n"
      "3.0 2 stop thread=2 why=sleeping\n");
  EXPECT_EQ(run("evt stats share --stream a x.evt"),
            prints("model        running\n"
                   "wall         3.00 s\n"
                   "idle         0 ns\n"
                   "serial       2.00 s\n"
                   "parallel     1.00 s\n"
                   "parallelism  1.33\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "A                     span        1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  50.0 %\n"
                   "(threads themselves)  thread      -    0 ns    0 ns      0 ns            -    0 ns   0.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %  self\n"
                   "     1  2.00 s  1.00 s    1.00 s         1.50  1.50 s  50.0 %  0 ns\n"
                   "(idle)       -       -         -            -    0 ns   0.0 %     -\n"));
}

// Each is alone, and has what it was active: nothing of what the others had.
TEST_F(StatsShare, OfOneNameIsNoMoreThanItsTime) {
  given(
      "0.000000000 1 run thread=1 cpu=0\n"
      "0.000000000 1 begin thread=1 name=\"A\"\n"
      "0.000000001 1 end thread=1\n"
      "0.000000001 1 stop thread=1 why=sleeping\n"
      "0.000000005 1 run thread=2 cpu=0\n"
      "0.000000005 1 begin thread=2 name=\"B\"\n"
      "0.000000009 1 end thread=2\n"
      "0.000000009 1 stop thread=2 why=sleeping\n");
  EXPECT_EQ(run("evt stats share --where name=A --csv x.evt | tr -d '\\r'"),
            prints("model,wall_ns,idle_ns,serial_ns,parallel_ns,parallelism\n"
                   "running,9,4,5,0,1\n"
                   "\n"
                   "name,kind,times,active_ns,serial_ns,parallel_ns,parallelism,share_ns,percent,outliers,"
                   "share_without_ns\n"
                   "A,span,1,1,1,0,1,1,11.111111,0,1\n"
                   "(idle),,,,,,,4,44.444444,,\n"
                   "\n"
                   "thread,name,active_ns,serial_ns,parallel_ns,parallelism,share_ns,percent,self_ns\n"
                   "1,,1,1,0,1,1,11.111111,0\n"
                   "(idle),,,,,,4,44.444444,\n"));
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
                   "idle         0 ns\n"
                   "serial       700 ms\n"
                   "parallel     300 ms\n"
                   "parallelism  1.30\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  600 ms  300 ms    300 ms         1.50  450 ms  45.0 %\n"
                   "load                  call        1  400 ms  200 ms    200 ms         1.50  300 ms  30.0 %\n"
                   "work                  span        1  200 ms  100 ms    100 ms         1.50  150 ms  15.0 %\n"
                   "read                  call        1  100 ms  100 ms      0 ns         1.00  100 ms  10.0 %\n"
                   "(idle)                            -       -       -         -            -    0 ns   0.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  800 ms  500 ms    300 ms         1.38  650 ms  65.0 %  100 ms\n"
                   "     2  500 ms  200 ms    300 ms         1.60  350 ms  35.0 %  350 ms\n"
                   "(idle)       -       -         -            -    0 ns   0.0 %       -\n"));
}

// From 0.2 to 0.6, in which one thread is recorded to run, and another is in a call.
TEST_F(StatsShare, NoThreadRunsWhileItsProcessIsStopped) {
  given_trace("s.evt", std::string(kFirstLines) +
                           "type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
                           "type 2 call role=callBegin (thread u64 role=thread) (f text role=function)\n"
                           "type 3 back role=callEnd (thread u64 role=thread) (f text role=function)\n"
                           "type 4 stopped role=stopped (duration tick_delta role=duration)\n"
                           "stream 1 \"s\"\n"
                           "0.0 1 run thread=1 cpu=0\n"
                           "0.1 1 call thread=2 f=\"read\"\n"
                           "0.6 1 stopped duration=0.4\n"
                           "0.8 1 back thread=2 f=\"read\"\n"
                           "1.0 1 stopped duration=0.0\n");
  EXPECT_EQ(run("evt stats share s.evt 2>doubts"),
            prints("model        running\n"
                   "wall         1.00 s\n"
                   "idle         400 ms\n"
                   "serial       300 ms\n"
                   "parallel     300 ms\n"
                   "parallelism  1.50\n"
                   "\n"
                   "name                  kind    times  active  serial  parallel  parallelism   share       %\n"
                   "(threads themselves)  thread      -  600 ms  300 ms    300 ms         1.50  450 ms  45.0 %\n"
                   "read                  call        1  300 ms    0 ns    300 ms         2.00  150 ms  15.0 %\n"
                   "(idle)                            -       -       -         -            -  400 ms  40.0 %\n"
                   "\n"
                   "thread  active  serial  parallel  parallelism   share       %    self\n"
                   "     1  600 ms  300 ms    300 ms         1.50  450 ms  45.0 %  450 ms\n"
                   "     2  300 ms    0 ns    300 ms         2.00  150 ms  15.0 %    0 ns\n"
                   "(idle)       -       -         -            -  400 ms  40.0 %       -\n"));
}

}  // namespace
}  // namespace evt::testing
