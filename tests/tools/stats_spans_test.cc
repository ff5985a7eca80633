// evt stats spans: how long spans and calls took.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kSpanTypes =
    "type 9 span.begin role=spanBegin (name text role=name)\n"
    "type 10 span.end role=spanEnd\n"
    "type 11 span.complete role=span (name text role=name) (duration tick_delta role=duration)\n"
    "type 1030 span.end_of role=spanEnd (name text role=name)\n"
    "type 14 call.begin role=callBegin (function text role=function)\n"
    "type 15 call.end role=callEnd (function text role=function)\n"
    "type 30 trace.overhead role=overhead (reason text role=reason) (duration u32 role=duration unit=nanoseconds)\n"
    "type 1024 tick\n"
    "stream 1 \"main\" thread=70\n"
    "stream 2 \"worker\" thread=71\n";

class StatsSpans : public AtTheShell {
 protected:
  void given(std::string_view lines) const { given_trace("x.evt", std::string(kSpanTypes) + std::string(lines)); }
  // The columns and lines that a test is about, of spans, calls and what is open.
  Outcome columns(const std::string& options, const std::string& which, int lines = 100) const {
    return run(
        "evt stats spans --csv " + options +
        " x.evt > x.csv && sed '/^name,count,sum_ns,trimmed/,/^.\\?$/d; /^name,kind,which/,$d' x.csv | cut -d, -f" +
        which + " | tr -d '\\r' | head -n " + std::to_string(lines) + " | sed '${/^$/d}'");
  }
};

TEST_F(StatsSpans, HaveSelfTimesWithoutWhatWasWithinThem) {
  given(
      "0.000001 1 span.begin name=\"outer\"\n0.000002 1 span.begin name=\"inner\"\n0.000003 1 span.end\n"
      "0.000004 1 span.begin name=\"inner\"\n0.000007 1 span.end\n0.000011 1 span.end\n");
  EXPECT_EQ(run("evt stats spans x.evt"), prints("name   count      sum     self  trimmed mean      min   median      "
                                                 "p90      p95      p99    p99.9      max\n"
                                                 "outer      1  10.0 us  6.00 us       10.0 us  10.0 us  10.0 us  10.0 "
                                                 "us  10.0 us  10.0 us  10.0 us  10.0 us\n"
                                                 "inner      2  4.00 us  4.00 us       2.00 us  1.00 us  1.00 us  3.00 "
                                                 "us  3.00 us  3.00 us  3.00 us  3.00 us\n"
                                                 "\n"
                                                 "name   kind  which   length        began  stream  thread\n"
                                                 "outer  span  max    10.0 us  0.000001000       1      70\n"
                                                 "inner  span  max    3.00 us  0.000004000       1      70\n"));
}

TEST_F(StatsSpans, AreInTheOrderOfTheirOwnTime) {
  given(
      "0.000001 1 span.begin name=\"outer\"\n0.000002 1 span.begin name=\"inner\"\n0.000008 1 span.end\n"
      "0.000009 1 span.end\n0.000010 2 span.complete name=\"none\" duration=0\n0.000011 1 span.begin name=\"open\"\n");
  EXPECT_EQ(run("evt stats spans --csv x.evt 2>/dev/null | cut -d, -f1,4 | head -5 | tr -d '\\r'"),
            prints("name,self_ns\ninner,6000\nouter,2000\nnone,0\nopen,\n"));
}

// The n-th takes n microseconds, but for the 100th, which takes a second.
TEST_F(StatsSpans, HaveWhereTheLongestAndThoseNextToP99Were) {
  std::string lines;
  for (int i = 1; i <= 300; ++i) {
    const int stream = i % 2 + 1;
    const std::string took = i == 100 ? "0.9" : "0.000" + std::to_string(1000 + i).substr(1);
    lines += std::to_string(i) + " " + std::to_string(stream) + " span.complete name=\"a\" duration=" + took + "\n";
  }
  given(lines);
  EXPECT_EQ(run("evt stats spans --raw x.evt | tail -4"),
            prints("name  kind  which      length ns      began ns  stream  thread\n"
                   "a     span  max        900000000   99100000000       1      70\n"
                   "a     span  above p99     299000  298999701000       2      71\n"
                   "a     span  below p99     297000  296999703000       2      71\n"));
}

TEST_F(StatsSpans, TheLongestAreListedOneByOne) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.000002 1 call.begin function=\"f\"\n0.000005 1 call.end function=\"f\"\n"
      "0.000006 1 span.end\n0.000009 2 span.complete name=\"b\" duration=0.000003\n"
      "0.000010 2 span.complete name=\"c\" duration=0.000001\n");
  EXPECT_EQ(run("evt stats spans --longest 3 x.evt | tail -4"),
            prints("name  kind   length        began  stream  thread  thread name     self\n"
                   "a     span  5.00 us  0.000001000       1      70  main         2.00 us\n"
                   "f     call  3.00 us  0.000002000       1      70  main         3.00 us\n"
                   "b     span  3.00 us  0.000006000       2      71  worker       3.00 us\n"));
  EXPECT_EQ(
      run("evt stats spans --longest 9 --csv x.evt | tail -5 | tr -d '\\r'"),
      prints("name,kind,length_ns,began_ns,stream,thread,thread_name,self_ns,object\na,span,5000,1000,1,70,main,2000,\n"
             "f,call,3000,2000,1,70,main,3000,\nb,span,3000,6000,2,71,worker,3000,\n"
             "c,span,1000,9000,2,71,worker,1000,\n"));
  for (const char* const number : {"0", "100001", "-1", "many"}) {
    EXPECT_EQ(run(std::string("evt stats spans --longest ") + number + " x.evt"),
              refuses(2, std::string("evt stats: --longest: expected 1 to 100000, found ") + number + "\n"));
  }
}

TEST_F(StatsSpans, AreNotComparedOneByOne) {
  given("0.000001 1 span.begin name=\"a\"\n0.000002 1 span.end\n0.000009 1 tick\n");
  EXPECT_EQ(run("mv x.evt y.evt"), prints(""));
  given("0.000002 2 span.begin name=\"a\"\n0.000003 2 span.end\n0.000009 1 tick\n");
  EXPECT_EQ(run("evt stats diff spans --longest 2 x.evt y.evt"), refuses(0, "evt stats: spans: no difference\n"));
}

TEST_F(StatsSpans, ACompleteSpanHasWithinItWhatEndedMeanwhile) {
  given(
      "0.000001 1 span.begin name=\"a\"\n"
      "0.000003 1 span.complete name=\"before\" duration=0.000001\n"
      "0.000005 1 span.complete name=\"inner\" duration=0.000001\n"
      "0.000006 1 span.begin name=\"inner\"\n0.000007 1 span.end\n"
      "0.000008 1 span.complete name=\"outer\" duration=0.000005\n"
      "0.000011 1 span.end\n");
  EXPECT_EQ(columns("", "1-4"), prints("name,count,sum_ns,self_ns\na,1,10000,4000\nouter,1,5000,3000\n"
                                       "inner,2,2000,2000\nbefore,1,1000,1000\n\nfunction,count,sum_ns,self_ns\n\n"
                                       "stream,thread,kind,open\n"));
}

TEST_F(StatsSpans, ATrimmedMeanIsWithoutTheHundredthAtEachEnd) {
  std::string lines;
  for (int i = 1; i <= 100; ++i) {
    const std::string time = "0.0" + std::to_string(100 + i);
    lines += time + "000 1 span.begin name=\"a\"\n" + time +
             (i == 7   ? "900"
              : i == 8 ? "001"
                       : "010") +
             " 1 span.end\n";
  }
  given(lines);
  EXPECT_EQ(
      run("evt stats spans --raw x.evt | head -2"),
      prints(
          "name  count  sum ns  self ns  trimmed mean ns  min ns  median ns  p90 ns  p95 ns  p99 ns  p99.9 ns  max ns\n"
          "a       100  188100   188100             1002     100       1002    1002    1002    1002     90000   "
          "90000\n"));
}

TEST_F(StatsSpans, CallsHaveATableOfTheirOwn) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.000002 1 call.begin function=\"read\"\n0.000003 1 span.end\n"
      "0.000005 1 call.end function=\"read\"\n");
  EXPECT_EQ(
      run("evt stats spans x.evt"),
      (Outcome{
          0,
          "name  count      sum     self  trimmed mean      min   median      p90      p95      p99    p99.9      max\n"
          "a         1  2.00 us  1.00 us       2.00 us  2.00 us  2.00 us  2.00 us  2.00 us  2.00 us  2.00 us  2.00 us\n"
          "\n"
          "function  count      sum     self  trimmed mean      min   median      p90      p95      p99    p99.9      "
          "max\n"
          "read          1  3.00 us  3.00 us       3.00 us  3.00 us  3.00 us  3.00 us  3.00 us  3.00 us  3.00 us  3.00 "
          "us\n"
          "\n"
          "name  kind  which   length        began  stream  thread\n"
          "a     span  max    2.00 us  0.000001000       1      70\n"
          "read  call  max    3.00 us  0.000002000       1      70\n",
          "evt stats: x.evt: 1 span overlapping another without nesting: common time counts for the later one\n"}));
}

TEST_F(StatsSpans, AnEndWithANameIsOfTheInnermostWithThatName) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.000002 1 span.begin name=\"b\"\n0.000003 1 span.begin name=\"c\"\n"
      "0.000004 1 span.end\n0.000005 1 span.end_of name=\"nobody\"\n0.000006 1 span.end_of name=\"a\"\n");
  EXPECT_EQ(columns("", "1-4,14"), (Outcome{0,
                                            "name,count,sum_ns,self_ns,unfinished\na,1,5000,4000,0\n"
                                            "c,1,1000,1000,0\nb,0,,,1\n\nfunction,count,sum_ns,self_ns,unfinished\n\n"
                                            "stream,thread,kind,open\n",
                                            "evt stats: x.evt: 1 end of spans that were not seen to begin: not "
                                            "counted\n"
                                            "evt stats: x.evt: 1 span unfinished when the enclosing one ended\n"}));
}

TEST_F(StatsSpans, WhatHasNotEndedIsListed) {
  given(
      "0.000001 2 span.begin name=\"a\"\n0.000002 2 span.begin name=\"b\"\n0.000003 1 call.begin function=\"read\"\n"
      "0.000009 1 tick\n");
  EXPECT_EQ(run("evt stats spans x.evt"),
            (Outcome{0,
                     "name  count  sum  self  trimmed mean  min  median  p90  p95  p99  p99.9  max  unfinished\n"
                     "a         0    -     -             -    -       -    -    -    -      -    -           1\n"
                     "b         0    -     -             -    -       -    -    -    -      -    -           1\n"
                     "\n"
                     "function  count  sum  self  trimmed mean  min  median  p90  p95  p99  p99.9  max  unfinished\n"
                     "read          0    -     -             -    -       -    -    -    -      -    -           1\n"
                     "\n"
                     "stream  thread  kind  open        since      for\n"
                     "     1      70  call  read  0.000003000  6.00 us\n"
                     "     2      71  span  a     0.000001000  8.00 us\n"
                     "     2      71  span  b     0.000002000  7.00 us\n",
                     "evt stats: x.evt: 2 spans unfinished at the end\n"
                     "evt stats: x.evt: 1 call unfinished at the end\n"}));
}

TEST_F(StatsSpans, OfWhichAnEndMayBeLostAreUncertain) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.000002 2 span.begin name=\"a\"\n0.000003 1 !lost count=5 cause=ring_full "
      "duration=0.000000000\n"
      "0.000004 1 span.begin name=\"a\"\n0.000005 1 span.end\n0.000006 1 span.end\n0.000007 2 span.end\n"
      "0.000008 1 span.complete name=\"b\" duration=0.000001\n0.000009 1 span.complete name=\"b\" "
      "duration=0.0000085\n");
  EXPECT_EQ(columns("", "1-3,15"), (Outcome{0,
                                            "name,count,sum_ns,uncertain\na,3,10000,1\nb,2,8500,1\n\n"
                                            "function,count,sum_ns,uncertain\n\nstream,thread,kind\n",
                                            "evt stats: x.evt: 2 spans uncertain: events of the same stream were lost "
                                            "during that time\n"
                                            "evt stats: x.evt: 5 events of stream 1 \"main\" lost: ring_full\n"}));
}

TEST_F(StatsSpans, ByThread) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.000002 2 span.begin name=\"a\"\n0.000003 1 span.end\n0.000006 2 span.end\n"
      "0.000008 2 span.complete name=\"a\" duration=0.000001\n");
  EXPECT_EQ(columns("--by thread", "1-5"),
            prints("name,thread,thread_name,count,sum_ns\na,71,worker,2,5000\na,70,main,1,2000\n\n"
                   "function,thread,thread_name,count,sum_ns\n\nstream,thread,kind,open,since_ns\n"));
}

TEST_F(StatsSpans, WhatTracingTookIsSubtracted) {
  given(
      "0.000001 1 span.begin name=\"a\"\n0.0000012 1 span.begin name=\"b\"\n0.0000014 1 tick\n0.0000018 1 span.end\n"
      "0.0000019 1 trace.overhead reason=\"flush\" duration=300\n0.000002 1 span.end\n"
      "0.000003 1 tick\n0.0000035 1 span.complete name=\"c\" duration=0.000001\n");
  // In b: the tick, and half of its begin and of its end. In a: five events and a half at each end. In c: a tick.
  EXPECT_EQ(columns("--subtract --cost 12.5", "1-4,13"),
            prints("name,count,sum_ns,self_ns,subtracted_ns\nc,1,988,988,12\nb,1,575,575,25\na,1,638,63,362\n\n"
                   "function,count,sum_ns,self_ns,subtracted_ns\n\nstream,thread,kind,open\n"));
  EXPECT_EQ(columns("--subtract", "1-3,13", 4),
            (Outcome{0, "name,count,sum_ns,subtracted_ns\nc,1,1000,0\nb,1,600,0\na,1,700,300\n",
                     "evt stats: x.evt: the cost of emitting an event is unknown (option cost): only self-reported "
                     "overhead is subtracted\n"}));
}

TEST_F(StatsSpans, NamesAreTextsOfAnyKindOrElseTheTypes) {
  given_trace(
      "x.evt",
      "type 1024 go role=spanBegin (what enum8 role=name labels=[1=one])\ntype 1025 stop role=spanEnd\n"
      "type 1026 say role=spanBegin (what interned role=name)\ntype 1027 plain role=spanBegin\n"
      "type 1028 ms role=span (n u16 role=duration unit=milliseconds)\n"
      "type 1029 bare role=span (n u16 role=duration)\n"
      "stream 1 \"s\"\nstring 1 \"one\"\n"
      "1.001 1 go what=one\n1.002 1 stop\n1.003 1 say what=\"one\"\n1.004 1 stop\n1.005 1 go what=2\n1.006 1 stop\n"
      "1.007 1 plain\n1.008 1 stop\n1.009 1 ms n=1\n1.010 1 bare n=1\n");
  EXPECT_EQ(columns("", "1-3", 5),
            (Outcome{0, "name,count,sum_ns\none,2,2000000\nms,1,1000000\nplain,1,1000000\nwhat 2,1,1000000\n",
                     "evt stats: x.evt: 1 span without a valid duration: not counted\n"}));
}

TEST_F(StatsSpans, FromSomeTimeOnTheyCountFromThere) {
  given("0.1 1 span.begin name=\"a\"\n0.2 1 span.begin name=\"b\"\n0.3 1 span.end\n0.4 1 span.end\n");
  const std::string later = "name,count,sum_ns,self_ns\na,1,150000000,100000000\nb,1,50000000,50000000\n";
  const Outcome from_there = {
      0, later, "evt stats: x.evt: 2 spans begun before the requested time: counted from the start of that time\n"};
  EXPECT_EQ(columns("--from 0.25", "1-4", 3), from_there);
  EXPECT_EQ(run("evt cut --from 0.25 x.evt -o y.evt && mv y.evt x.evt"), prints(""));
  EXPECT_EQ(columns("", "1-4", 3), from_there);
}

// From 0.1 to 0.3 and from 0.5 to 0.7: what sleeps is not delayed, and what it is in neither.
TEST_F(StatsSpans, TakeOutWhatTheirProcessWasStopped) {
  given_trace("x.evt", std::string(kSpanTypes) +
                           "type 40 process.stopped role=stopped (duration tick_delta role=duration)\n"
                           "type 41 nap role=callBegin (function text role=function) (resource text role=resource)\n"
                           "type 42 was role=call (function text role=function) (resource text role=resource) "
                           "(duration tick_delta role=duration)\n"
                           "0.0 1 span.begin name=\"work\"\n"
                           "0.0 1 call.begin function=\"read\"\n"
                           "0.3 2 process.stopped duration=0.2\n"
                           "0.4 1 call.end function=\"read\"\n"
                           "0.4 1 nap function=\"usleep\" resource=\"sleep\"\n"
                           "0.6 1 call.end function=\"usleep\"\n"
                           "0.7 2 process.stopped duration=0.2\n"
                           "0.8 1 was function=\"sleep\" resource=\"sleep\" duration=0.2\n"
                           "1.0 1 span.end\n");
  EXPECT_EQ(columns("", "1-4,16"), prints("name,count,sum_ns,self_ns,stopped_ns\n"
                                          "work,1,800000000,200000000,200000000\n"
                                          "\n"
                                          "function,count,sum_ns,self_ns,stopped_ns\n"
                                          "read,1,200000000,200000000,200000000\n"
                                          "sleep,1,200000000,200000000,0\n"
                                          "usleep,1,200000000,200000000,0\n"
                                          "\n"
                                          "stream,thread,kind,open\n"));
}

TEST_F(StatsSpans, OfAMergedTraceNamesAreOneAndThreadsAreNot) {
  given("0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n");
  given_trace("y.evt",
              "evtrace text 1\nsession uuid=0x010102030405460788090a0b0c0d0e10 start=1767225600.000000000 "
              "program=\"other\"\n" +
                  std::string(kSpanTypes) + "0.1 1 span.begin name=\"a\"\n0.4 1 span.end\n");
  EXPECT_EQ(run("evt merge x.evt y.evt -o z.evt 2> said && mv z.evt x.evt"), prints(""));
  EXPECT_EQ(columns("", "1-3", 2), prints("name,count,sum_ns\na,2,400000000\n"));
  EXPECT_EQ(columns("--by thread", "1-5", 3),
            prints("name,thread,thread_name,count,sum_ns\na,y.evt:70,main,1,300000000\na,x.evt:70,main,1,100000000\n"));
}

constexpr std::string_view kAsyncTypes =
    "type 50 ask role=asyncBegin (name text role=name) (id u64 role=spanId)\n"
    "type 51 answer role=asyncEnd (id u64 role=spanId)\n"
    "type 52 answer.no_id role=asyncEnd (name text role=name)\n";

TEST_F(StatsSpans, AsynchronousOnesHaveATableOfTheirOwn) {
  given(std::string(kAsyncTypes) +
        "0.000001 1 ask name=\"req\" id=7\n0.000002 1 ask name=\"req\" id=8\n0.000004 2 answer id=8\n"
        "0.000006 1 answer id=7\n0.000007 1 answer id=9\n0.000008 2 answer.no_id name=\"req\"\n"
        "0.000009 2 ask name=\"late\" id=7\n0.000010 1 tick\n");
  EXPECT_EQ(run("evt stats spans x.evt"),
            (Outcome{0,
                     "name  count      sum  trimmed mean      min   median      p90      p95      p99    p99.9      "
                     "max  unfinished\n"
                     "req       2  7.00 us       3.50 us  2.00 us  2.00 us  5.00 us  5.00 us  5.00 us  5.00 us  5.00 "
                     "us           0\n"
                     "late      0        -             -        -        -        -        -        -        -        "
                     "-           1\n"
                     "\n"
                     "stream  thread  kind   open        since      for\n"
                     "     2       -  async  late  0.000009000  1.00 us\n"
                     "\n"
                     "name  kind   which   length        began  stream  thread\n"
                     "req   async  max    5.00 us  0.000001000       1       -\n",
                     "evt stats: x.evt: 1 end of asynchronous spans that were not seen to begin: not counted\n"
                     "evt stats: x.evt: 1 asynchronous span unfinished at the end\n"
                     "evt stats: x.evt: 1 begin or end of asynchronous spans without an id: not counted\n"}));
  EXPECT_EQ(
      run("evt stats spans --json x.evt 2>/dev/null | sed 's/.*\"async\":/\"async\":/'"),
      prints(
          "\"async\":[{\"name\":\"req\",\"count\":2,\"sum_ns\":7000,\"trimmed_mean_ns\":3500,\"min_ns\":2000,"
          "\"median_ns\":2000,\"p90_ns\":5000,\"p95_ns\":5000,\"p99_ns\":5000,\"p99.9_ns\":5000,\"max_ns\":5000,"
          "\"unfinished\":0,"
          "\"uncertain\":0},{\"name\":\"late\",\"count\":0,\"sum_ns\":null,\"trimmed_mean_ns\":null,\"min_ns\":null,"
          "\"median_ns\":null,\"p90_ns\":null,\"p95_ns\":null,\"p99_ns\":null,\"p99.9_ns\":null,\"max_ns\":null,"
          "\"unfinished\":1,"
          "\"uncertain\":0}],\"open\":[{\"stream\":2,\"thread\":null,\"kind\":\"async\",\"open\":\"late\",\"since_ns\":"
          "9000,\"for_ns\":1000}],\"extremes\":[{\"name\":\"req\",\"kind\":\"async\",\"which\":\"max\",\"length_ns\":"
          "5000,"
          "\"began_ns\":1000,\"stream\":1,\"thread\":null}],"
          "\"notes\":[\"1 end of asynchronous spans that were not seen to begin: not counted\",\"1 asynchronous span "
          "unfinished at the end\",\"1 begin or end of asynchronous spans without an id: not counted\"]}}]}\n"));
}

TEST_F(StatsSpans, AsynchronousOnesCountFromTheRangeAndInACutTraceToo) {
  given(std::string(kAsyncTypes) +
        "0.1 1 ask name=\"req\" id=7\n0.2 1 ask name=\"req\" id=8\n0.22 2 answer id=8\n"
        "0.24 1 !lost count=5 cause=ring_full duration=0.000000000\n0.3 2 answer id=7\n");
  const std::string in_range = "sed -n '/^name,count,sum_ns,trimmed/,/^.\\?$/p' x.csv | cut -d, -f1-3,13 | tr -d '\\r'";
  EXPECT_EQ(
      run("evt stats spans --csv --from 0.23 x.evt 2>said > x.csv; " + in_range + "; cat said"),
      prints(
          "name,count,sum_ns,uncertain\nreq,1,70000000,1\n\n"
          "evt stats: x.evt: 1 asynchronous span uncertain: events of the same process were lost during that time\n"
          "evt stats: x.evt: 1 asynchronous span begun before the requested time: counted from the start of that time\n"
          "evt stats: x.evt: 5 events of stream 1 \"main\" lost: ring_full\n"));
  EXPECT_EQ(
      run("evt stats spans --csv --to 0.23 x.evt 2>/dev/null > x.csv; sed -n '/^name,count,sum_ns,trimmed/,/^.\\?$/p' "
          "x.csv | cut -d, -f1-3,12 | tr -d '\\r'"),
      prints("name,count,sum_ns,unfinished\nreq,1,20000000,1\n\n"));
  EXPECT_EQ(
      run("evt cut --from 0.23 x.evt -o y.evt; evt stats spans --csv y.evt 2>said > x.csv; " + in_range + "; cat said"),
      (Outcome{
          0,
          "name,count,sum_ns,uncertain\nreq,1,70000000,1\n\n"
          "evt stats: y.evt: 1 asynchronous span uncertain: events of the same process were lost during that time\n"
          "evt stats: y.evt: 1 asynchronous span begun before the requested time: counted from the start of that time\n"
          "evt stats: y.evt: 5 events of stream 1 \"main\" lost: ring_full\n",
          "evt cut: x.evt: 5 events of stream 1 \"main\" lost: ring_full\n"}));
}

TEST_F(StatsSpans, AsynchronousOnesOfTwoProcessesAreNotTheSameByTheirIds) {
  given(std::string(kAsyncTypes) + "0.1 1 ask name=\"req\" id=7\n0.4 2 answer id=7\n");
  given_trace("y.evt",
              "evtrace text 1\nsession uuid=0x010102030405460788090a0b0c0d0e10 start=1767225600.000000000 "
              "program=\"other\"\n" +
                  std::string(kSpanTypes) + std::string(kAsyncTypes) +
                  "0.2 1 ask name=\"req\" id=7\n0.21 1 !lost count=5 cause=ring_full duration=0.000000000\n"
                  "0.3 2 answer id=7\n");
  EXPECT_EQ(
      run("evt merge x.evt y.evt -o z.evt 2> said; evt stats spans --longest 2 z.evt"),
      (Outcome{
          0,
          "name  kind   length        began  stream  thread    self\n"
          "req   async  300 ms  0.100000000       1       -  300 ms\n"
          "req   async  100 ms  0.200000000       3       -  100 ms\n",
          "evt stats: z.evt: 1 asynchronous span uncertain: events of the same process were lost during that time\n"
          "evt stats: z.evt: 5 events of stream 3 \"main\" lost: ring_full\n"}));
}

TEST_F(StatsSpans, ATraceWithoutThemSaysSo) {
  constexpr const char* kNone =
      "evt stats: x.evt: no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)\n";
  given("");
  EXPECT_EQ(run("evt stats spans x.evt"), (Outcome{1, "", kNone}));
  given("0.1 1 tick\n");
  EXPECT_EQ(run("evt stats spans --json x.evt | sed 's/.*\"spans\":{//'"),
            (Outcome{0,
                     "\"spans\":[],\"calls\":[],\"async\":[],\"open\":[],\"extremes\":[],\"notes\":[\"no event begins "
                     "or ends a span or a call "
                     "(roles spanBegin, span, callBegin, call ...)\"]}}]}\n",
                     kNone}));
}

TEST_F(StatsSpans, AreOneTableWithColumnsAndPercentilesThatAreAskedFor) {
  given_trace("y.evt",
              "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
              "stream 1 \"main\"\n0.1 1 span.begin name=\"a\"\n0.2 1 span.end\n0.3 1 span.begin name=\"a\"\n"
              "0.6 1 span.end\n");
  EXPECT_EQ(run("evt stats spans --table spans --percentile 75.5 --columns count,p75.5,max --csv y.evt | tr -d '\\r'"),
            prints("name,count,p75.5_ns,max_ns\na,2,300000000,300000000\n"));
  EXPECT_EQ(run("evt stats spans --table spans --columns p95 y.evt"), prints("name     p95\na     300 ms\n"));
  EXPECT_EQ(run("evt stats spans --longest 1 y.evt"),
            prints("name  kind  length        began  stream  thread  thread name    self\n"
                   "a     span  300 ms  0.300000000       1      #1  main         300 ms\n"));
  EXPECT_EQ(run("evt stats spans --table span y.evt"),
            refuses(2, "evt stats: --table: there is no table span; did you mean spans or open?\n"));
  EXPECT_EQ(run("evt stats spans --columns p96 y.evt > out"),
            refuses(2, "evt stats: no table has a column p96; did you mean p90, p95 or p99?\n"));
  EXPECT_EQ(run("evt stats spans --percentile 101 y.evt"),
            refuses(2, "evt stats: --percentile: expected 0 to 100, such as 95 or 99.99, found 101\n"));
}

}  // namespace
}  // namespace evt::testing
