// evt stats: the numbers of a trace.
#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

TEST_F(Stats, OfCpusAreCumulativeAtAnyMoment) {
  given_study();
  EXPECT_EQ(run("for t in 0 1 2 3 4 5 6 7 8 9; do evt stats cpu --at ${t}ns --csv study.evt | tail -1; done"),
            prints("7,,0,,1,0,1,0,0\r\n7,,1,100,1,,1,0,0\r\n7,,1,50,1,,1,0,0\r\n7,,1,33.333333,1,,1,0,0\r\n"
                   "7,,1,25,1,,1,0,0\r\n7,,1,20,2,0,2,0,0\r\n7,,2,33.333333,2,1,2,0,0\r\n7,,3,42.857143,2,,2,0,0\r\n"
                   "7,,3,37.5,2,,2,0,0\r\n7,,3,33.333333,2,,2,0,0\r\n"));
}

// At 6 it has run for 2 of them there; the run that goes on is 2 long, of which 1 has been.
TEST_F(Stats, OfAThreadOnACpuHasTheRunThatGoesOnThere) {
  given_study();
  EXPECT_EQ(run("evt stats cpu --at 6ns --by cpu,thread study.evt"),
            prints("cpu  cpu name  thread  running       %  current  so far  slices\n"
                   " #1  cpu 0          7     2 ns  33.3 %     2 ns    1 ns       2\n"));
}

TEST_F(Stats, OfARunThatGoesOnAreTheSameWithOtherAnalyses) {
  given_study();
  EXPECT_EQ(
      run("evt stats cpu,threads --at 6ns study.evt | sed -n 2,3p"),
      prints("thread  running       %  current  so far  slices\n     7     2 ns  33.3 %     2 ns    1 ns       2\n"));
}

TEST_F(Stats, OfCpusAreForPeople) {
  given_threads();
  EXPECT_EQ(run("evt stats cpu t.evt"), prints("thread  name  running       %  current  slices\n"
                                               "     1  main  2.90 ms  58.0 %  1.90 ms       2\n"
                                               "     2        1.40 ms  28.0 %  1.40 ms       1\n"));
}

TEST_F(Stats, OfCpusAreBothWaysRound) {
  given_threads();
  EXPECT_EQ(
      run("evt stats cpu --by thread,cpu t.evt; evt stats cpu --by cpu,thread t.evt; evt stats cpu --by cpu t.evt"),
      prints("thread  name  cpu  running       %  current  slices\n"
             "     1  main    0  1.00 ms  20.0 %        -       1\n"
             "     1  main    1  1.90 ms  38.0 %  1.90 ms       1\n"
             "     2          1  1.40 ms  28.0 %  1.40 ms       1\n"
             "cpu  thread  name  running       %  current  slices\n"
             "  0       1  main  1.00 ms  20.0 %        -       1\n"
             "  1       1  main  1.90 ms  38.0 %  1.90 ms       1\n"
             "  1       2        1.40 ms  28.0 %  1.40 ms       1\n"
             "cpu  running       %  slices\n"
             "  0  1.00 ms  20.0 %       1\n"
             "  1  3.30 ms  66.0 %       2\n"));
}

TEST_F(Stats, OfCpusBetweenTwoTimesAreTheDifference) {
  given_threads();
  EXPECT_EQ(run("evt stats cpu --from 900us --to 3ms --raw t.evt"),
            prints("thread  name  running ns          %  current ns  so far ns  slices\n"
                   "     2           1100000  52.380952     1400000          -       0\n"
                   "     1  main     1000000  47.619048     1900000     900000       1\n"));
}

TEST_F(Stats, OfCpusAreATableOverTime) {
  given_threads();
  EXPECT_EQ(run("evt stats cpu --every 1500us t.evt"),
            prints("       from           to  thread  name  running       %  slices\n"
                   "0.000000000  0.001500000       1  main  1.00 ms  66.7 %       1\n"
                   "0.000000000  0.001500000       2         900 us  60.0 %       1\n"
                   "0.001500000  0.003000000       1  main   900 us  60.0 %       1\n"
                   "0.001500000  0.003000000       2         500 us  33.3 %       0\n"
                   "0.003000000  0.004500000       1  main  1.00 ms  66.7 %       0\n"));
  EXPECT_EQ(run("evt stats events --event thread.stop --every 4ms --csv t.evt"),
            prints("from_ns,to_ns,event,events,percent,rate_per_second\r\n"
                   "0,4000000,thread.stop,2,100,500\r\n4000000,5000000,thread.stop,1,100,1000\r\n"));
}

// The run is on the first of two streams, so it comes before the stop of the same moment.
TEST_F(Stats, OfCpusHaveNoDoubtsWhereOneThreadFollowsAnotherAtOnce) {
  given_trace("x.evt", std::string(kThreadTypes) +
                           "stream 1 \"w\"\nstream 2 \"v\"\n"
                           "0.000000000 2 thread.run thread=2 cpu=0\n"
                           "0.000000100 2 thread.stop thread=2 reason=blocked object=0\n"
                           "0.000000100 1 thread.run thread=1 cpu=0\n"
                           "0.000000250 1 thread.stop thread=1 reason=blocked object=0\n");
  EXPECT_EQ(run("evt stats cpu --raw x.evt; evt stats cpu --raw --from 0.0000001 x.evt"),
            prints("thread  running ns   %  current ns  slices\n"
                   "     1         150  60         150       1\n"
                   "     2         100  40         100       1\n"
                   "thread  running ns    %  current ns  slices\n"
                   "     1         150  100         150       1\n"));
}

TEST_F(Stats, OfCpusWithoutThreadsSaySo) {
  given_trace("m.evt", "type 1024 tick\nstream 1 \"a\"\n0.1 1 tick\n");
  EXPECT_EQ(run("evt stats cpu m.evt"),
            (Outcome{1, "", "evt stats: m.evt: no event has role threadRun: running times are not known\n"}));
}

TEST_F(Stats, OfCpusSayWhatIsDoubtful) {
  given_trace("d.evt",
              std::string(kThreadTypes) +
                  "stream 1 \"a\"\n0.000001 1 stop.here thread=1\n0.000002 1 run.here thread=1\n"
                  "0.000003 1 run.here thread=2\n0.000005 1 !lost count=3 cause=ring_full duration=0.000000000\n"
                  "0.000006 1 stop.here thread=2\n");
  EXPECT_EQ(
      run("evt stats cpu d.evt"),
      (Outcome{0,
               "thread  running       %  current  slices  uncertain\n"
               "     2  3.00 us  60.0 %  3.00 us       1    3.00 us\n"
               "     1  1.00 us  20.0 %  1.00 us       1       0 ns\n",
               "evt stats: d.evt: 3.00 us of the running time is uncertain: threads may have changed state unseen, "
               "because events were lost\n"
               "evt stats: d.evt: stops of threads that did not run: 1: since when they ran is not known, and that "
               "time is not counted\n"
               "evt stats: d.evt: threads that did not stop before another ran on their cpu: 1: taken to have "
               "stopped then\n"
               "evt stats: d.evt: 3 events of stream 1 \"a\" lost: ring_full\n"}));
}

TEST_F(Stats, OfThreadsTellTheirLives) {
  given_threads();
  EXPECT_EQ(
      run("evt stats threads t.evt"),
      prints("thread  name      created        ended  state    running  runnable  waiting  slices  cpus  migrations  "
             "wakes\n"
             "     1  main            -            -  waiting  2.90 ms    600 us  1.50 ms       2     2           1"
             "      1\n"
             "     2        0.000500000  0.002000000  ended    1.40 ms    100 us     0 ns       1     1           0"
             "      0\n"
             "\n"
             "thread  waits for  times  waiting\n"
             "     1  sleeping       1  1.00 ms\n"
             "     1  blocked        1   500 us\n"
             "\n"
             "thread  woken by  times\n"
             "     1         2      1\n"));
}

TEST_F(Stats, OfThreadsHaveTheNamesOfTheirStreamsWhicheverEventIsFirst) {
  given_trace("x.evt", std::string(kThreadTypes) +
                           "stream 1 \"worker one\" thread=17\nstream 2 \"worker two\" thread=18\n"
                           "0.000000100 1 thread.run thread=17 cpu=0\n"
                           "0.000000130 1 thread.stop thread=17 reason=blocked object=0\n"
                           "0.000000200 2 mark message=\"x\"\n"
                           "0.000000210 2 thread.run thread=18 cpu=0\n"
                           "0.000000230 2 thread.stop thread=18 reason=blocked object=0\n"
                           "0.000000240 2 thread.wake thread=17 waker=18\n");
  EXPECT_EQ(run("for r in '' '--from 150ns' '--to 150ns'; do evt stats threads $r --csv x.evt | sed -n '2,/^.$/p' | "
                "grep worker | cut -d, -f 1-2; done"),
            prints("17,worker one\n18,worker two\n"
                   "17,worker one\n18,worker two\n"
                   "17,worker one\n"));
}

TEST_F(Stats, OfCollectionsTellPausesAndSparks) {
  given_collector();
  EXPECT_EQ(run("evt stats gc gc.evt"),
            prints("total         90.0 us\n"
                   "mutator       59.0 us\n"
                   "collector     31.0 us\n"
                   "collections   2\n"
                   "productivity  65.6 %\n"
                   "\n"
                   "generation  collections      sum     mean      min   median      p90      p99      max\n"
                   "all                   2  31.0 us  15.5 us  1.00 us  1.00 us  30.0 us  30.0 us  30.0 us\n"
                   "0                     1  1.00 us  1.00 us  1.00 us  1.00 us  1.00 us  1.00 us  1.00 us\n"
                   "1                     1  30.0 us  30.0 us  30.0 us  30.0 us  30.0 us  30.0 us  30.0 us\n"
                   "\n"
                   "stream  name   mutator  mutator %  collector  collector %     idle  collections\n"
                   "     1  cap 0  50.0 us     55.6 %    31.0 us       34.4 %  9.00 us            2\n"
                   "     2  cap 1     0 ns      0.0 %    28.0 us       31.1 %  62.0 us            1\n"
                   "\n"
                   "stream  all  converted  overflowed  dud  collected  fizzled\n"
                   "all       1          1           0    0          0        0\n"
                   "cap 0     1          0           0    0          0        0\n"
                   "cap 1     0          1           0    0          0        0\n"));
}

constexpr const char* kCollectionThatGoesOn =
    "type 4 run role=threadRun (thread u64 role=thread)\n"
    "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 1024 tick\nstream 1 \"cap 0\"\n"
    "0.0 1 run thread=1\n0.4 1 gc.start generation=1\n0.7 1 tick\n1.0 1 tick\n";

TEST_F(Stats, OfACollectionThatGoesOnCountItsTimeUntilTheEnd) {
  given_trace("on.evt", kCollectionThatGoesOn);
  EXPECT_EQ(run("evt stats gc on.evt"),
            (Outcome{0,
                     "total         1.00 s\n"
                     "mutator       400 ms\n"
                     "collector     600 ms\n"
                     "collections   0\n"
                     "productivity  40.0 %\n"
                     "\n"
                     "stream  name   mutator  mutator %  collector  collector %  idle  collections\n"
                     "     1  cap 0   400 ms     40.0 %     600 ms       60.0 %  0 ns            1\n",
                     "evt stats: on.evt: collections that have not ended yet, which are no pauses: 1\n"}));
}

// 100 ms of the first half are the collector's, and all of the second.
TEST_F(Stats, OfCollectionsInAdjacentRangesAddUp) {
  given_trace("on.evt", kCollectionThatGoesOn);
  EXPECT_EQ(run("for r in '--to 0.5' '--from 0.5' ''; do evt stats gc -q $r --csv on.evt | sed -n 2p; done"),
            prints("500000000,400000000,100000000,0,0,0,80\r\n"
                   "500000000,0,500000000,0,0,0,0\r\n"
                   "1000000000,400000000,600000000,0,0,0,40\r\n"));
}

// Both collect when the time begins, together; the first leads.
TEST_F(Stats, OfCollectionsOfOneStreamAreItsPart) {
  given_trace("two.evt",
              "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
              "type 1024 tick\ntype 1025 sync role=gcSync\nstream 1 \"cap 0\"\nstream 2 \"cap 1\"\n0.0 1 tick\n"
              "0.4 1 gc.start generation=1\n0.45 2 gc.start generation=1\n0.45 1 sync\n0.6 2 gc.end\n0.7 1 gc.end\n1.0 "
              "1 tick\n");
  EXPECT_EQ(run("evt stats gc --stream 'cap 1' --from 0.5 two.evt"),
            prints("stream  name   mutator  mutator %  collector  collector %  idle  collections\n"
                   "     2  cap 1   400 ms     80.0 %     100 ms       20.0 %  0 ns            1\n"));
}

TEST_F(Stats, OfEventsCountTypes) {
  given_threads();
  EXPECT_EQ(run("evt stats events --csv --top 2 t.evt; evt stats events --event 'thread.[rs]*' --raw t.evt"),
            prints("event,events,percent,rate_per_second\r\nthread.run,3,30,600\r\nthread.stop,3,30,600\r\n"
                   "event        events   %  rate\n"
                   "thread.run        3  50   600\n"
                   "thread.stop       3  50   600\n"));
}

// Of a whole trace the index has them; of a range, even one that is all of it, events are counted.
TEST_F(Stats, OfEventsAreThoseOfTheIndex) {
  given_threads();
  EXPECT_EQ(run("evt stats events t.evt > index.txt; evt stats events --to 1s t.evt > read.txt;"
                "diff index.txt read.txt && head -3 index.txt"),
            prints("event          events       %    rate\n"
                   "thread.run          3  30.0 %  600 /s\n"
                   "thread.stop         3  30.0 %  600 /s\n"));
}

TEST_F(Stats, OfAPartHaveNoBytesEach) {
  given_threads();
  const std::string title = fmt::format("# t.evt: {} bytes, ", content_of("t.evt").size());
  EXPECT_EQ(
      run("for part in '--event thread.run' '--to 500us' '--at 500us' '--stream scheduler'; do "
          "evt stats -q $part t.evt | head -n 1; done; evt stats -q --json --event thread.run t.evt | grep -c "
          "bytes_per"),
      (Outcome{1, title + "3 events\n" + title + "3 events\n" + title + "3 events\n" + title + "10 events\n0\n", ""}));
}

TEST_F(Stats, OfASummaryAreFactsAndTypes) {
  given_threads();
  const std::size_t size = content_of("t.evt").size();
  EXPECT_EQ(
      run("evt stats summary t.evt | sed -n '1p; 7,10p; 15,22p'"),
      prints(fmt::format("# t.evt: {} bytes, 10 events, {:.2f} bytes each\n", size, static_cast<double>(size) / 10) +
             "span     5.00 ms\n"
             "events   10\n"
             "rate     2.00 k/s\n"
             "lost     0\n"
             "\n"
             "event          events       %    rate\n"
             "thread.run          3  30.0 %  600 /s\n"
             "thread.stop         3  30.0 %  600 /s\n"
             "thread.create       1  10.0 %  200 /s\n"
             "thread.name         1  10.0 %  200 /s\n"
             "thread.wake         1  10.0 %  200 /s\n"
             "mark                1  10.0 %  200 /s\n"));
}

TEST_F(Stats, FromTheIndexAloneAreNotVerified) {
  ASSERT_EQ(run("shop x.evt").status, 0);
  EXPECT_EQ(run("evt stats summary x.evt | head -1 | sed 's/.*each//'"), prints(", not verified\n"));
  EXPECT_EQ(run("evt stats events x.evt").err,
            "evt stats: x.evt: not verified: only the index was read; evt check reads all\n");
  EXPECT_EQ(run("evt stats events --json x.evt").err, "");
  EXPECT_EQ(run("evt stats events --to 1s x.evt").err, "");
  for (const auto& [analysis, verified] :
       {std::pair("summary", "false"), std::pair("events", "false"), std::pair("cpu", "true")}) {
    EXPECT_EQ(run(std::string("evt stats ") + analysis + " --json x.evt | grep -o '\"damage\".*\"sessions'"),
              prints(std::string("\"damage\":0,\"verified\":") + verified + ",\"sessions\n"))
        << analysis;
  }
}

}  // namespace
}  // namespace evt::testing
