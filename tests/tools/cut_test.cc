// evt cut: a part of a trace becomes a trace.
#include <evt/evt.h>
#include <fmt/core.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Cut : public AtTheShell {
 protected:
  // Two streams, 10,000 events each, a microsecond apart from 1 s on.
  void given_many() {
    std::string lines =
        "type 1024 tick (n u32)\ntype 1025 say (what interned) (thread u32 role=thread)\ntype 1026 never\n"
        "stream 1 \"a\" thread=70\nstream 2 \"b\" thread=71\nstring 1 \"odd\"\nstring 2 \"even\"\n";
    for (int i = 0; i < 10'000; ++i) {
      lines += i % 10 == 0 ? fmt::format("1.00{:04}000 1 say what=#{} thread={}\n", i, i % 20 / 10 + 1, i % 3)
                           : fmt::format("1.00{:04}000 1 tick n={}\n", i, i);
      lines += fmt::format("1.00{:04}500 2 tick n={}\n", i, i);
    }
    given_text("x.txt", lines);
    EXPECT_EQ(run("evt convert x.txt -o x.evt"), prints(""));
  }
  void given_spans() {
    given_trace("s.evt",
                "type 1024 work.begin \"\" role=spanBegin (name text)\ntype 1025 work.end \"\" role=spanEnd\n"
                "type 1026 run role=threadRun (thread u32 role=thread)\ntype 1027 stop role=threadStop\n"
                "type 1028 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
                "0.1 1 work.begin name=\"outer\"\n0.2 1 work.begin name=\"inner\"\n0.25 2 run thread=7\n"
                "0.3 1 work.end\n0.4 1 work.begin name=\"second\"\n0.5 1 tick\n0.6 1 work.end\n0.7 2 stop\n");
  }
  // The events that a dump with these filters prints, and those of what they cut.
  void expect_same(const std::string& filters) {
    EXPECT_EQ(run("evt dump --json " + filters + " x.evt > want.out && evt cut --no-state " + filters +
                  " x.evt -o y.evt && evt check -q y.evt > out && evt dump --json y.evt | cmp - want.out"),
              prints(""))
        << filters;
  }
};

TEST_F(Cut, HasTheEventsThatADumpOfTheSameFiltersHas) {
  given_many();
  for (const char* filters :
       {"", "--from 1.002", "--to 1.004s", "--from 1.0021 --to 1.0022", "--stream a", "--event tick", "--event 's*'",
        "--stream '#2' --from 1.009", "--event say --to 1.001", "--to 0.5"}) {
    expect_same(filters);
  }
}

TEST_F(Cut, OfCompactedTracesTheSame) {
  given_many();
  EXPECT_EQ(run("evt convert --columns x.evt -o c.evt && mv c.evt x.evt"), prints(""));
  for (const char* filters : {"", "--from 1.002 --to 1.005", "--stream a", "--event tick"}) expect_same(filters);
}

TEST_F(Cut, KeepsWhatItsEventsNeedAndNoMore) {
  given_many();
  EXPECT_EQ(run("evt cut --from 1.0021 --to 1.00215 --event say x.evt -o y.evt"), prints(""));
  EXPECT_EQ(run("evt dump --types y.evt"), prints("number  name  size  fields                    description\n"
                                                  "  1025  say      8  what:interned thread:u32\n"));
  EXPECT_EQ(run("evt dump --header y.evt | grep -E '^(origin|cut|types|streams|strings|rows|lost|end)'"),
            prints("origin    00010203-0405-4607-8809-0a0b0c0d0e0f\n"
                   "cut       --from 1.0021 --to 1.00215 --event say\n"
                   "types     1\nstreams   1\nstrings   2\nrows      6\nlost      0\nend       closed\n"));
}

TEST_F(Cut, ByThreadGoesByTheFieldThenByTheStream) {
  given_many();
  EXPECT_EQ(
      run("evt cut --thread 2 x.evt -o y.evt && evt dump --count y.evt && evt dump --count --where thread=2 x.evt"),
      prints("333\n333\n"));
  EXPECT_EQ(run("evt cut --thread 71 x.evt -o y.evt && evt dump --count y.evt"), prints("10000\n"));
}

TEST_F(Cut, EveryTakesSoFewOfEachStreamAndType) {
  given_many();
  EXPECT_EQ(run("evt cut --every 4000 x.evt -o y.evt && evt dump y.evt"),
            prints("   1.000000000  a  say  what=\"odd\" thread=0\n"
                   "   1.000000500  b  tick n=0\n"
                   "   1.000001000  a  tick n=1\n"
                   "   1.004000500  b  tick n=4000\n"
                   "   1.004445000  a  tick n=4445\n"
                   "   1.008000500  b  tick n=8000\n"
                   "   1.008889000  a  tick n=8889\n"));
}

TEST_F(Cut, EveryTakesOneInSoMuchTime) {
  given_many();
  EXPECT_EQ(run("evt cut --every 5ms --event tick x.evt -o y.evt && evt dump y.evt"),
            prints("   1.000000500  b  tick n=0\n"
                   "   1.000001000  a  tick n=1\n"
                   "   1.005000500  b  tick n=5000\n"
                   "   1.005001000  a  tick n=5001\n"));
}

TEST_F(Cut, WhatWasOpenComesAgainAtTheCut) {
  given_spans();
  EXPECT_EQ(run("evt cut --from 0.45 s.evt -o y.evt && evt dump y.evt"),
            prints("   0.450000000  a  carried.work.begin name=\"outer\" since=0.100000000\n"
                   "   0.450000000  a  carried.work.begin name=\"second\" since=0.400000000\n"
                   "   0.450000000  b  carried.run        thread=7 since=0.250000000\n"
                   "   0.500000000  a  tick\n"
                   "   0.600000000  a  work.end\n"
                   "   0.700000000  b  stop\n"));
  EXPECT_EQ(run("evt dump --count --event '*.begin' y.evt && evt check y.evt > out"), prints("2\n"));
}

// Two cpus tell of themselves on each of eight streams.
TEST_F(Cut, EachThreadThatRanGoesOnRunning) {
  std::string lines =
      "type 1 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "type 2 thread.stop role=threadStop (thread u64 role=thread)\ntype 1024 tick\n";
  for (int stream = 1; stream <= 8; ++stream) lines += fmt::format("stream {} \"s{}\"\n", stream, stream);
  for (int cpu = 0; cpu < 16; ++cpu) {
    lines += fmt::format("0.1{:02} {} thread.run thread={} cpu={}\n", cpu, cpu / 2 + 1, 100 + cpu, cpu);
  }
  for (int cpu = 0; cpu < 16; ++cpu) {
    lines += fmt::format("0.3{:02} {} thread.stop thread={}\n", cpu, cpu / 2 + 1, 100 + cpu);
  }
  lines += "0.4 1 tick\n";
  given_trace("r.evt", lines);
  EXPECT_EQ(run("evt cut --from 0.2 r.evt -o y.evt && evt dump --count --event carried.thread.run y.evt"),
            prints("16\n"));
  const std::string times = "evt stats cpu --csv --by thread,cpu --from 0.2 --to 0.35 ";
  EXPECT_EQ(run(times + "r.evt | cut -d, -f1-3 > want.out; wc -l < want.out; " + times +
                "y.evt | cut -d, -f1-3 | cmp - want.out"),
            prints("17\n"));
}

TEST_F(Cut, WithoutStateThereAreOnlyRecordedEvents) {
  given_spans();
  EXPECT_EQ(run("evt cut --no-state --from 0.45 s.evt -o y.evt && evt dump --count y.evt"), prints("3\n"));
}

TEST_F(Cut, WhatWasOpenAcrossALossMayHaveEndedInIt) {
  given_trace("s.evt",
              "type 1024 begin role=spanBegin\ntype 1025 tick\nstream 1 \"a\"\n"
              "0.1 1 begin\n0.2 1 !lost count=3 cause=ring_full duration=0.000000000\n0.3 1 begin\n0.5 1 tick\n");
  EXPECT_EQ(run("evt cut --from 0.4 s.evt -o y.evt 2> said && evt dump y.evt"),
            prints("   0.400000000  a  carried.begin   since=0.100000000\n"
                   "   0.400000000  a  carried.unknown since=0.200000000\n"
                   "   0.400000000  a  carried.begin   since=0.300000000\n"
                   "   0.500000000  a  tick\n"));
}

TEST_F(Cut, LossesInThePartAreKeptAndOthersAreNot) {
  given_trace("s.evt",
              "type 1025 tick\nstream 1 \"a\"\n"
              "0.1 1 tick\n0.2 1 !lost count=3 cause=ring_full duration=0.000000000\n0.3 1 tick\n0.4 1 !lost count=5 "
              "cause=too_large duration=0.000000000\n");
  const Outcome outcome = run("evt cut --from 0.25 s.evt -o y.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(run("evt dump --header y.evt 2> said | grep ^lost"), prints("lost      5\n"));
}

TEST_F(Cut, CompactsAndExpands) {
  given_many();
  EXPECT_EQ(run("evt cut --columns x.evt -o y.evt && evt cut --rows y.evt -o z.evt && evt dump --json x.evt > x.out &&"
                " evt dump --json y.evt | cmp - x.out && evt dump --json z.evt | cmp - x.out && evt check y.evt > out"),
            prints(""));
  EXPECT_LT(content_of("y.evt").size(), content_of("x.evt").size() / 4);
}

TEST_F(Cut, LeavesOutWhoIsRecorded) {
  given_file("w.txt",
             "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 "
             "program=\"demo\" pid=12 "
             "host=\"box\" boot=\"b\" args=[\"demo\" \"--password=x\"]\n"
             "type 1024 tick\nstream 1 \"a\"\n1.000000000 1 tick\n");
  EXPECT_EQ(
      run("evt convert w.txt -o w.evt && evt cut --anonymous w.evt -o y.evt && evt dump --canonical y.evt |"
          "grep -v '^type\\|^stream' | sed 's/uuid=[^ ]* //'"),
      prints("evtrace text 1\nsession start=1767225600.000000000 writer=\"evtrace " EVT_VERSION
             "\" origins=[0x000102030405460788090a0b0c0d0e0f] cut=\"--anonymous\" left_out=[]\n1.000000000 1 tick\n"));
  EXPECT_EQ(run("! grep -q 'demo\\|box\\|password' y.evt"), prints(""));
}

// Which program runs, how it was started, what it opened and what its locks are called; also where that is carried
// over.
TEST_F(Cut, LeavesOutNamesOfProgramsAndOfObjects) {
  given_file("w.txt",
             "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000\n"
             "type 17 object.open \"an object exists from now on\" role=objectOpen (object u64 role=object) (resource "
             "interned role=resource)\n"
             "type 18 object.name \"an object has this name\" role=objectName (object u64 role=object) (name text "
             "role=name)\n"
             "type 1024 ran role=program (process u64 role=process) (name text role=name)\n"
             "type 1025 started role=arguments (process u64 role=process) (arguments text[] role=arguments)\n"
             "type 1026 called role=call (function interned role=function) (caller interned role=caller) (duration "
             "tick_delta role=duration)\n"
             "stream 1 \"a\"\nstring 1 \"lock\"\nstring 2 \"sem_wait\"\nstring 3 \"/opt/secret/caller\"\n"
             "1.000000000 1 ran process=7 name=\"secret\"\n"
             "1.000000001 1 started process=7 arguments=[\"--secret\"]\n"
             "1.000000002 1 object.open object=5 resource=\"lock\"\n"
             "1.000000003 1 object.name object=5 name=\"main:secret_lock\"\n"
             "1.000000009 1 called function=\"sem_wait\" caller=\"/opt/secret/caller\" duration=0.000000001\n");
  for (const char* const range : {"", "--from 1.000000005 "}) {
    EXPECT_EQ(run(std::string("evt convert w.txt -o w.evt && evt cut --anonymous ") + range +
                  "w.evt -o y.evt && ! grep -c secret y.evt && evt dump y.evt | grep -c sem_wait"),
              prints("0\n1\n"))
        << range;
  }
}

TEST_F(Cut, SplitsByTime) {
  given_many();
  EXPECT_EQ(run("evt cut --split-every 1.004s x.evt -o part.evt && ls part.*"),
            prints("part.0001.evt\npart.0002.evt\n"));
  EXPECT_EQ(run("evt dump --json x.evt > x.out && for p in part.*; do evt dump --json $p; done | cmp - x.out"),
            prints(""));
}

// The block that is damaged is met by more than one of the parts.
TEST_F(Cut, SplitTellsOfOneDamagedBlockOnce) {
  given_many();
  EXPECT_EQ(run("sed -i 's/^1/0/' x.txt && evt convert x.txt -o x.evt"), prints(""));
  std::string bytes = content_of("x.evt");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  given_file("x.evt", bytes);
  const Outcome whole = run("evt check x.evt");
  const Outcome split = run("evt cut --split-every 1ms x.evt -o part.evt");
  EXPECT_EQ(split.status, 1);
  const auto lines_of = [](const Outcome& outcome) { return std::count(outcome.err.begin(), outcome.err.end(), '\n'); };
  EXPECT_EQ(lines_of(whole), 2) << whole << "which rows, and which bytes";
  EXPECT_EQ(lines_of(split), 2) << split;
  const std::string missing = run("evt check --json x.evt 2> said | grep -o '\"missing\":[0-9][0-9]*'").out;
  EXPECT_NE(missing, "\"missing\":0\n");
  const Outcome lost = run(
      "for p in part.*; do evt check --json $p 2> said; done | grep -o '\"lost\":[1-9][0-9]*' | sed s/lost/missing/");
  EXPECT_EQ(lost.out, missing) << "in one part, all of them";
  // Where it happened: between the events around it.
  EXPECT_EQ(run("evt cut x.evt -o whole.evt 2> said; evt dump --json whole.evt 2> said > want.out;"
                " for p in part.*; do evt dump --json $p 2> said; done | cmp - want.out"),
            prints(""));
}

TEST_F(Cut, SplitsBySize) {
  given_many();
  EXPECT_EQ(run("evt cut --split-size 100K x.evt -o part && ls part.*"),
            prints("part.0001\npart.0002\npart.0003\npart.0004\n"));
  EXPECT_EQ(run("evt dump --json x.evt > x.out && for p in part.*; do evt dump --json $p; done | cmp - x.out"),
            prints(""));
}

TEST_F(Cut, TakesAMergedTraceApartByStreams) {
  given_many();
  EXPECT_EQ(run("sed 's/0c0d0e0f start/0c0d0e1f start/' x.txt > y.txt && evt convert y.txt -o y.evt &&"
                " evt merge x.evt y.evt -o m.evt 2> said && evt cut --part x.evt m.evt -o one.evt &&"
                " evt dump x.evt | tr -s ' ' > x.out && evt dump one.evt | tr -s ' ' | cmp - x.out &&"
                " evt cut --part y.evt m.evt -o two.evt && evt dump two.evt | tr -s ' ' | cmp - x.out"),
            prints(""));
}

// What a part is called may be the name of a machine or a user.
TEST_F(Cut, OfAPartDoesNotNameItWhereItIsAnonymous) {
  given_many();
  EXPECT_EQ(run("sed 's/0c0d0e0f start/0c0d0e1f start/' x.txt > y.txt && evt convert y.txt -o alice.evt &&"
                " evt merge x.evt alice.evt -o m.evt 2> said && evt cut --anonymous --part alice.evt m.evt -o k.evt &&"
                " evt dump --canonical k.evt | grep -o 'cut=\"[^\"]*\"'; grep -c alice k.evt"),
            (Outcome{1, "cut=\"--part --anonymous\"\n0\n", ""}));
}

TEST_F(Cut, GoesThroughPipesAndIsAlwaysTheSame) {
  given_many();
  EXPECT_EQ(run("evt cut --from 1.001 x.evt -o y.evt && cat x.evt | evt cut --from 1.001 - -o - | cmp - y.evt"),
            prints(""));
}

TEST_F(Cut, OntoItsInputIsRefused) {
  given_many();
  const std::string before = content_of("x.evt");
  EXPECT_EQ(run("evt cut --from 1.001 x.evt -o x.evt"),
            refuses(2, "evt cut: x.evt is the input: the output must be another file\n"));
  EXPECT_EQ(content_of("x.evt"), before);
}

TEST_F(Cut, OfManyFilesNoneMayBeTheInput) {
  given_many();
  EXPECT_EQ(run("mv x.evt x.0002.evt; evt cut --split-size 100K x.0002.evt -o x.evt"),
            refuses(2, "evt cut: x.0002.evt is the input: the output must be another file\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"x.0002.evt", "x.txt"})) << "the first is not written either";
}

TEST_F(Cut, BehindTheEndHasNoEventsAndSaysWhereTheTraceEnds) {
  given_many();
  EXPECT_EQ(run("evt cut --from 10s x.evt -o y.evt"),
            (Outcome{1, "", "evt cut: --from 10s is after the end: the trace is from 0.000000000 to 1.009999500\n"}));
  EXPECT_EQ(run("evt dump --count y.evt"), prints("0\n"));
}

TEST_F(Cut, OfAThreadThatIsNotThereSaysSo) {
  given_many();
  EXPECT_EQ(run("evt cut --thread 72 x.evt -o y.evt"),
            (Outcome{1, "", "evt cut: no thread is called 72; did you mean 70 or 71?\n"}));
  EXPECT_EQ(run("evt cut --thread 70 --event say x.evt -o y.evt"),
            (Outcome{1, "", "evt cut: no requested event belongs to such a thread\n"}));
}

TEST_F(Cut, OfAnInputThatIsNotThereSaysSo) {
  given_many();
  EXPECT_EQ(run("evt cut --part x.evt x.evt -o y.evt"),
            (Outcome{1, "", "evt cut: --part x.evt: the trace was not merged from others\n"}));
  EXPECT_EQ(run("sed 's/0c0d0e0f start/0c0d0e1f start/' x.txt > y.txt && evt convert y.txt -o y.evt &&"
                " evt merge x.evt y.evt -o m.evt 2> said && evt cut --part w.evt m.evt -o one.evt"),
            (Outcome{1, "", "evt cut: no input of the trace is called w.evt; did you mean x.evt or y.evt?\n"}));
}

TEST_F(Cut, SaysWhatNamesNothing) {
  given_many();
  EXPECT_EQ(run("evt cut --stream nobody x.evt -o y.evt"), (Outcome{1, "", "evt cut: no stream is called nobody\n"}));
}

TEST_F(Cut, SaysWhatIsWrongWithOptions) {
  given_many();
  for (const char* options : {"--every 0", "--every much", "--split-size 0", "--split-size many", "--split-every 0s",
                              "--split-every 1s --split-size 10", "--columns --rows", "--from never"}) {
    EXPECT_EQ(run(std::string("evt cut x.evt -o y.evt ") + options).status, 2) << options;
  }
  EXPECT_EQ(run("evt cut --split-size 10K x.evt -o -").status, 2);
}

}  // namespace
}  // namespace evt::testing
