// Small traces of which a hand count knows the truth, where statistics were wrong once: in what they counted, and over
// what range.
#include "stats_traces.h"

namespace evt::testing {
namespace {

constexpr std::string_view kMoreTypes =
    "type 9 begin role=spanBegin (name text role=name)\ntype 10 end role=spanEnd\n"
    "type 14 call.begin role=callBegin (function text role=function) (object u64 role=object) (resource text "
    "role=resource) (amount u64 role=amount) (limit u64 role=limit)\n"
    "type 15 call.end role=callEnd (function text role=function) (amount u64 role=amount)\n"
    "type 16 call.complete role=call (function text role=function) (resource text role=resource) (amount u64 "
    "role=amount) (duration tick_delta role=duration)\n"
    "type 17 object.open role=objectOpen (object u64 role=object) (resource text role=resource)\n"
    "type 18 object.name role=objectName (object u64 role=object) (name text role=name)\n"
    "type 19 object.close role=objectClose (object u64 role=object)\n"
    "type 20 process.stopped role=stopped (duration tick_delta role=duration)\n"
    "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
    "type 23 gc.idle role=gcIdle\ntype 24 gc.work role=gcWork\ntype 25 gc.done role=gcDone\n"
    "stream 1 \"main\" thread=1\nstream 2 \"other\" thread=2\n";

class StatsTruth : public Stats {
 protected:
  // Columns of the main table, as CSV; of a trace of these events.
  std::string columns(const std::string& analysis, const std::string& fields, const std::string& events) {
    given_trace("x.evt", std::string(kThreadTypes) + std::string(kMoreTypes) + events);
    return run("evt stats " + analysis +
               " --csv x.evt 2>/dev/null | tr -d '\\r' | awk -v RS= "
               "'/^(name|total|function|object|thread|cpu)/ {print; exit}' | cut -d, -f" +
               fields)
        .out;
  }
  std::string calls_inside(unsigned count) {
    std::string events = "0.000000000 1 thread.run thread=1 cpu=0\n";
    std::uint64_t ns = 1000;
    for (unsigned i = 0; i < count; ++i) {
      ns += 20;
      events +=
          fmt::format("0.{:09} 1 call.complete function=\"inner\" resource=\"r\" amount=1 duration=0.000000010\n", ns);
    }
    return events + fmt::format(
                        "0.{:09} 1 call.complete function=\"outer\" resource=\"r\" amount=1 "
                        "duration=0.{:09}\n0.{:09} 1 thread.stop thread=1 reason=finished object=0\n",
                        ns + 10, ns + 10 - 1000, ns + 100);
  }
};

TEST_F(StatsTruth, OfACompleteCallIsExactHoweverManyAreInside) {
  EXPECT_EQ(columns("share", "1,4", calls_inside(70)),
            "name,active_ns\n(threads themselves),1090\nouter,710\ninner,700\n(idle),\n");
  EXPECT_EQ(columns("usage --by function", "1,3,5", calls_inside(5000)),
            "function,calls,time_ns\nouter,1,50010\ninner,5000,50000\n");
}

TEST_F(StatsTruth, OfACallThatIsPreemptedIsAllOfIt) {
  std::string events;
  for (unsigned i = 0; i <= 100; ++i) {
    events += fmt::format("0.{:09} 1 thread.run thread=1 cpu=0\n", i * 100);
    if (i < 100) events += fmt::format("0.{:09} 1 thread.stop thread=1 reason=preempted object=0\n", i * 100 + 50);
  }
  events += "0.000010010 1 call.complete function=\"read\" resource=\"disk\" amount=1 duration=0.000009990\n";
  EXPECT_EQ(columns("usage --by function", "1,5", events), "function,time_ns\nread,9990\n");
}

TEST_F(StatsTruth, OfRecursionCountsTheOutermostAlone) {
  std::string events;
  for (unsigned i = 0; i < 5; ++i) events += fmt::format("0.0000000{}0 1 begin name=\"f\"\n", i);
  for (unsigned i = 0; i < 5; ++i) events += fmt::format("0.0000001{}0 1 end\n", i);
  EXPECT_EQ(columns("spans", "1-4", events), "name,count,sum_ns,self_ns\nf,5,140,140\n");
}

TEST_F(StatsTruth, OfCollectionsThatAreNotOneIsTheirUnion) {
  EXPECT_EQ(columns("gc", "1-3,6",
                    "0.000000000 1 mark message=\"x\"\n0.000000100 1 gc.start generation=0\n"
                    "0.000000150 2 gc.start generation=1\n0.000000200 1 gc.end\n0.000000250 1 gc.start generation=0\n"
                    "0.000000300 2 gc.end\n0.000000400 1 gc.end\n0.000001000 1 mark message=\"x\"\n"),
            "total_ns,mutator_ns,collector_ns,collections\n1000,700,300,3\n");
}

TEST_F(StatsTruth, OfAStopHasNoEffectOnWhoSleeps) {
  EXPECT_EQ(
      columns("usage --by function", "1,5",
              "0.0 1 thread.run thread=1 cpu=0\n1.0 1 call.begin function=\"sleep\" object=0 resource=\"sleep\" "
              "amount=0 limit=0\n2.5 2 process.stopped duration=1.0\n3.0 1 call.end function=\"sleep\" amount=0\n"),
      "function,time_ns\nsleep,2000000000\n")
      << "the resource sleep";
  EXPECT_EQ(columns("usage --by function", "1,5",
                    "0.0 1 thread.run thread=1 cpu=0\n1.0 1 call.begin function=\"nanosleep\" object=0 "
                    "resource=\"timer\" amount=0 limit=0\n1.0 1 thread.stop thread=1 reason=sleeping object=0\n"
                    "2.5 2 process.stopped duration=1.0\n3.0 1 thread.run thread=1 cpu=0\n"
                    "3.0 1 call.end function=\"nanosleep\" amount=0\n"),
            "function,time_ns\nnanosleep,2000000000\n")
      << "the thread sleeps";
}

TEST_F(StatsTruth, OfStopsIsStopByStopAndEachIsListed) {
  const std::string events =
      "0.0 1 thread.run thread=1 cpu=0\n1.0 1 call.begin function=\"write\" object=0 resource=\"disk\" amount=20 "
      "limit=10\n1.8 2 process.stopped duration=0.5\n2.6 2 process.stopped duration=0.5\n"
      "3.4 2 process.stopped duration=0.5\n4.4 1 call.end function=\"write\" amount=20\n";
  EXPECT_EQ(columns("usage --by function", "1,5,7", events),
            "function,time_ns,stopped_ns\nwrite,2400000000,1000000000\n");
  EXPECT_NE(run("evt stats usage --raw x.evt")
                .out.find("stop     from ns       to ns  stopped ns\n"
                          "1     1300000000  1800000000   500000000\n"
                          "2     2100000000  2600000000   500000000\n"
                          "3     2900000000  3400000000   500000000\n"
                          "all            -           -  1500000000\n"),
            std::string::npos)
      << run("evt stats usage --raw x.evt").out;
}

TEST_F(StatsTruth, OfCompleteCallsAloneIsByThreadsThatAreInCalls) {
  EXPECT_EQ(columns("share", "1,4",
                    "0.000000 1 thread.create thread=1\n0.000010 1 thread.create thread=2\n"
                    "0.000025 2 call.complete function=\"A\" resource=\"\" amount=0 duration=0.000010\n"
                    "0.000050 1 call.complete function=\"join\" resource=\"\" amount=0 duration=0.000040\n"),
            "name,active_ns\njoin,40000\nA,10000\n(threads themselves),0\n(idle),\n");
}

TEST_F(StatsTruth, OfASpanBeforeTheFirstRunOfAnotherThreadIsItsTime) {
  EXPECT_EQ(columns("share", "1,4",
                    "0.000000000 1 begin name=\"A\"\n0.000000900 1 end\n0.000000950 2 thread.run thread=5 cpu=0\n"
                    "0.000001000 2 thread.stop thread=5 reason=finished object=0\n"),
            "name,active_ns\nA,900\n(threads themselves),50\n(idle),\n");
}

TEST_F(StatsTruth, OfAFilterIsByAllThatHappened) {
  EXPECT_EQ(columns("usage --by object --where 'function = \"write\"'", "1,3,4",
                    "0.1 1 object.open object=3 resource=\"file\"\n0.1 1 object.name object=3 name=\"a\"\n"
                    "0.2 1 call.begin function=\"write\" object=3 resource=\"\" amount=0 limit=0\n"
                    "0.3 1 call.end function=\"write\" amount=8\n"
                    "0.3 1 call.begin function=\"read\" object=3 resource=\"\" amount=0 limit=0\n"
                    "0.4 1 call.end function=\"read\" amount=8\n0.4 1 object.close object=3\n"
                    "0.5 1 object.open object=3 resource=\"file\"\n0.5 1 object.name object=3 name=\"b\"\n"
                    "0.6 1 call.begin function=\"write\" object=3 resource=\"\" amount=0 limit=0\n"
                    "0.8 1 call.end function=\"write\" amount=16\n"),
            "object,calls,amount\nb,1,16\na,1,8\n");
}

TEST_F(StatsTruth, OfAnObjectThatIsOpenedBetweenRunsHasNoThreadMore) {
  EXPECT_EQ(
      columns("usage", "1,3",
              "stream 3 \"cap 0\"\n0.000000000 3 object.open object=1 resource=\"lock\"\n"
              "0.000002000 3 thread.run thread=1 cpu=0\n0.000003000 3 thread.stop thread=1 reason=blocked object=0\n"
              "0.000009000 3 thread.run thread=1 cpu=0\n"
              "0.000010000 3 thread.stop thread=1 reason=finished object=0\n"),
      "thread,cpu_ns\n1,2000\n");
}

TEST_F(StatsTruth, OfAPartCountsWhatIsRecordedBehindIt) {
  const std::string events =
      "0.000000000 1 thread.run thread=1 cpu=0\n0.000000100 1 begin name=\"A\"\n0.000000400 1 end\n"
      "0.000000900 1 call.complete function=\"f\" resource=\"disk\" amount=1 duration=0.000000400\n"
      "0.000001000 1 thread.stop thread=1 reason=finished object=0\n";
  EXPECT_EQ(columns("share --to 700ns", "1,4", events),
            "name,active_ns\nA,300\n(threads themselves),200\nf,200\n(idle),\n");
}

TEST_F(StatsTruth, OfOneTickLosesNoThread) {
  EXPECT_EQ(columns("cpu", "1,3",
                    "0.000000100 2 thread.run thread=2 cpu=0\n"
                    "0.000000100 2 thread.stop thread=2 reason=preempted object=0\n"
                    "0.000000100 1 thread.run thread=1 cpu=0\n"
                    "0.000000200 1 thread.stop thread=1 reason=preempted object=0\n"),
            "thread,running_ns\n1,100\n2,0\n");
}

TEST_F(StatsTruth, OfAStopThatComesBehindTheEndOfACallIsOfOneThread) {
  EXPECT_EQ(columns("usage --by thread", "1,3,8",
                    "0.000000000 1 thread.run thread=1 cpu=0\n0.000000010 1 call.begin function=\"lock\" object=0 "
                    "resource=\"lock\" amount=0 limit=0\n0.000000020 1 thread.stop thread=1 reason=blocked object=0\n"
                    "0.000000050 1 call.end function=\"lock\" amount=0\n0.000000050 1 thread.run thread=1 cpu=0\n"
                    "0.000000100 1 thread.stop thread=1 reason=finished object=0\n"),
            "thread,cpu_ns,in_lock_ns\n1,60,40\n");
}

TEST_F(StatsTruth, OfOutliersIsInTheSumAndBesideIt) {
  std::string events = "0.000000000 1 thread.run thread=1 cpu=0\n";
  for (int i = 1; i <= 10; ++i) {
    events += fmt::format("0.000{:03}000 1 begin name=\"work\"\n0.000{:03}100 1 end\n", i, i);
  }
  events +=
      "0.000020000 1 begin name=\"work\"\n0.000025000 1 end\n0.000026000 1 thread.stop thread=1 reason=finished "
      "object=0\n";
  EXPECT_EQ(columns("share", "1,3,8,10-11", events),
            "name,times,share_ns,outliers,share_without_ns\n(threads themselves),,20000,,\n"
            "work,11,6000,1,1000\n(idle),,0,,\n");
}

// It waited as long as it was taken for a thread.
TEST_F(StatsTruth, OfWhatCpusRunWithNothingToDoHasNoWaits) {
  EXPECT_EQ(
      columns("threads", "1,6",
              "0.000000000 1 thread.run thread=0 cpu=0\n0.000000100 1 thread.stop thread=0 reason=blocked object=0\n"
              "0.000000200 1 thread.run thread=0 cpu=0\n0.000000300 1 thread.run thread=0 cpu=1\n"
              "0.000000400 1 thread.run thread=5 cpu=0\n0.000000900 1 thread.stop thread=5 reason=finished object=0\n"),
      "thread,running_ns\n5,500\n");
  EXPECT_EQ(run("evt stats threads --json x.evt | grep -o '\"waiting\":\\[[^]]*'").out, "\"waiting\":[\n");
}

// While garbage is collected the time is the collectors': that of main works all the time, that of other until 120, and
// has done its part at 150.
TEST_F(StatsTruth, OfCollectorsAreRowsOfTheirOwn) {
  const std::string events =
      "0.000000000 1 thread.run thread=1 cpu=0\n0.000000100 1 thread.stop thread=1 reason=preempted object=0\n"
      "0.000000100 1 gc.start generation=0\n0.000000100 2 gc.start generation=0\n0.000000120 2 gc.idle\n"
      "0.000000150 2 gc.done\n0.000000200 1 gc.end\n0.000000200 2 gc.end\n"
      "0.000000200 1 thread.run thread=1 cpu=0\n0.000000300 1 thread.stop thread=1 reason=finished object=0\n";
  EXPECT_EQ(columns("share", "1-5,8", events),
            "name,kind,times,active_ns,serial_ns,share_ns\n(threads themselves),thread,,200,200,200\n"
            "(garbage collection),gc,2,120,80,100\n(idle),,,,,0\n");
  EXPECT_EQ(run("evt stats share x.evt | grep 'gc of'").out,
            "     -  gc of main   100 ns   80 ns     20 ns         1.20   90 ns  30.0 %   90 ns\n"
            "     -  gc of other   20 ns    0 ns     20 ns         2.00   10 ns   3.3 %   10 ns\n");
  EXPECT_EQ(run("evt stats threads x.evt | tail -3").out,
            "gc of stream  name   collections  collecting    work  gc idle   sync\n"
            "           1  main             1      100 ns  100 ns     0 ns   0 ns\n"
            "           2  other            1      100 ns   20 ns    30 ns  50 ns\n");
  EXPECT_EQ(
      run("evt stats usage x.evt | head -8").out,
      "what        time       %\ncpu       200 ns  40.0 %\nrunnable  100 ns  20.0 %\n"
      "gc work   120 ns  24.0 %\ngc idle    30 ns   6.0 %\ngc sync    50 ns  10.0 %\nstopped     0 ns   0.0 %\n\n");
}

// One thread, half of whose time is the collector's.
TEST_F(StatsTruth, OfACollectionOnAThreadAreTheTimeOnce) {
  given_trace("x.evt",
              std::string(kThreadTypes) + std::string(kMoreTypes) +
                  "0.000000000 1 thread.run thread=1 cpu=0\n0.000000000 1 call.begin function=\"main\" object=0 "
                  "resource=\"\" amount=0 limit=0\n0.001000000 1 gc.start generation=0\n"
                  "0.003000000 1 gc.end\n0.004000000 1 call.end function=\"main\" amount=0\n"
                  "0.004000000 1 mark message=\"end\"\n");
  EXPECT_EQ(run("evt stats gc x.evt | head -5").out,
            "total         4.00 ms\nmutator       2.00 ms\ncollector     2.00 ms\ncollections   1\n"
            "productivity  50.0 %\n");
  EXPECT_EQ(run("evt stats share x.evt | head -12").out,
            "model        running\nwall         4.00 ms\nidle         0 ns\nserial       4.00 ms\n"
            "parallel     0 ns\nparallelism  1.00\n\n"
            "name                  kind    times   active   serial  parallel  parallelism    share       %\n"
            "main                  call        1  2.00 ms  2.00 ms      0 ns         1.00  2.00 ms  50.0 %\n"
            "(garbage collection)  gc          1  2.00 ms  2.00 ms      0 ns         1.00  2.00 ms  50.0 %\n"
            "(threads themselves)  thread      -     0 ns     0 ns      0 ns            -     0 ns   0.0 %\n"
            "(idle)                            -        -        -         -            -     0 ns   0.0 %\n");
  EXPECT_EQ(run("evt stats usage x.evt | head -5").out,
            "what        time       %\ncpu      2.00 ms  50.0 %\ngc work  2.00 ms  50.0 %\n"
            "stopped     0 ns   0.0 %\n\n");
  EXPECT_EQ(run("evt stats threads x.evt | head -2").out,
            "thread  name  state    running  runnable  waiting  slices  cpus  migrations\n"
            "     1  main  running  2.00 ms   2.00 ms     0 ns       1     1           0\n");
  EXPECT_EQ(run("evt stats cpu --csv x.evt | tr -d '\\r' | cut -d, -f1,3,7").out,
            "thread,running_ns,slices\n1,2000000,1\n");
  EXPECT_EQ(run("evt stats calls x.evt | head -2").out, "in calls  4.00 ms\nrunning   2.00 ms\n");
}

// What no event shows to run is taken to, but for that.
TEST_F(StatsTruth, OfACollectionOnAThreadThatIsTakenToRunAreTheTimeOnce) {
  given_trace("x.evt", std::string(kThreadTypes) + std::string(kMoreTypes) +
                           "0.000000000 1 begin name=\"main\"\n0.001000000 1 gc.start generation=0\n"
                           "0.003000000 1 gc.end\n0.004000000 1 end\n");
  EXPECT_EQ(run("evt stats share,usage x.evt | grep -E '^(parallelism|main|.garbage|cpu|gc work)'").out,
            "parallelism  1.00\n"
            "main                  span        1  2.00 ms  2.00 ms      0 ns         1.00  2.00 ms  50.0 %\n"
            "(garbage collection)  gc          1  2.00 ms  2.00 ms      0 ns         1.00  2.00 ms  50.0 %\n"
            "cpu      2.00 ms  50.0 %\ngc work  2.00 ms  50.0 %\n");
}

TEST_F(StatsTruth, OfCollectionsAreByReason) {
  given_trace("x.evt",
              "type 21 gc.start role=gcStart (reason text role=reason)\ntype 22 gc.end role=gcEnd\n"
              "stream 1 \"vm\"\n0.000000000 1 gc.start reason=\"heap full\"\n0.000000100 1 gc.end\n"
              "0.000000200 1 gc.start reason=\"asked for\"\n0.000000250 1 gc.end\n"
              "0.000000300 1 gc.start reason=\"heap full\"\n0.000000500 1 gc.end\n"
              "0.000000600 1 gc.start reason=\"\"\n0.000000610 1 gc.end\n");
  EXPECT_EQ(run("evt stats gc --by reason x.evt | sed -n '7,11p'").out,
            "reason     collections     sum    mean     min  median     p90     p99     max\n"
            "all                  4  360 ns   90 ns   10 ns   50 ns  200 ns  200 ns  200 ns\n"
            "asked for            1   50 ns   50 ns   50 ns   50 ns   50 ns   50 ns   50 ns\n"
            "heap full            2  300 ns  150 ns  100 ns  100 ns  200 ns  200 ns  200 ns\n"
            "not known            1   10 ns   10 ns   10 ns   10 ns   10 ns   10 ns   10 ns\n");
}

TEST_F(StatsTruth, OfThreadsThatHadOneNumberAreARowEach) {
  EXPECT_EQ(columns("threads", "1,4,6",
                    "0.000000000 2 thread.create thread=7\n0.000000000 2 thread.run thread=7 cpu=0\n"
                    "0.000000100 2 thread.exit thread=7\n0.000001000 2 thread.create thread=7\n"
                    "0.000001000 2 thread.run thread=7 cpu=0\n0.000001300 2 thread.exit thread=7\n"),
            "thread,ended_ns,running_ns\n7,100,100\n7,1300,300\n");
}

TEST_F(StatsTruth, OfCpusThatHaveNothingToDoIsNoThreads) {
  const std::string events =
      "0.000000000 1 thread.run thread=0 cpu=0\n0.000000000 1 thread.run thread=0 cpu=1\n"
      "0.000000100 1 thread.run thread=1000 cpu=0\n0.000000200 1 thread.run thread=0 cpu=0\n"
      "0.000000300 1 thread.run thread=1001 cpu=1\n0.000000500 1 thread.run thread=0 cpu=1\n"
      "0.000000600 1 mark message=\"x\"\n";
  EXPECT_EQ(columns("cpu --by cpu", "1,3,9", events), "cpu,running_ns,idle_ns\n0,100,500\n1,200,400\n");
  EXPECT_EQ(columns("threads", "1,6", events), "thread,running_ns\n1000,100\n1001,200\n");
}

}  // namespace
}  // namespace evt::testing
