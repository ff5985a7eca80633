// evt convert to files of other programs.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

// A thread that runs from 1 to 9 us, in a span from 2 to 8.
constexpr std::string_view kWorkAndHeap =
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
    "type 1024 open role=spanBegin (name text role=name)\n"
    "type 1025 close role=spanEnd\n"
    "type 1026 heap role=counter (name text role=name) (bytes u64 role=value unit=bytes)\n"
    "stream 1 \"main\"\n"
    "0.000001000 1 thread.run thread=7 cpu=0\n"
    "0.000001500 1 heap name=\"heap\" bytes=1\n"
    "0.000002000 1 open name=\"work\"\n"
    "0.000005000 1 heap name=\"heap\" bytes=9\n"
    "0.000008000 1 close\n"
    "0.000009000 1 thread.stop thread=7\n";

class ConvertPictures : public AtTheShell {
 protected:
  ConvertPictures() { given_trace("x.evt", kWorkAndHeap); }
};

TEST_F(ConvertPictures, TheSuffixSaysWhatIsMade) {
  EXPECT_EQ(run("evt convert x.evt -o x.json && evt convert x.evt --format chrome | cmp - x.json"), prints(""));
  EXPECT_EQ(run("evt convert x.evt -o x.folded && cat x.folded"), prints("thread 7;work 6000\n"));
  EXPECT_EQ(run("evt convert x.evt -o x.speedscope.json && evt convert x.evt --format speedscope -o y.json && "
                "cmp x.speedscope.json y.json"),
            prints(""));
  EXPECT_EQ(
      run("evt convert x.evt -o x.pftrace && evt convert x.evt -o y.perfetto-trace && cmp x.pftrace y.perfetto-trace"),
      prints(""));
}

TEST_F(ConvertPictures, WhatAFormatCannotHoldIsNamed) {
  EXPECT_EQ(run("evt convert x.evt -o x.vcd"), refuses(0, "evt convert: 1 span or call has no place in a waveform\n"));
}

TEST_F(ConvertPictures, APartBeginsWithWhatGoesOnThere) {
  EXPECT_EQ(run("evt convert x.evt -o x.json --from 4us --to 7us"), prints(""));
  EXPECT_EQ(
      content_of("x.json"),
      "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":16777216,\"name\":\"process_name\",\"args\":{\"name\":\"test\"}},\n"
      "{\"ph\":\"M\",\"pid\":16777216,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 7\"}},\n"
      "{\"ph\":\"B\",\"ts\":4.000,\"pid\":16777216,\"tid\":8388608,\"name\":\"work\",\"cat\":\"span\"},\n"
      "{\"ph\":\"C\",\"ts\":5.000,\"pid\":16777216,\"tid\":8388608,\"id\":0,\"name\":\"heap\",\"args\":{\"B\":9}},\n"
      "{\"ph\":\"E\",\"ts\":7.000,\"pid\":16777216,\"tid\":8388608,\"name\":\"work\",\"args\":{\"end\":\"open\"}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"name\":\"process_name\",\"args\":{\"name\":\"cpus\"}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0\"}},\n"
      "{\"ph\":\"X\",\"ts\":4.000,\"pid\":33554432,\"tid\":0,\"dur\":3.000,\"name\":\"thread 7\",\"cat\":\"running\"}\n"
      "]}\n");
  EXPECT_EQ(run("evt convert x.evt --format folded --from 4us --to 7us"), prints("thread 7;work 3000\n"));
}

TEST_F(ConvertPictures, FiltersChooseSpansAndCountersAndLeaveStatesWhole) {
  EXPECT_EQ(run("evt convert x.evt -o x.json --event heap"), prints(""));
  EXPECT_EQ(
      content_of("x.json"),
      "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":16777216,\"name\":\"process_name\",\"args\":{\"name\":\"test\"}},\n"
      "{\"ph\":\"M\",\"pid\":16777216,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 7\"}},\n"
      "{\"ph\":\"C\",\"ts\":1.500,\"pid\":16777216,\"tid\":8388608,\"id\":0,\"name\":\"heap\",\"args\":{\"B\":1}},\n"
      "{\"ph\":\"C\",\"ts\":5.000,\"pid\":16777216,\"tid\":8388608,\"id\":0,\"name\":\"heap\",\"args\":{\"B\":9}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"name\":\"process_name\",\"args\":{\"name\":\"cpus\"}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0\"}},\n"
      "{\"ph\":\"X\",\"ts\":1.000,\"pid\":33554432,\"tid\":0,\"dur\":8.000,\"name\":\"thread 7\",\"cat\":\"running\"}\n"
      "]}\n");
}

// Where a trace has samples, stacks are theirs.
TEST_F(ConvertPictures, StacksAreOfSamplesOrOfSpans) {
  given_trace(
      "s.evt",
      "type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
      "(weight u64 role=weight unit=nanoseconds)\n"
      "type 2 work role=span (thread u64 role=thread) (name text role=name) (duration tick_delta role=duration)\n"
      "type 3 odd role=sample (stack interned[] role=stack) (weight u64 role=weight)\n"
      "string 1 \"main\"\nstring 2 \"parse\"\nstream 1 \"a\"\n"
      "0.1 1 sample thread=7 stack=[\"parse\" \"main\"] weight=30\n"
      "0.2 1 sample thread=7 stack=[\"main\"] weight=12\n"
      "0.2 1 odd stack=[\"main\"] weight=1\n0.3 1 work thread=7 name=\"load\" duration=0.000000005\n");
  EXPECT_EQ(run("evt convert s.evt --format folded"),
            (Outcome{0, "thread 7;main 12\nthread 7;main;parse 30\n",
                     "evt convert: 1 sample is left out: its weight states no time\n"}));
  EXPECT_EQ(run("evt convert s.evt --format folded --weight wall"), prints("thread 7;load 5\n"));
  EXPECT_EQ(run("evt convert s.evt --format speedscope 2> said | grep -o 'endValue\":[0-9]*'"),
            prints("endValue\":42\n"));
  EXPECT_EQ(run("evt convert -q s.evt -o s.pb.gz && evt convert -q --format pprof s.evt | cmp - s.pb.gz"), prints(""));
  EXPECT_EQ(run("gunzip -c s.pb.gz | grep -ac 'nanoseconds'"), prints("1\n"));
}

TEST_F(ConvertPictures, FiltersAreForLinesToo) {
  EXPECT_EQ(run("evt convert x.evt --format csv --event heap | cmp - <(evt dump --csv --event heap x.evt)"),
            prints(""));
  EXPECT_EQ(
      run("evt convert x.evt -o x.jsonl --where 'bytes>5' && cmp x.jsonl <(evt dump --json --where 'bytes>5' x.evt)"),
      prints(""));
}

TEST_F(ConvertPictures, OptionsOfOtherFormatsAreRefused) {
  EXPECT_EQ(run("evt convert x.evt -o x.json --weight count"),
            refuses(2, "evt convert: --weight: works only with folded stacks, speedscope and pprof\n"));
  EXPECT_EQ(
      run("evt convert x.evt -o x.folded --weight heavy"),
      refuses(2, "evt convert: --weight: expected wall, running, share, count, samples or waiting, found heavy\n"));
  EXPECT_EQ(run("evt convert x.evt -o y.evt --from 1"),
            refuses(2,
                    "evt convert: --from: and other filters do not apply if the output is a trace; evt cut makes a "
                    "part of a trace\n"));
  EXPECT_EQ(run("evt convert x.evt -o x.json --event none"), refuses(1, "evt convert: no event type is called none\n"));
  EXPECT_EQ(run("evt convert x.evt -o x.vcd --format chrome"),
            refuses(2, "evt convert: --format: x.vcd is not a name for chrome\n"));
}

TEST_F(ConvertPictures, StacksWeighWhatIsAskedFor) {
  EXPECT_EQ(run("evt convert x.evt --format folded --weight count"), prints("thread 7;work 1\n"));
  EXPECT_EQ(run("evt convert x.evt --format folded --weight running"), prints("thread 7;work 6000\n"));
}

// Two threads that run from 1 to 9 us, and one of them alone to 11; a third is of no event that records it to run.
TEST_F(ConvertPictures, SharesAreThoseOfEvtStatsShare) {
  given_trace("y.evt",
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
              "type 1024 open role=spanBegin (thread u64 role=thread) (name text role=name)\n"
              "type 1025 close role=spanEnd (thread u64 role=thread)\n"
              "stream 1 \"main\"\n"
              "0.000001000 1 thread.run thread=7 cpu=0\n"
              "0.000001000 1 open thread=7 name=\"outer\"\n"
              "0.000001000 1 thread.run thread=8 cpu=1\n"
              "0.000001000 1 open thread=8 name=\"work\"\n"
              "0.000003000 1 open thread=7 name=\"inner\"\n"
              "0.000005000 1 open thread=9 name=\"third\"\n"
              "0.000008000 1 close thread=9\n"
              "0.000009000 1 thread.stop thread=8\n"
              "0.000011000 1 close thread=7\n"
              "0.000011000 1 close thread=7\n"
              "0.000012000 1 close thread=8\n"
              "0.000012000 1 thread.stop thread=7\n");
  // 7: 2 us by two, then 2 by two, 3 by three, 1 by two, 2 alone. 8: the same without the last.
  EXPECT_EQ(run("evt convert y.evt --format folded --weight share"),
            prints("thread 7;outer 1000\nthread 8;work 3500\nthread 7;outer;inner 4500\nthread 9;third 1000\n"));
  EXPECT_EQ(run("evt stats share --csv y.evt 2>/dev/null | grep ,span, | cut -d, -f1,8"),
            prints("inner,4500\nwork,3500\nouter,1000\nthird,1000\n"));
  EXPECT_EQ(run("evt convert y.evt --format speedscope --weight share | grep -o 'name\":\"thread.*endValue\":[0-9]*' | "
                "sed 's/\".*:/ /'"),
            prints("name 5500\nname 3500\nname 1000\n"));
}

TEST_F(ConvertPictures, ATraceWithLossesSaysSo) {
  given_trace("lossy.evt", std::string(kWorkAndHeap) + "0.000020000 1 !lost count=3 cause=ring_full duration=0\n");
  EXPECT_EQ(
      run("evt convert lossy.evt -o x.json"),
      refuses(0,
              "evt convert: 1 state of threads may have changed where events were lost: drawn as they were recorded\n"
              "evt convert: lossy.evt: 3 events of stream 1 \"main\" lost: ring_full\n"));
}

}  // namespace
}  // namespace evt::testing
