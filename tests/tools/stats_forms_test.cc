// evt stats: forms of its output, and what it refuses.
#include <gmock/gmock.h>

#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

TEST_F(Stats, AsJsonHaveTheNumberOfEvents) {
  given_study();
  EXPECT_EQ(said_of("summary", "said['events'], said['sessions'][0]['summary']['types'][0]"),
            prints("5 {'event': 'run.here', 'events': 2, 'percent': 40, 'rate_per_second': 222222222.222222}\n"));
}

TEST_F(Stats, AsJsonSayWhatPeopleSee) {
  given_study();
  EXPECT_EQ(said_of("cpu", "said['sessions'][0]['cpu']"),
            prints("{'cpu': [{'thread': 7, 'name': '', 'running_ns': 3, 'percent': 33.333333, 'current_ns': 2, "
                   "'so_far_ns': None, "
                   "'slices': 2, 'uncertain_ns': 0, 'idle_ns': 0}], "
                   "'notes': []}\n"));
}

TEST_F(Stats, OfSeveralAnalysesTakeOnePass) {
  given_study();
  EXPECT_EQ(run("evt stats cpu,events --top 1 study.evt"), prints("# cpu\n"
                                                                  "thread  running       %  current  slices\n"
                                                                  "     7     3 ns  33.3 %     2 ns       2\n"
                                                                  "\n"
                                                                  "# events\n"
                                                                  "event     events       %     rate\n"
                                                                  "run.here       2  40.0 %  222 M/s\n"));
}

TEST_F(Stats, OfATraceWithoutEventsAreEmpty) {
  given_trace("e.evt", "");
  EXPECT_EQ(run("evt stats events e.evt"), (Outcome{1, "", "evt stats: e.evt: there are no events\n"}));
  EXPECT_EQ(run("evt stats --json e.evt | grep -c '\"event_count\":0,'"), prints("1\n"));
}

TEST_F(Stats, OfMergedTracesKeepProgramsApart) {
  given_trace("a.evt", std::string(kThreadTypes) +
                           "stream 1 \"x\"\n0.1 1 thread.run thread=7 cpu=0\n"
                           "0.3 1 thread.stop thread=7 reason=blocked object=0\n");
  given_file("b.txt",
             "evtrace text 1\nsession uuid=0x100102030405460788090a0b0c0d0e1f start=1767225600.000000000 "
             "program=\"b\"\n" +
                 std::string(kThreadTypes) +
                 "stream 1 \"y\"\n0.2 1 thread.run thread=7 cpu=0\n"
                 "0.3 1 thread.stop thread=7 reason=blocked object=0\n");
  run("evt convert b.txt -o b.evt && evt merge a.evt b.evt -o m.evt");
  EXPECT_EQ(run("evt stats cpu m.evt").out,
            " thread  running        %  current  slices\n"
            "a.evt:7   200 ms  100.0 %   200 ms       1\n"
            "b.evt:7   100 ms   50.0 %   100 ms       1\n");
}

// a.evt runs two threads, b.evt one.
TEST_F(Stats, OfThreadsByProcessAreTheirSums) {
  given_trace("a.evt", std::string(kThreadTypes) +
                           "stream 1 \"x\"\n0.1 1 thread.run thread=7 cpu=0\n0.1 1 thread.run thread=8 cpu=1\n"
                           "0.3 1 thread.stop thread=7 reason=blocked object=0\n"
                           "0.4 1 thread.stop thread=8 reason=blocked object=0\n");
  given_file("b.txt",
             "evtrace text 1\nsession uuid=0x100102030405460788090a0b0c0d0e1f start=1767225600.000000000 "
             "program=\"b\"\n" +
                 std::string(kThreadTypes) +
                 "stream 1 \"y\"\n0.2 1 thread.run thread=7 cpu=0\n"
                 "0.5 1 thread.stop thread=7 reason=blocked object=0\n");
  run("evt convert b.txt -o b.evt && evt merge a.evt b.evt -o m.evt");
  EXPECT_EQ(run("evt stats threads --by process m.evt").out,
            "process  threads  running  runnable  waiting  slices  migrations\n"
            "a.evt          2   500 ms      0 ns   300 ms       2           0\n"
            "b.evt          1   300 ms      0 ns     0 ns       1           0\n");
  EXPECT_EQ(run("evt stats threads --by process b.evt").out,
            "process  threads  running  runnable  waiting  slices  migrations\n"
            "b              1   300 ms      0 ns     0 ns       1           0\n");
}

TEST_F(Stats, CanBeSortedByAnyColumn) {
  given_threads();
  EXPECT_EQ(run("evt stats cpu --sort slices:up t.evt | tail -2"),
            prints("     2        1.40 ms  28.0 %  1.40 ms       1\n     1  main  2.90 ms  58.0 %  1.90 ms       2\n"));
  EXPECT_EQ(run("evt stats cpu --sort weight t.evt").status, 2);
  EXPECT_EQ(run("evt stats cpu --sort weight t.evt").err,
            "evt stats: no table has a column weight; there are thread, name, running, %, current, so far, slices, "
            "uncertain, "
            "idle\n");
}

TEST_F(Stats, OfSeveralTracesAsCsvSayOfWhichEachRowIs) {
  given_study();
  given_threads();
  EXPECT_EQ(run("evt stats cpu --csv study.evt t.evt"),
            prints("file,session,thread,name,running_ns,percent,current_ns,so_far_ns,slices,uncertain_ns,idle_ns\r\n"
                   "study.evt,0,7,,3,33.333333,2,,2,0,0\r\n"
                   "\r\n"
                   "file,session,thread,name,running_ns,percent,current_ns,so_far_ns,slices,uncertain_ns,idle_ns\r\n"
                   "t.evt,0,1,main,2900000,58,1900000,,2,0,0\r\n"
                   "t.evt,0,2,,1400000,28,1400000,,1,0,0\r\n"));
  EXPECT_EQ(run("evt stats cpu --csv study.evt | head -1"),
            prints("thread,name,running_ns,percent,current_ns,so_far_ns,slices,uncertain_ns,idle_ns\r\n"));
}

TEST_F(Stats, OfSeveralSessionsAsCsvSayOfWhichEachRowIs) {
  given_trace("two.evt",
              "evtrace text 1\nsession start=0.000000000 program=\"first\"\ntype 1024 tick\nstream 1 \"a\"\n"
              "0.000000001 1 tick\n0.000000002 1 tick\n"
              "session start=0.000000000 program=\"second\"\ntype 1024 tock\nstream 1 \"a\"\n0.000000004 1 tock\n");
  EXPECT_EQ(run("evt stats events --csv --no-checkpoints two.evt | cut -d, -f1-3"),
            prints("session,event,events\n0,tick,2\n\r\nsession,event,events\n1,tock,1\n"));
}

TEST_F(Stats, OfACutTraceAreOfWhatIsThere) {
  given_threads();
  run("evt dump --canonical t.evt > t.txt; cat t.evt t.evt | head -c -100 > c.evt");
  const Outcome counted = run("evt stats events --csv c.evt");
  EXPECT_EQ(counted.status, 1);
  EXPECT_TRUE(counted.out.starts_with("event,events,percent,rate_per_second\r\nthread.run,3,30,600\r\n")) << counted;
  EXPECT_NE(counted.err.find("evt stats: c.evt: "), std::string::npos) << counted;
}

TEST_F(Stats, OfATruncatedTraceHaveTheLeastNumberOfRowsThatAreMissing) {
  const std::string trace = EVT_SOURCE_FOLDER "/testdata/damaged/cut_in_rows.evt 2>/dev/null";
  EXPECT_EQ(run("evt check " + trace + " | grep -o 'at least.*'").out, "at least 2 rows missing: truncated\n");
  EXPECT_EQ(run("evt stats " + trace + " | grep '^missing'").out, "missing  at least 2\n");
  EXPECT_EQ(run("evt stats summary " + trace + " | grep -A2 '^stream '").out,
            "stream  name  rows        first         last      rate     missing\n"
            "     1  a        3  0.000000001  0.000000004  1000 M/s           0\n"
            "     2  b        1  0.000000003  0.000000003         -  at least 2\n");
  EXPECT_EQ(run("evt stats --raw " + trace + " | grep '^missing'").out, "missing  2\n");
  EXPECT_EQ(run("evt stats --json " + trace + " | grep -o '\"missing\":2' | head -1").out, "\"missing\":2\n");
}

// Its session begins at 0.
TEST_F(Stats, CountNothingInFrontOfTheFirstEvent) {
  given_trace("late.evt",
              "type 1024 run role=threadRun (thread u32 role=thread)\ntype 1025 tick\nstream 1 \"a\"\n"
              "0.000001000 1 run thread=1\n0.000001600 1 tick\n");
  for (const std::string option : {"--to", "--at"}) {
    for (const char* const analysis : {"events", "cpu"}) {
      EXPECT_EQ(run(fmt::format("evt stats {} {} 50ns late.evt", analysis, option)),
                (Outcome{1, "",
                         "evt stats: late.evt: " + option +
                             " 50ns is before the first event: there are events from 0.000001000 to 0.000001600\n"}));
    }
  }
  EXPECT_EQ(run("evt stats events --csv --to 1us late.evt"),
            prints("event,events,percent,rate_per_second\r\nrun,1,100,\r\n"));
}

TEST_F(Stats, ReportAFilterThatLeavesNothingToCount) {
  given_threads();
  const auto left = [&](const std::string& options) {
    const Outcome outcome = run("evt stats " + options + " t.evt > out");
    return std::to_string(outcome.status) + " " + outcome.err;
  };
  EXPECT_EQ(left("threads --where 'thread>2'"), "1 evt stats: t.evt: no counted event matches --where\n");
  EXPECT_EQ(left("threads --event mark"), "1 evt stats: t.evt: no counted event matches --event\n");
  EXPECT_EQ(left("cpu --stream scheduler --where 'thread>2'"),
            "1 evt stats: t.evt: no counted event matches --stream and --where\n");
  EXPECT_EQ(left("--where 'thread>2'"), "1 evt stats: t.evt: no counted event matches --where\n");
  EXPECT_EQ(left("summary --where 'thread>2'"),
            "1 evt stats: t.evt: losses, streams and clocks are those of the whole session\n"
            "evt stats: t.evt: no counted event matches --where\n");
  EXPECT_EQ(left("threads --where 'thread=2'"), "0 ");
  EXPECT_EQ(left("events --event thread.name --from 1ms"), "1 evt stats: t.evt: no counted event matches --event\n")
      << "it is before the range";
  EXPECT_EQ(left("spans,calls,share,gc,usage,stops,overhead,events --where 'thread>2'"),
            "1 evt stats: t.evt: no counted event matches --where\n"
            "evt stats: t.evt: the cost of emitting an event is not known: give the option cost, in ns, as measured on "
            "the same machine\n");
  EXPECT_EQ(left("events,gc --where thread=2"), "1 evt stats: t.evt: no counted event matches --where\n")
      << "there are events";
  EXPECT_EQ(run("evt stats spans,events --json --where 'thread>2' t.evt 2> err | grep -o '\"notes\":[^}]*'"),
            prints("\"notes\":[\"no counted event matches --where\"]\n"
                   "\"notes\":[\"no counted event matches --where\"]\n"));
  given_collector();
  EXPECT_EQ(run("evt stats gc --event thread.run gc.evt"),
            (Outcome{1, "", "evt stats: gc.evt: no counted event matches --event\n"}))
      << "threads run";
  given_study();
  EXPECT_EQ(left("threads --where thread=7 study.evt"), "0 evt stats: t.evt: no counted event matches --where\n");
  EXPECT_EQ(left("threads --where 'thread=1' --from 3ms"), "0 ") << "it runs since before";
}

TEST_F(Stats, ReportATimeInWhichNothingIsCounted) {
  given_threads();
  const std::string nothing = "evt stats: t.evt: nothing counted here lies in the requested time\n";
  for (const char* const options : {"events --from 2050us --to 2080us", "cpu --from 2050us --to 2080us",
                                    "cpu --every 50ns --from 2050us --to 2050us", "spans --to 1ms"}) {
    EXPECT_EQ(run(fmt::format("evt stats {} t.evt", options)), (Outcome{1, "", nothing})) << options;
  }
  given_trace("e.evt", kThreadTypes);
  EXPECT_EQ(run("evt stats cpu e.evt"), (Outcome{1, "", "evt stats: e.evt: no thread was seen to run\n"}));
  given_trace("later.evt",
              "evtrace text 1\nsession uuid=0x010102030405460788090a0b0c0d0e10\n" + std::string(kThreadTypes));
  EXPECT_EQ(run("cat t.evt later.evt > two.evt && evt stats cpu two.evt > out"), prints("")) << "one session has it";
}

// A stop begins and ends without an event; a loss passes each filter, and is none that is counted.
TEST_F(Stats, KnowWhatAFilterLeavesAmongStopsAndLosses) {
  given_trace("s.evt",
              "type 1024 st role=stopped (duration tick_delta role=duration)\ntype 1025 e (n u32)\nstream 1 \"a\"\n"
              "0.000000010 1 e n=1\n0.000010010 1 st duration=0.000005\n0.000020000 1 e n=2\n");
  EXPECT_EQ(run("evt stats stops --event st s.evt > out").err, "");
  EXPECT_EQ(run("evt stats stops --event e s.evt"),
            (Outcome{1, "", "evt stats: s.evt: no counted event matches --event\n"}));
  given_trace("l.evt",
              "type 1025 e (n u32)\nstream 1 \"a\"\n0.000000010 1 e n=1\n0.000000020 1 !lost count=3 cause=ring_full "
              "duration=0.000000005\n");
  EXPECT_THAT(run("evt stats events --where 'n>7' l.evt").err,
              ::testing::HasSubstr("evt stats: l.evt: no counted event matches --where\n"));
}

TEST_F(Stats, RefuseWhatMakesNoSense) {
  given_study();
  const auto refused = [&](const std::string& options) { return run("evt stats " + options); };
  EXPECT_EQ(refused(""), refuses(2, "evt stats: no trace given; usage: evt stats [ANALYSIS,...] TRACE...\n"));
  EXPECT_EQ(refused("cpu"), refuses(2, "evt stats: no trace given; usage: evt stats [ANALYSIS,...] TRACE...\n"));
  for (const char* const analysis : {"summary", "gc,summary"}) {
    EXPECT_EQ(refused(fmt::format("{} --every 1ms study.evt", analysis)),
              refuses(2, "evt stats: --every: summary has no table over time\n"));
  }
  EXPECT_EQ(refused("calls --fold --every 1ms study.evt"), refuses(2, "evt stats: --fold: excludes --every\n"));
  EXPECT_EQ(refused("cpu --every 0 study.evt"), refuses(2, "evt stats: --every: expected a time like 10ms, found 0\n"));
  EXPECT_EQ(refused("cpu --by stream study.evt"),
            refuses(2, "evt stats: --by: expected one of thread cpu thread,cpu cpu,thread for cpu, found stream\n"));
  EXPECT_EQ(refused("cpu --at soon study.evt"),
            refuses(2, "evt stats: --at: expected 1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z, found soon\n"));
  EXPECT_EQ(refused("cpu nothing.evt"), refuses(3, "evt stats: cannot open nothing.evt: No such file or directory\n"));
}

TEST_F(Stats, OfMoreStretchesThanAnybodyReadsAreRefused) {
  given_trace("x.evt", std::string(kThreadTypes) +
                           "stream 1 \"x\"\n0.0 1 thread.run thread=7 cpu=0\n"
                           "1000000000.0 1 thread.stop thread=7 reason=blocked object=0\n");
  EXPECT_EQ(run("evt stats cpu --every 1s x.evt"),
            refuses(2,
                    "evt stats: x.evt: 277778 h has 1000000001 stretches of 1.00 s, at most 100000 are counted: choose "
                    "a time range, or longer steps\n"));
  EXPECT_EQ(run("evt stats cpu --every 1s --to 2s --csv x.evt | wc -l"), prints("3\n"));
}

}  // namespace
}  // namespace evt::testing
