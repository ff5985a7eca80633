// evt stats usage: calls of functions, objects and resources.
#include "stats_usage.h"

#include <fmt/core.h>

namespace evt::testing {
namespace {

// Number 3 is a file, and then a socket.
TEST_F(StatsUsage, FilesAndSocketsByTheirNames) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 open fd=3 kind=\"file\" limit=0\n"
      "0.0 1 name fd=3 name=\"/etc/hosts\"\n"
      "0.1 1 call thread=1 f=\"read\" fd=3 kind=\"\" n=4096\n"
      "0.2 1 back thread=1 f=\"read\" n=200\n"
      "0.2 1 close fd=3\n"
      "0.3 1 open fd=3 kind=\"socket\" limit=0\n"
      "0.4 1 open fd=5 kind=\"file\" limit=0\n"
      "0.4 1 name fd=5 name=\"/etc/hosts\"\n"
      "0.5 1 was thread=1 f=\"send\" fd=3 kind=\"\" n=1000 limit=0 took=0.1\n"
      "0.6 1 was thread=1 f=\"read\" fd=5 kind=\"\" n=300 limit=0 took=0.1\n"
      "0.8 1 was thread=1 f=\"fsync\" fd=0 kind=\"file\" n=0 limit=0 took=0.1\n"
      "0.9 1 call thread=2 f=\"poll\" fd=0 kind=\"\" n=0\n"
      "1.0 1 back thread=2 f=\"poll\" n=0\n");
  EXPECT_EQ(
      run("evt stats usage x.evt"),
      (Outcome{0,
               "what       time       %\n"
               "cpu      700 ms  63.6 %\n"
               "file     300 ms  27.3 %\n"
               "socket   100 ms   9.1 %\n"
               "stopped    0 ns   0.0 %\n"
               "\n"
               "resource       opened  closed  most open  calls  amount    time      rate\n"
               "file                2       1          1      3     500  300 ms  1.67 k/s\n"
               "(no resource)       0       0          0      1       0  100 ms         -\n"
               "socket              1       0          1      1    1000  100 ms  10.0 k/s\n"
               "\n"
               "thread  name     cpu  in file  in socket\n"
               "     1  main  600 ms   300 ms     100 ms\n"
               "     2        100 ms     0 ns       0 ns\n"
               "\n"
               "thread  name  resource  calls  amount    time      rate\n"
               "     1  main  file          3     500  300 ms  1.67 k/s\n"
               "     1  main  socket        1    1000  100 ms  10.0 k/s\n"
               "     2        -             1       0  100 ms         -\n"
               "\n"
               "object      resource  calls  amount    time      rate\n"
               "/etc/hosts  file          2     500  200 ms  2.50 k/s\n"
               "3           socket        1    1000  100 ms  10.0 k/s\n"
               "-           file          1       0  100 ms         -\n"
               "-           -             1       0  100 ms         -\n"
               "\n"
               "function  resource  calls  amount    time      rate\n"
               "read      file          2     500  200 ms  2.50 k/s\n"
               "fsync     file          1       0  100 ms         -\n"
               "poll      -             1       0  100 ms         -\n"
               "send      socket        1    1000  100 ms  10.0 k/s\n",
               "evt stats: x.evt: 1 thread outside of calls before any event shows it to run or stop (roles threadRun, "
               "threadStop): that time counts as cpu\n"}));
  EXPECT_EQ(
      run("evt stats usage --by object x.evt"),
      (Outcome{0,
               "object      resource  calls  amount    time      rate\n"
               "/etc/hosts  file          2     500  200 ms  2.50 k/s\n"
               "3           socket        1    1000  100 ms  10.0 k/s\n"
               "-           file          1       0  100 ms         -\n"
               "-           -             1       0  100 ms         -\n",
               "evt stats: x.evt: 1 thread outside of calls before any event shows it to run or stop (roles threadRun, "
               "threadStop): that time counts as cpu\n"}));
}

TEST_F(StatsUsage, ByFunctionAndObjectIsWhatEachFunctionDidWithEach) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.0 1 open fd=3 kind=\"file\"\n0.0 1 name fd=3 name=\"a.txt\"\n"
      "0.1 1 call thread=1 f=\"read\" fd=3 kind=\"file\" n=100\n0.2 1 back thread=1 f=\"read\" n=100\n"
      "0.2 1 call thread=1 f=\"read\" fd=4 kind=\"file\" n=0\n0.5 1 back thread=1 f=\"read\" n=7\n"
      "0.5 1 call thread=1 f=\"fsync\" fd=3 kind=\"file\" n=0\n0.7 1 back thread=1 f=\"fsync\" n=0\n"
      "0.8 1 call thread=1 f=\"read\" fd=3 kind=\"file\" n=100\n0.9 1 back thread=1 f=\"read\" n=60\n");
  EXPECT_EQ(run("evt stats usage --by function,object x.evt"),
            prints("function  object  resource  calls  amount    time     rate\n"
                   "read      4       file          1       7  300 ms  23.3 /s\n"
                   "fsync     a.txt   file          1       0  200 ms        -\n"
                   "read      a.txt   file          2     160  200 ms   800 /s\n"));
}

TEST_F(StatsUsage, CallsInCallsAndAPartOfTheTime) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.0 1 call thread=1 f=\"fprintf\" fd=0 kind=\"\" n=0\n"
      "2.0 1 call thread=1 f=\"write\" fd=1 kind=\"terminal\" n=10\n"
      "3.0 1 back thread=1 f=\"write\" n=10\n"
      "4.0 1 back thread=1 f=\"fprintf\" n=0\n"
      "5.0 1 call thread=1 f=\"getc\" fd=0 kind=\"terminal\" n=1\n"
      "6.0 1 tick\n");
  EXPECT_EQ(run("evt stats usage --by function x.evt"), (Outcome{0,
                                                                 "function  resource  calls  amount    time   rate\n"
                                                                 "fprintf   -             1       0  2.00 s      -\n"
                                                                 "getc      terminal      1       0  1.00 s      -\n"
                                                                 "write     terminal      1      10  1.00 s  10 /s\n",
                                                                 "evt stats: x.evt: 1 call unfinished at the end\n"}));
  EXPECT_EQ(run("evt stats usage --by function --from 2.5 --to 3.5 x.evt"),
            (Outcome{0,
                     "function  resource  calls  amount    time   rate\n"
                     "fprintf   -             1       0  500 ms      -\n"
                     "write     terminal      1      10  500 ms  20 /s\n",
                     "evt stats: x.evt: 1 call unfinished at the end\n"
                     "evt stats: x.evt: 2 calls begun before the requested time: counted from the start of that time\n"
                     "evt stats: x.evt: calls that began before count with their whole amount\n"}));
}

TEST_F(StatsUsage, OfACallThatIsToldLateOnlyWhatIsInTheTimeCounts) {
  given(
      "0.0 1 tick\n"
      "2.0 1 was thread=7 f=\"read\" fd=0 kind=\"disk\" n=10 limit=0 took=1.5\n"
      "3.0 1 tick\n");
  EXPECT_EQ(
      run("evt stats usage --by thread --from 1.0 x.evt"),
      (Outcome{0,
               "thread     cpu  in disk\n"
               "     7  1.00 s   1.00 s\n"
               "\n"
               "thread  resource  calls  amount    time   rate\n"
               "     7  disk          1      10  1.00 s  10 /s\n",
               "evt stats: x.evt: no event has role threadRun or threadStop: time outside of calls counts as cpu, also "
               "sleep\n"
               "evt stats: x.evt: 1 call begun before the requested time: counted from the start of that time\n"
               "evt stats: x.evt: calls that began before count with their whole amount\n"}));
}

// An event in a call takes time of that call, and not of the one around it; half of what its begin and its end take is
// in each.
TEST_F(StatsUsage, WithoutWhatTracingTook) {
  given(
      "0.1 1 call thread=1 f=\"f\" fd=0 kind=\"\" n=0\n0.2 1 call thread=1 f=\"g\" fd=0 kind=\"\" n=0\n0.3 1 tick\n"
      "0.4 1 back thread=1 f=\"g\" n=0\n0.5 1 back thread=1 f=\"f\" n=0\n0.75 1 tick\n"
      "0.8 1 was thread=1 f=\"h\" fd=0 kind=\"\" n=0 limit=0 took=0.1\n");
  EXPECT_EQ(run("evt stats usage --by function --subtract --cost 10000000 --sort function x.evt").out,
            "function  calls     time  subtracted\n"
            "f             1   180 ms     20.0 ms\n"
            "g             1   180 ms     20.0 ms\n"
            "h             1  90.0 ms     10.0 ms\n");
}

TEST_F(StatsUsage, OfMoreNamesThanItKeepsIsOfTheOthersTogether) {
  std::string calls;
  for (int i = 0; i < 65'600; ++i) {
    calls += fmt::format("0.{:06} 1 was thread=1 f=\"f{}\" fd=0 kind=\"\" n=0 limit=0 took=0.000001\n", i + 1, i);
  }
  given(calls);
  const Outcome said = run("evt stats usage --by function --csv --top 1 x.evt");
  EXPECT_EQ(said.out,
            "function,resource,calls,amount,time_ns,rate_per_second,stopped_ns,assumed_ns,subtracted_ns\r\n"
            "(other names),,65,0,65000,,0,0,0\r\n");
  EXPECT_NE(said.err.find("there are more than 65536 names: the rest is merged into (other names)\n"),
            std::string::npos);
}

TEST_F(StatsUsage, WhatIsNotKnownIsSaid) {
  given(
      "0.0 1 was thread=1 f=\"read\" fd=0 kind=\"\" n=1 limit=0 took=-1.0\n"
      "0.1 1 back thread=1 f=\"read\" n=1\n"
      "0.2 1 call thread=1 f=\"outer\" fd=0 kind=\"\" n=0\n"
      "0.3 1 call thread=1 f=\"inner\" fd=0 kind=\"\" n=0\n"
      "0.4 1 !lost count=2 cause=ring_full duration=0.000000000\n"
      "0.5 1 back thread=1 f=\"outer\" n=0\n");
  EXPECT_EQ(run("evt stats usage --by function x.evt"),
            (Outcome{0,
                     "function  calls  amount    time\n"
                     "inner         1       0  200 ms\n"
                     "outer         1       0  100 ms\n"
                     "read          1       1    0 ns\n",
                     "evt stats: x.evt: no event has role threadRun or threadStop: time outside of calls counts as "
                     "cpu, also sleep\n"
                     "evt stats: x.evt: 1 end of calls that were not seen to begin: not counted\n"
                     "evt stats: x.evt: 1 call unfinished when the enclosing one ended\n"
                     "evt stats: x.evt: 1 call with a negative duration: counted as 0\n"
                     "evt stats: x.evt: 2 calls uncertain: events of the same stream were lost during that time\n"
                     "evt stats: x.evt: 200 ms of the threads' time is uncertain: threads may have changed state "
                     "unseen, because events were lost\n"
                     "evt stats: x.evt: 2 events of stream 1 \"main\" lost: ring_full\n"}));
}

// A stop is of one of them.
TEST_F(StatsUsage, ObjectsOfTheInputsOfAMergedTraceAreNotTheSame) {
  given(
      "0.0 1 call thread=1 f=\"recv\" fd=3 kind=\"net\" n=1\n"
      "1.0 1 frozen took=0.5\n"
      "2.0 1 back thread=1 f=\"recv\" n=1\n");
  EXPECT_EQ(run("evt convert x.evt | sed 's/0c0d0e0f start/0c0d0e1f start/' > y.txt && evt convert y.txt -o y.evt && "
                "evt merge "
                "x.evt y.evt -o m.evt 2> said && evt stats usage --by object m.evt"),
            (Outcome{0,
                     "object   resource  calls  amount    time     rate  stopped  assumed\n"
                     "x.evt:3  net           1       1  1.50 s  0.67 /s   500 ms   500 ms\n"
                     "y.evt:3  net           1       1  1.50 s  0.67 /s   500 ms   500 ms\n",
                     "evt stats: m.evt: no event has role threadRun or threadStop: time outside of calls counts as "
                     "cpu, also sleep\n"}));
  EXPECT_EQ(run("evt cut --event call --event back y.evt -o z.evt && evt merge x.evt z.evt -o n.evt 2> said && evt "
                "stats usage --by thread n.evt 2> said"),
            prints(" thread  name   cpu  in net  stopped  assumed\n"
                   "x.evt:1  main  0 ns  1.50 s   500 ms   500 ms\n"
                   "z.evt:1  main  0 ns  2.00 s     0 ns     0 ns\n"
                   "\n"
                   " thread  name  resource  calls  amount    time     rate  stopped  assumed\n"
                   "z.evt:1  main  net           1       1  2.00 s  0.50 /s     0 ns     0 ns\n"
                   "x.evt:1  main  net           1       1  1.50 s  0.67 /s   500 ms   500 ms\n"));
}

TEST_F(StatsUsage, OfNothingNothingIsKnown) {
  given("0.0 1 tick\n");
  EXPECT_EQ(run("evt stats usage x.evt"), (Outcome{1,
                                                   "what     time  %\n"
                                                   "cpu      0 ns  -\n"
                                                   "stopped  0 ns  -\n",
                                                   "evt stats: x.evt: no event records a call (roles callBegin, "
                                                   "callEnd, call): nothing is known about usage\n"}));
}

TEST_F(StatsUsage, AnEmptyTraceUsesNothing) {
  given("");
  EXPECT_EQ(run("evt stats usage x.evt"), (Outcome{1,
                                                   "what     time  %\n"
                                                   "cpu      0 ns  -\n"
                                                   "stopped  0 ns  -\n",
                                                   "evt stats: x.evt: no event records a call (roles callBegin, "
                                                   "callEnd, call): nothing is known about usage\n"}));
}

TEST_F(StatsUsage, SaysWhatIsWrongWithOptions) {
  given("0.1 1 was thread=1 f=\"read\" fd=3 kind=\"disk\" n=1 limit=0 took=0.1\n");
  for (const char* const options : {"usage --limit disk", "usage --limit =5", "usage --limit disk=0",
                                    "usage --limit disk=5X", "usage --limit disk=99999999T/s", "usage --by cpu",
                                    "cpu --by function", "gc --by nothing", "share --model best"}) {
    EXPECT_EQ(run(std::string("evt stats ") + options + " x.evt").status, 2) << options;
  }
  for (const char* const options : {"usage --by thread", "spans,usage --by thread", "share --model running"}) {
    EXPECT_EQ(run(std::string("evt stats ") + options + " x.evt").status, 0) << options;
  }
}

TEST_F(StatsUsage, SaysThatALimitIsOfNoResourceThatThereIs) {
  given("0.1 1 was thread=1 f=\"read\" fd=3 kind=\"disk\" n=1 limit=0 took=0.1\n");
  const auto sentences = [&](const std::string& limits) {
    const Outcome outcome =
        run("evt stats usage " + limits + " x.evt 2>&1 >/dev/null | grep limit; exit ${PIPESTATUS[0]}");
    return std::to_string(outcome.status) + " " + outcome.out;
  };
  EXPECT_EQ(sentences("--limit disk=5k/s"), "0 ");
  EXPECT_EQ(sentences("--limit disk=5K/s"), "0 ");
  EXPECT_EQ(sentences("--limit disc=5k/s --limit net=2G/s"),
            "1 evt stats: x.evt: limit disc: no call is of such a resource; did you mean disk?\n"
            "evt stats: x.evt: limit net: no call is of such a resource\n");
  EXPECT_EQ(run("evt stats usage --limit disk=1/s --limit disk=2/s x.evt"),
            refuses(2, "evt stats: --limit: disk has one already\n"));
}

// Of 1 s: the disk works 0.2 and 0.1 s for its calls, and the net for all of the call, which would take longer.
TEST_F(StatsUsage, TellsHowNearResourcesCameToTheirLimits) {
  given(
      "0.0 1 open fd=3 kind=\"disk\" limit=1000\n"
      "0.5 1 was thread=1 f=\"read\" fd=3 kind=\"\" n=200 limit=0 took=0.4\n"
      "0.6 1 was thread=1 f=\"read\" fd=3 kind=\"\" n=100 limit=0 took=0.1\n"
      "1.0 1 was thread=1 f=\"send\" fd=0 kind=\"net\" n=50 limit=100 took=0.25\n");
  EXPECT_EQ(run("evt stats -q usage --table limits x.evt"),
            prints("resource  object     limit  calls  amount    busy       %  longest\n"
                   "disk      3       1.00 k/s      2     300  300 ms  30.0 %   200 ms\n"
                   "net       -         100 /s      1      50  250 ms  25.0 %   250 ms\n"));
  EXPECT_EQ(run("evt stats -q usage --by resource --table limits --csv --limit disk=500/s x.evt"),
            prints("resource,object,limit_per_second,calls,amount,busy_ns,percent,longest_ns\r\n"
                   "disk,,500,2,300,500000000,50,500000000\r\n"
                   "net,,100,1,50,250000000,25,250000000\r\n"));
}

// By its own limit the call takes 1 s at least, and the stop made it take another; by half of that it takes 2 anyway.
TEST_F(StatsUsage, ALimitThatIsAskedForHoldsInsteadOfThatOfTheCall) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "1.5 1 frozen took=1.0\n"
      "2.0 1 was thread=1 f=\"read\" fd=0 kind=\"disk\" n=10 limit=10 took=2.0\n");
  EXPECT_EQ(run("for limit in '' '--limit disk=5/s' '--limit disk=10/s' '--limit net=5/s'; do evt stats usage --by "
                "function --csv $limit x.evt 2>/dev/null | sed -n 2p; done"),
            prints("read,disk,1,10,1000000000,10,1000000000,0,0\r\n"
                   "read,disk,1,10,2000000000,5,0,0,0\r\n"
                   "read,disk,1,10,1000000000,10,1000000000,0,0\r\n"
                   "read,disk,1,10,1000000000,10,1000000000,0,0\r\n"));
}

TEST_F(StatsUsage, ShowsNoNameAsWhatATerminalObeys) {
  given("0.1 1 was thread=1 f=\"read\" fd=3 kind=\"\\x1b[2Jdisk\\n\" n=1 limit=0 took=0.1\n");
  const Outcome outcome = run("evt stats usage x.evt; evt stats usage --raw x.evt");
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("  in \\x1b[2Jdisk\\x0a\n"));
}

TEST_F(StatsUsage, OfThreadsHasColumnsForTheLargestResourcesAlone) {
  std::string calls;
  for (int i = 1; i <= 40; ++i) {
    calls += fmt::format("{}.0 1 was thread=1 f=\"read\" fd=3 kind=\"r{}\" n=1 limit=0 took=0.{:02}\n", i, i, i);
  }
  given(calls);
  EXPECT_EQ(run("evt stats usage --csv x.evt | grep '^thread,name,cpu_ns' | tr , '\\n' | grep -c '^in_r'").out, "32\n");
  EXPECT_EQ(run("evt stats usage --json x.evt | grep -o '\"in_r[78]_ns\":[0-9]*\\|\"in_others_ns\":[0-9]*'").out,
            "\"in_others_ns\":360000000\n")
      << "r1 to r8 are those with the least time: 0.01 s to 0.08 s";
}

TEST_F(StatsUsage, ResourcesThatDifferInCaseAreColumnsOfTheirOwn) {
  given(
      "0.1 1 was thread=1 f=\"read\" fd=3 kind=\"disk\" n=1 limit=0 took=0.1\n"
      "0.2 1 was thread=1 f=\"read\" fd=4 kind=\"Disk\" n=1 limit=0 took=0.1\n");
  EXPECT_THAT(run("evt stats usage --json x.evt").out,
              ::testing::HasSubstr("\"in_Disk_ns\":100000000,\"in_disk_ns\":100000000"));
}

// As an interpreter records its functions.
TEST_F(StatsUsage, OfCallsThatNameNothingIsWhatTheirThreadUsed) {
  given(
      "0.0 1 run thread=1 cpu=0\n"
      "0.1 1 call thread=1 f=\"outer\" fd=0 kind=\"\" n=0\n"
      "0.2 1 call thread=1 f=\"inner\" fd=0 kind=\"\" n=0\n"
      "0.3 1 stop thread=1 why=sleeping\n"
      "0.5 1 run thread=1 cpu=0\n"
      "0.6 1 back thread=1 f=\"inner\" n=0\n"
      "0.7 1 back thread=1 f=\"outer\" n=0\n"
      "1.0 1 stop thread=1 why=sleeping\n");
  EXPECT_EQ(run("evt stats usage x.evt"), prints("what        time       %\n"
                                                 "cpu       800 ms  80.0 %\n"
                                                 "sleeping  200 ms  20.0 %\n"
                                                 "stopped     0 ns   0.0 %\n"
                                                 "\n"
                                                 "resource       calls    time\n"
                                                 "(no resource)      2  600 ms\n"
                                                 "\n"
                                                 "thread  name     cpu  sleeping\n"
                                                 "     1  main  800 ms    200 ms\n"
                                                 "\n"
                                                 "thread  name  calls    time\n"
                                                 "     1  main      2  600 ms\n"
                                                 "\n"
                                                 "object  calls    time\n"
                                                 "-           2  600 ms\n"
                                                 "\n"
                                                 "function  calls    time\n"
                                                 "inner         1  400 ms\n"
                                                 "outer         1  200 ms\n"));
}

TEST_F(StatsUsage, NamesAnObjectWithoutANameByItsAddress) {
  given(
      "0.1 1 was thread=1 f=\"lock\" fd=94136889159936 kind=\"lock\" n=0 limit=0 took=0.05\n"
      "0.2 1 was thread=1 f=\"lock\" fd=4294967295 kind=\"lock\" n=0 limit=0 took=0.04\n");
  EXPECT_EQ(run("evt stats usage --by object -q x.evt"), prints("object          resource  calls     time\n"
                                                                "0x559df3d6b100  lock          1  50.0 ms\n"
                                                                "4294967295      lock          1  40.0 ms\n"));
}

TEST_F(StatsUsage, LongestCallsNameTheirObjects) {
  given(
      "0.1 1 open fd=3 kind=\"file\" limit=0\n0.1 1 name fd=3 name=\"/etc/hosts\"\n"
      "0.2 1 call thread=1 f=\"read\" fd=3 kind=\"file\" n=10\n0.5 1 back thread=1 f=\"read\" n=10\n"
      "0.7 1 was thread=1 f=\"lock\" fd=94136889159936 kind=\"lock\" n=0 limit=0 took=0.1\n");
  EXPECT_EQ(run("evt stats spans --longest 2 -q x.evt"),
            prints("name  kind  length        began  stream  thread  thread name    self  object\n"
                   "read  call  300 ms  0.200000000       1       1  main         300 ms  /etc/hosts\n"
                   "lock  call  100 ms  0.600000000       1       1  main         100 ms  0x559df3d6b100\n"));
}

}  // namespace
}  // namespace evt::testing
