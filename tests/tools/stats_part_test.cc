// What is true of a whole trace is true of its parts; and what is told of a part is of that part.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsOfAPart : public AtTheShell {};

constexpr const char* kCallsAndRuns =
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
    "stream 1 \"s1\" thread=1\n"
    "stream 2 \"s2\" thread=2\n"
    "0.000000000 1 thread.create thread=1\n"
    "0.000000000 2 thread.create thread=2\n"
    "0.000000100 1 thread.run thread=1 cpu=0\n"
    "0.000000300 1 thread.stop thread=1\n"
    "0.000000300 2 thread.run thread=2 cpu=0\n"
    "0.000000400 2 thread.stop thread=2\n";

// The same without an index, which is where counts of types are.
TEST_F(StatsOfAPart, ThatRunsAreRecordedIsKnownBeforeTheFirst) {
  given_trace("x.evt", kCallsAndRuns);
  given_trace("y.evt", std::string(kCallsAndRuns) + "truncated\n");
  const std::string answer =
      "thread  name   cpu  runnable\n"
      "     1  s1    0 ns     50 ns\n"
      "     2  s2    0 ns     50 ns\n";
  EXPECT_EQ(run("evt stats usage --by thread --to 50ns x.evt"),
            (Outcome{0, answer,
                     "evt stats: x.evt: no event that is counted here records a call (roles callBegin, callEnd, call): "
                     "nothing is known about usage\n"}));
  EXPECT_EQ(run("evt stats usage --by thread --to 50ns y.evt 2>/dev/null").out, answer);
}

constexpr const char* kOfAKernel =
    "type 4 sched role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "stream 1 \"cpu0\"\n"
    "stream 2 \"cpu1\"\n"
    "0.000000000 1 sched thread=0 cpu=0\n"
    "0.000000010 2 sched thread=5 cpu=1\n"
    "0.000000100 1 sched thread=7 cpu=0\n"
    "0.000000200 1 sched thread=0 cpu=0\n"
    "0.000000300 2 sched thread=0 cpu=1\n"
    "0.000000500 2 sched thread=5 cpu=1\n"
    "0.000000600 1 sched thread=7 cpu=0\n"
    "0.000000700 1 sched thread=0 cpu=0\n";

TEST_F(StatsOfAPart, WhichThreadIsIdleIsKnownBeforeItShows) {
  given_trace("x.evt", kOfAKernel);
  const char* const note =
      "evt stats: x.evt: threads that did not stop before another ran on their cpu: 1: taken to have stopped then\n";
  EXPECT_EQ(run("evt stats cpu --to 250ns x.evt"), (Outcome{0,
                                                            "thread  running       %  current  so far  slices\n"
                                                            "     5   240 ns  96.0 %   290 ns  240 ns       1\n"
                                                            "     7   100 ns  40.0 %   100 ns       -       1\n",
                                                            note}));
  EXPECT_EQ(run("evt stats cpu --by cpu --to 250ns x.evt"), (Outcome{0,
                                                                     "cpu  running       %  slices    idle\n"
                                                                     "  0   100 ns  40.0 %       1  150 ns\n"
                                                                     "  1   240 ns  96.0 %       1    0 ns\n",
                                                                     note}));
  EXPECT_EQ(run("evt stats threads --to 250ns x.evt"),
            (Outcome{0,
                     "thread  state     running  runnable  waiting  slices  cpus  migrations\n"
                     "     5  running    240 ns      0 ns     0 ns       1     1           0\n"
                     "     7  runnable   100 ns     50 ns     0 ns       1     1           0\n",
                     note}));
  EXPECT_THAT(run("evt stats share --to 250ns x.evt").out, ::testing::HasSubstr("\nidle         10 ns\n"));
}

// A program may count its threads from 0.
TEST_F(StatsOfAPart, AThreadOfNumber0StaysOneThatNeverRunsTwice) {
  given_trace("x.evt",
              "type 4 sched role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "stream 1 \"cpu0\"\n"
              "0.000000000 1 sched thread=0 cpu=0\n"
              "0.000000100 1 sched thread=7 cpu=0\n"
              "0.000000200 1 sched thread=0 cpu=0\n");
  EXPECT_EQ(run("evt stats cpu --to 150ns x.evt 2>/dev/null"),
            prints("thread  running       %  current  so far  slices\n"
                   "     0   100 ns  66.7 %   100 ns       -       1\n"
                   "     7    50 ns  33.3 %   100 ns   50 ns       1\n"));
}

TEST_F(StatsOfAPart, ThreadsThatWereNotChosenHaveNoRow) {
  given_trace("x.evt",
              "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
              "type 13 mark role=mark (message text role=message)\n"
              "stream 1 \"s3\" thread=3\nstream 2 \"s5\" thread=5\n"
              "0.000000010 2 mark message=\"x\"\n"
              "0.000000020 1 thread.create thread=3\n"
              "0.000000150 2 thread.create thread=5\n"
              "0.000000300 1 mark message=\"y\"\n");
  EXPECT_EQ(run("evt stats threads --where thread=3 --from 100ns --to 200ns x.evt"),
            prints("thread  name      created  state     running  runnable  waiting  slices  cpus  migrations\n"
                   "     3  s3    0.000000020  runnable     0 ns    100 ns     0 ns       0     0           0\n"));
}

TEST_F(StatsOfAPart, SpansThatBeganBeforeBeginWithIt) {
  given_trace("x.evt",
              "type 1024 b role=spanBegin (name text role=name)\ntype 1025 e role=spanEnd\nstream 1 \"main\"\n"
              "0.000000100 1 b name=\"a\"\n0.000000600 1 e\n");
  EXPECT_EQ(run("evt stats spans --longest 1 --csv --from 400ns x.evt 2>/dev/null | grep '^a' | tr -d '\\r'"),
            prints("a,span,200,400,1,#1,main,200,\n"));
  EXPECT_EQ(run("evt stats spans --csv --from 400ns x.evt 2>/dev/null | grep '^a' | tr -d '\\r'"),
            prints("a,1,200,200,200,200,200,200,200,200,200,200,0,0,0,0\n"
                   "a,span,max,200,400,1,#1\n"));
}

// The same thing, said once in whatever analyses are asked for.
TEST_F(StatsOfAPart, WhatDoesNotFitHasOneSentence) {
  given_trace("x.evt",
              "type 1024 b role=callBegin (f text role=function)\ntype 1025 e role=callEnd\nstream 1 \"main\"\n"
              "0.1 1 e\n0.2 1 b f=\"a\"\n0.3 1 e\n0.4 1 e\n0.5 1 b f=\"b\"\n");
  const std::string doubts =
      "evt stats: x.evt: 2 ends of calls that were not seen to begin: not counted\n"
      "evt stats: x.evt: 1 call unfinished at the end\n";
  EXPECT_EQ(run("evt stats spans x.evt").err, doubts);
  for (const char* const analyses : {"calls", "share", "usage", "spans,calls,share,usage"}) {
    const std::string said = run("evt stats " + std::string(analyses) + " x.evt").err;
    EXPECT_THAT(said, ::testing::HasSubstr(doubts)) << analyses;
    EXPECT_EQ(said.find("not seen to begin"), said.rfind("not seen to begin")) << analyses;
  }
}

}  // namespace
}  // namespace evt::testing
