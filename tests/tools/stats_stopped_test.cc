// evt stats usage: what of the time the program was stopped.
#include "stats_usage.h"

namespace evt::testing {
namespace {

using StatsStopped = StatsUsage;

// 20 bytes take two seconds; with the second in which the program was stopped, three.
TEST_F(StatsStopped, ACallThatTookLongerByTheStopWasDelayedByIt) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "3.0 1 frozen took=1.0\n"
      "4.0 1 back thread=1 f=\"write\" n=20\n");
  EXPECT_EQ(run("evt stats usage --limit disk=10/s x.evt"),
            prints("what       time       %  stopped\n"
                   "cpu      1.00 s  25.0 %     0 ns\n"
                   "disk     2.00 s  50.0 %   1.00 s\n"
                   "stopped  1.00 s  25.0 %        -\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     2.000000000  3.000000000   1.00 s\n"
                   "all             -            -   1.00 s\n"
                   "\n"
                   "resource  calls  amount    time   rate  stopped\n"
                   "disk          1      20  2.00 s  10 /s   1.00 s\n"
                   "\n"
                   "resource  limit  calls  amount    busy       %  longest\n"
                   "disk      10 /s      1      20  2.00 s  50.0 %   2.00 s\n"
                   "\n"
                   "thread  name     cpu  in disk  stopped\n"
                   "     1  main  1.00 s   2.00 s   1.00 s\n"
                   "\n"
                   "thread  name  resource  calls  amount    time   rate  stopped\n"
                   "     1  main  disk          1      20  2.00 s  10 /s   1.00 s\n"
                   "\n"
                   "object  resource  calls  amount    time   rate  stopped\n"
                   "3       disk          1      20  2.00 s  10 /s   1.00 s\n"
                   "\n"
                   "function  resource  calls  amount    time   rate  stopped\n"
                   "write     disk          1      20  2.00 s  10 /s   1.00 s\n"));
}

// The disk wrote while the program was stopped.
TEST_F(StatsStopped, ACallThatTookLessLetTheResourceGoOn) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "3.0 1 frozen took=1.0\n"
      "3.5 1 back thread=1 f=\"write\" n=20\n");
  EXPECT_EQ(run("evt stats usage --limit disk=10/s x.evt"),
            prints("what       time       %\n"
                   "cpu      1.00 s  28.6 %\n"
                   "disk     2.50 s  71.4 %\n"
                   "stopped    0 ns   0.0 %\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     2.000000000  3.000000000   1.00 s\n"
                   "all             -            -   1.00 s\n"
                   "\n"
                   "resource  calls  amount    time  rate\n"
                   "disk          1      20  2.50 s  8 /s\n"
                   "\n"
                   "resource  limit  calls  amount    busy       %  longest\n"
                   "disk      10 /s      1      20  2.00 s  57.1 %   2.00 s\n"
                   "\n"
                   "thread  name     cpu  in disk\n"
                   "     1  main  1.00 s   2.50 s\n"
                   "\n"
                   "thread  name  resource  calls  amount    time  rate\n"
                   "     1  main  disk          1      20  2.50 s  8 /s\n"
                   "\n"
                   "object  resource  calls  amount    time  rate\n"
                   "3       disk          1      20  2.50 s  8 /s\n"
                   "\n"
                   "function  resource  calls  amount    time  rate\n"
                   "write     disk          1      20  2.50 s  8 /s\n"));
}

// It asked for twenty bytes.
TEST_F(StatsStopped, OfACallThatIsStillOpenTheSameIsAsked) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "3.0 1 frozen took=1.0\n"
      "3.5 1 tick\n");
  EXPECT_EQ(run("evt stats usage --by function --limit disk=10/s x.evt"),
            (Outcome{0,
                     "function  resource  calls    time\n"
                     "write     disk          1  2.50 s\n",
                     "evt stats: x.evt: 1 call unfinished at the end\n"}));
  EXPECT_EQ(run("evt stats usage --by function --limit disk=20/s x.evt"),
            (Outcome{0,
                     "function  resource  calls    time  stopped\n"
                     "write     disk          1  1.50 s   1.00 s\n",
                     "evt stats: x.evt: 1 call unfinished at the end\n"}));
}

TEST_F(StatsStopped, WithoutALimitItIsAssumedThatTheCallWouldHaveReturned) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"recv\" fd=4 kind=\"net\" n=1\n"
      "3.0 1 frozen took=1.0\n"
      "3.5 1 back thread=1 f=\"recv\" n=1\n");
  EXPECT_EQ(run("evt stats usage x.evt"),
            prints("what       time       %  stopped  assumed\n"
                   "cpu      1.00 s  28.6 %     0 ns     0 ns\n"
                   "net      1.50 s  42.9 %   1.00 s   1.00 s\n"
                   "stopped  1.00 s  28.6 %        -   1.00 s\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     2.000000000  3.000000000   1.00 s\n"
                   "all             -            -   1.00 s\n"
                   "\n"
                   "resource  calls  amount    time     rate  stopped  assumed\n"
                   "net           1       1  1.50 s  0.67 /s   1.00 s   1.00 s\n"
                   "\n"
                   "thread  name     cpu  in net  stopped  assumed\n"
                   "     1  main  1.00 s  1.50 s   1.00 s   1.00 s\n"
                   "\n"
                   "thread  name  resource  calls  amount    time     rate  stopped  assumed\n"
                   "     1  main  net           1       1  1.50 s  0.67 /s   1.00 s   1.00 s\n"
                   "\n"
                   "object  resource  calls  amount    time     rate  stopped  assumed\n"
                   "4       net           1       1  1.50 s  0.67 /s   1.00 s   1.00 s\n"
                   "\n"
                   "function  resource  calls  amount    time     rate  stopped  assumed\n"
                   "recv      net           1       1  1.50 s  0.67 /s   1.00 s   1.00 s\n"));
}

// Of three and a half seconds that must be two only one and a half are left for two of stops.
TEST_F(StatsStopped, TwoStopsInOneCallCountTogether) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "2.0 1 frozen took=0.75\n"
      "3.0 1 frozen took=0.75\n"
      "4.5 1 back thread=1 f=\"write\" n=20\n"
      "5.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "6.0 1 frozen took=1.0\n"
      "7.5 1 frozen took=1.0\n"
      "8.5 1 back thread=1 f=\"write\" n=20\n");
  EXPECT_EQ(run("evt stats usage --limit disk=10/s x.evt"),
            prints("what       time       %  stopped\n"
                   "cpu      1.50 s  17.6 %     0 ns\n"
                   "disk     4.50 s  52.9 %   2.50 s\n"
                   "stopped  2.50 s  29.4 %        -\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     1.250000000  2.000000000   750 ms\n"
                   "2     2.250000000  3.000000000   750 ms\n"
                   "3     5.000000000  6.000000000   1.00 s\n"
                   "4     6.500000000  7.500000000   1.00 s\n"
                   "all             -            -   3.50 s\n"
                   "\n"
                   "resource  calls  amount    time     rate  stopped\n"
                   "disk          2      40  4.50 s  8.89 /s   2.50 s\n"
                   "\n"
                   "resource  limit  calls  amount    busy       %  longest\n"
                   "disk      10 /s      2      40  4.00 s  47.1 %   2.00 s\n"
                   "\n"
                   "thread  name     cpu  in disk  stopped\n"
                   "     1  main  1.50 s   4.50 s   2.50 s\n"
                   "\n"
                   "thread  name  resource  calls  amount    time     rate  stopped\n"
                   "     1  main  disk          2      40  4.50 s  8.89 /s   2.50 s\n"
                   "\n"
                   "object  resource  calls  amount    time     rate  stopped\n"
                   "3       disk          2      40  4.50 s  8.89 /s   2.50 s\n"
                   "\n"
                   "function  resource  calls  amount    time     rate  stopped\n"
                   "write     disk          2      40  4.50 s  8.89 /s   2.50 s\n"));
}

// Half a second of it was the cpu's.
TEST_F(StatsStopped, AStopThatBeganBeforeTheCall) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"recv\" fd=4 kind=\"net\" n=1\n"
      "1.5 1 frozen took=1.0\n"
      "2.0 1 back thread=1 f=\"recv\" n=1\n");
  EXPECT_EQ(run("evt stats usage x.evt"),
            prints("what       time       %  stopped  assumed\n"
                   "cpu      500 ms  25.0 %   500 ms     0 ns\n"
                   "net      500 ms  25.0 %   500 ms   500 ms\n"
                   "stopped  1.00 s  50.0 %        -   500 ms\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     0.500000000  1.500000000   1.00 s\n"
                   "all             -            -   1.00 s\n"
                   "\n"
                   "resource  calls  amount    time  rate  stopped  assumed\n"
                   "net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "thread  name     cpu  in net  stopped  assumed\n"
                   "     1  main  500 ms  500 ms   1.00 s   500 ms\n"
                   "\n"
                   "thread  name  resource  calls  amount    time  rate  stopped  assumed\n"
                   "     1  main  net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "object  resource  calls  amount    time  rate  stopped  assumed\n"
                   "4       net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "function  resource  calls  amount    time  rate  stopped  assumed\n"
                   "recv      net           1       1  500 ms  2 /s   500 ms   500 ms\n"));
}

// It is recorded when the call has returned.
TEST_F(StatsStopped, AStopThatEndedBehindTheCall) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"recv\" fd=4 kind=\"net\" n=1\n"
      "2.0 1 back thread=1 f=\"recv\" n=1\n"
      "2.5 1 frozen took=1.0\n"
      "3.0 1 tick\n");
  EXPECT_EQ(run("evt stats usage x.evt"),
            prints("what       time       %  stopped  assumed\n"
                   "cpu      1.50 s  50.0 %   500 ms     0 ns\n"
                   "net      500 ms  16.7 %   500 ms   500 ms\n"
                   "stopped  1.00 s  33.3 %        -   500 ms\n"
                   "\n"
                   "stop         from           to  stopped\n"
                   "1     1.500000000  2.500000000   1.00 s\n"
                   "all             -            -   1.00 s\n"
                   "\n"
                   "resource  calls  amount    time  rate  stopped  assumed\n"
                   "net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "thread  name     cpu  in net  stopped  assumed\n"
                   "     1  main  1.50 s  500 ms   1.00 s   500 ms\n"
                   "\n"
                   "thread  name  resource  calls  amount    time  rate  stopped  assumed\n"
                   "     1  main  net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "object  resource  calls  amount    time  rate  stopped  assumed\n"
                   "4       net           1       1  500 ms  2 /s   500 ms   500 ms\n"
                   "\n"
                   "function  resource  calls  amount    time  rate  stopped  assumed\n"
                   "recv      net           1       1  500 ms  2 /s   500 ms   500 ms\n"));
}

// Thread 2 was stopped on the cpu.
TEST_F(StatsStopped, WhoSleepsSleepsAnyway) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 run thread=2 cpu=1\n"
      "1.0 1 stop thread=1 why=sleeping\n"
      "3.0 1 frozen took=1.5\n"
      "4.0 1 run thread=1 cpu=0\n"
      "5.0 1 exit thread=1\n"
      "5.0 1 exit thread=2\n");
  EXPECT_EQ(run("evt stats usage x.evt"), (Outcome{0,
                                                   "what        time       %  stopped\n"
                                                   "cpu       5.50 s  55.0 %   1.50 s\n"
                                                   "sleeping  3.00 s  30.0 %     0 ns\n"
                                                   "stopped   1.50 s  15.0 %        -\n"
                                                   "\n"
                                                   "stop         from           to  stopped\n"
                                                   "1     1.500000000  3.000000000   1.50 s\n"
                                                   "all             -            -   1.50 s\n"
                                                   "\n"
                                                   "thread  name     cpu  sleeping  stopped\n"
                                                   "     1  main  2.00 s    3.00 s     0 ns\n"
                                                   "     2        3.50 s      0 ns   1.50 s\n",
                                                   "evt stats: x.evt: no event records a call (roles callBegin, "
                                                   "callEnd, call): nothing is known about usage\n"}));
}

// Its own limit is its; the second one would have to be longer.
TEST_F(StatsStopped, ACallThatIsToldAtItsEndTakesBackWhatWasStopped) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "2.0 1 frozen took=1.0\n"
      "4.0 1 was thread=1 f=\"write\" fd=0 kind=\"disk\" n=20 limit=10 took=3.0\n"
      "6.0 1 frozen took=1.0\n"
      "7.0 1 was thread=1 f=\"write\" fd=0 kind=\"disk\" n=20 limit=10 took=2.5\n");
  EXPECT_EQ(run("evt stats usage x.evt"), prints("what       time       %  stopped\n"
                                                 "cpu      1.50 s  21.4 %     0 ns\n"
                                                 "disk     4.50 s  64.3 %   1.00 s\n"
                                                 "stopped  1.00 s  14.3 %        -\n"
                                                 "\n"
                                                 "stop         from           to  stopped\n"
                                                 "1     1.000000000  2.000000000   1.00 s\n"
                                                 "2     5.000000000  6.000000000   1.00 s\n"
                                                 "all             -            -   2.00 s\n"
                                                 "\n"
                                                 "resource  calls  amount    time     rate  stopped\n"
                                                 "disk          2      40  4.50 s  8.89 /s   1.00 s\n"
                                                 "\n"
                                                 "resource  limit  calls  amount    busy       %  longest\n"
                                                 "disk      10 /s      2      40  4.00 s  57.1 %   2.00 s\n"
                                                 "\n"
                                                 "thread  name     cpu  in disk  stopped\n"
                                                 "     1  main  1.50 s   4.50 s   1.00 s\n"
                                                 "\n"
                                                 "thread  name  resource  calls  amount    time     rate  stopped\n"
                                                 "     1  main  disk          2      40  4.50 s  8.89 /s   1.00 s\n"
                                                 "\n"
                                                 "object  resource  calls  amount    time     rate  stopped\n"
                                                 "-       disk          2      40  4.50 s  8.89 /s   1.00 s\n"
                                                 "\n"
                                                 "function  resource  calls  amount    time     rate  stopped\n"
                                                 "write     disk          2      40  4.50 s  8.89 /s   1.00 s\n"));
}

// The second has to wait for the first: it was not delayed.
TEST_F(StatsStopped, OfTwoCallsAtATimeTheResourceServesOneAfterTheOther) {
  given(
      "0.0 1 call thread=1 f=\"write\" fd=3 kind=\"disk\" n=20\n"
      "0.0 1 call thread=2 f=\"write\" fd=4 kind=\"disk\" n=20\n"
      "1.0 1 frozen took=0.5\n"
      "4.0 1 back thread=1 f=\"write\" n=20\n"
      "4.0 1 back thread=2 f=\"write\" n=20\n");
  EXPECT_EQ(run("evt stats usage --by thread --limit disk=10/s x.evt"),
            (Outcome{0,
                     "thread  name   cpu  in disk  stopped\n"
                     "     1  main  0 ns   3.50 s   500 ms\n"
                     "     2        0 ns   4.00 s     0 ns\n"
                     "\n"
                     "thread  name  resource  calls  amount    time     rate  stopped\n"
                     "     2        disk          1      20  4.00 s     5 /s     0 ns\n"
                     "     1  main  disk          1      20  3.50 s  5.71 /s   500 ms\n",
                     "evt stats: x.evt: no event has role threadRun or threadStop: time outside of calls counts as "
                     "cpu, also sleep\n"}));
}

}  // namespace
}  // namespace evt::testing
