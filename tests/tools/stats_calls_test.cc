// evt stats calls: who calls whom, and where the time goes.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kCallTypes =
    "type 4 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason "
    "labels=[0=preempted 1=blocked 2=finished])\n"
    "type 6 name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 1024 begin role=spanBegin (thread u64 role=thread) (name text role=name)\n"
    "type 1025 end role=spanEnd (thread u64 role=thread)\n"
    "type 1026 call role=call (thread u64 role=thread) (function text role=function) "
    "(duration tick_delta role=duration)\n"
    "type 1027 frozen role=stopped (duration tick_delta role=duration)\n"
    "type 1028 tick\n"
    "stream 1 \"s\"\n";

// Two workers, and a thread without a name. serve calls itself, through parse.
constexpr std::string_view kProgram =
    "0.000000 1 name thread=1 name=\"worker 1\"\n0.000000 1 name thread=2 name=\"worker 2\"\n"
    "0.000000 1 run thread=1 cpu=0\n0.000000 1 run thread=2 cpu=1\n0.000000 1 run thread=7 cpu=2\n"
    "0.000010 1 begin thread=1 name=\"serve\"\n0.000020 1 begin thread=1 name=\"parse\"\n"
    "0.000030 1 begin thread=1 name=\"serve\"\n0.000040 1 stop thread=1 reason=blocked\n"
    "0.000050 1 run thread=1 cpu=0\n0.000060 1 end thread=1\n0.000080 1 end thread=1\n"
    "0.000100 1 begin thread=2 name=\"parse\"\n0.000105 1 end thread=1\n"
    "0.000110 1 begin thread=7 name=\"idle\"\n0.000115 1 end thread=7\n"
    "0.000120 1 call thread=2 function=\"read\" duration=0.000015\n0.000130 1 end thread=2\n";

class StatsCalls : public AtTheShell {
 protected:
  void given(std::string_view events) const { given_trace("x.evt", std::string(kCallTypes) + std::string(events)); }
};

TEST_F(StatsCalls, AreByNameInTheOrderOfTheirOwnTime) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls x.evt"), prints("in calls  130 us\n"
                                                 "running   120 us\n"
                                                 "stopped   0 ns\n"
                                                 "threads   3\n"
                                                 "paths     6\n"
                                                 "\n"
                                                 "name   kind  count      sum   sum %     self  self %  running\n"
                                                 "serve  span      2  95.0 us  73.1 %  65.0 us  50.0 %  55.0 us\n"
                                                 "parse  span      2  90.0 us  69.2 %  45.0 us  34.6 %  45.0 us\n"
                                                 "read   call      1  15.0 us  11.5 %  15.0 us  11.5 %  15.0 us\n"
                                                 "idle   span      1  5.00 us   3.8 %  5.00 us   3.8 %  5.00 us\n"));
}

TEST_F(StatsCalls, HaveTheSameColumnsForProgramsEachTime) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls --by thread --csv x.evt | tr -d '\\r'"),
            prints("in_calls_ns,running_ns,stopped_ns,threads,paths\n130000,120000,0,3,6\n\n"
                   "thread,thread_name,name,kind,count,sum_ns,sum_percent,self_ns,self_percent,running_ns,stopped_ns,"
                   "unfinished,subtracted_ns\n"
                   "1,worker 1,serve,span,2,95000,73.076923,65000,50,55000,0,0,0\n"
                   "1,worker 1,parse,span,1,60000,46.153846,30000,23.076923,30000,0,0,0\n"
                   "2,worker 2,parse,span,1,30000,23.076923,15000,11.538462,15000,0,0,0\n"
                   "2,worker 2,read,call,1,15000,11.538462,15000,11.538462,15000,0,0,0\n"
                   "7,,idle,span,1,5000,3.846154,5000,3.846154,5000,0,0,0\n"));
  EXPECT_EQ(run("evt stats calls --json --thread 7 --callers idle --callees idle x.evt | sed 's/.*\"calls\":{//'"),
            prints("\"inside\":{\"in_calls_ns\":5000,\"running_ns\":5000,\"stopped_ns\":0,\"threads\":1,\"paths\":1},"
                   "\"calls\":[{\"name\":\"idle\",\"kind\":\"span\",\"count\":1,\"sum_ns\":5000,\"sum_percent\":100,"
                   "\"self_ns\":5000,\"self_percent\":100,\"running_ns\":5000,\"stopped_ns\":0,\"unfinished\":0,"
                   "\"subtracted_ns\":0}],"
                   "\"callers\":[{\"name\":\"idle\",\"kind\":\"span\",\"caller\":\"(none)\",\"caller_kind\":null,"
                   "\"count\":1,\"sum_ns\":5000,\"sum_percent\":100,\"self_ns\":5000}],"
                   "\"callees\":[{\"name\":\"idle\",\"kind\":\"span\",\"callee\":\"(itself)\",\"callee_kind\":null,"
                   "\"count\":null,\"sum_ns\":5000,\"sum_percent\":100,\"self_ns\":5000}],\"notes\":[]}}]}\n"));
}

// The event that ends it took one of its 5 us.
TEST_F(StatsCalls, CanBeWithoutWhatTracingTook) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls --subtract --cost 1000 --thread 7 x.evt | tail -n +7"),
            prints("name  kind  count      sum    sum %     self   self %  running  subtracted\n"
                   "idle  span      1  4.00 us  100.0 %  4.00 us  100.0 %  4.00 us     1.00 us\n"));
}

TEST_F(StatsCalls, AreByPatternsOfTheNamesOfThreads) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls --by pattern --thread 'w*1' --thread 'w*' x.evt | tail -n +7"),
            prints("threads  name   kind  count      sum   sum %     self  self %  running\n"
                   "w*1      serve  span      2  95.0 us  76.0 %  65.0 us  52.0 %  55.0 us\n"
                   "w*1      parse  span      1  60.0 us  48.0 %  30.0 us  24.0 %  30.0 us\n"
                   "w*       parse  span      1  30.0 us  24.0 %  15.0 us  12.0 %  15.0 us\n"
                   "w*       read   call      1  15.0 us  12.0 %  15.0 us  12.0 %  15.0 us\n"));
  EXPECT_EQ(run("evt stats calls --thread 'worker 2' --thread worker x.evt | tail -n +7"),
            (Outcome{0,
                     "name   kind  count      sum    sum %     self  self %  running\n"
                     "parse  span      1  30.0 us  100.0 %  15.0 us  50.0 %  15.0 us\n"
                     "read   call      1  15.0 us   50.0 %  15.0 us  50.0 %  15.0 us\n",
                     "evt stats: no thread is called worker; did you mean worker 1 or worker 2?\n"}));
  EXPECT_EQ(run("evt stats calls --thread none x.evt"),
            refuses(1, "evt stats: no thread is called none; there are worker 1, worker 2, thread 7\n"));
}

// serve has 95, of which 20 twice; parse has 60 in serve.
TEST_F(StatsCalls, OfCallersAndCalleesHaveTheSumOfTheNameItself) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls --callers serve --callees serve --callers 'p*' x.evt | tail -n +7"),
            prints("name   kind  count      sum   sum %     self  self %  running\n"
                   "serve  span      2  95.0 us  73.1 %  65.0 us  50.0 %  55.0 us\n"
                   "parse  span      2  90.0 us  69.2 %  45.0 us  34.6 %  45.0 us\n"
                   "\n"
                   "name   kind  caller  caller kind  count      sum    sum %     self\n"
                   "serve  span  (none)  -                1  95.0 us  100.0 %  35.0 us\n"
                   "parse  span  serve   span             1  60.0 us   66.7 %  30.0 us\n"
                   "parse  span  (none)  -                1  30.0 us   33.3 %  15.0 us\n"
                   "serve  span  parse   span             1     0 ns    0.0 %  30.0 us\n"
                   "\n"
                   "name   kind  callee    callee kind  count      sum   sum %     self\n"
                   "serve  span  (itself)  -                -  65.0 us  68.4 %  65.0 us\n"
                   "serve  span  parse     span             1  30.0 us  31.6 %  30.0 us\n"));
  EXPECT_EQ(run("evt stats calls --callers reed x.evt"),
            (Outcome{1, "in calls  130 us\nrunning   120 us\nstopped   0 ns\nthreads   3\npaths     6\n",
                     "evt stats: x.evt: callers reed: no span or call has such a name; did you mean read?\n"}));
}

TEST_F(StatsCalls, OfWhichCalleesAreNotChosenHaveTheRest) {
  given(kProgram);
  EXPECT_EQ(run("evt stats calls --callees parse --thread 'worker 2' --where 'name = \"parse\"' x.evt | tail -n +10"),
            prints("name   kind  callee         callee kind  count      sum   sum %     self\n"
                   "parse  span  (itself)       -                -  15.0 us  50.0 %  15.0 us\n"
                   "parse  span  (other paths)  -                -  15.0 us  50.0 %     0 ns\n"));
}

TEST_F(StatsCalls, AreFoldedForFlameGraphs) {
  given(std::string(kProgram) +
        "0.000140 1 name thread=9 name=\"a;b\"\n0.000150 1 begin thread=9 name=\"two\\nlines; one 1\"\n"
        "0.000160 1 end thread=9\n");
  constexpr const char* kFolded =
      "a\\x3bb;two\\x0alines\\x3b one 1 10000\n"
      "thread 7;idle 5000\n"
      "worker 1;serve 35000\n"
      "worker 1;serve;parse 30000\n"
      "worker 1;serve;parse;serve 30000\n"
      "worker 2;parse 15000\n"
      "worker 2;parse;read 15000\n";
  EXPECT_EQ(run("evt stats calls --fold x.evt 2>/dev/null"), prints(kFolded));
  EXPECT_EQ(run("evt stats calls --fold --by pattern --thread 'worker*' x.evt 2>/dev/null"),
            prints("worker*;parse 15000\nworker*;parse;read 15000\nworker*;serve 35000\nworker*;serve;parse 30000\n"
                   "worker*;serve;parse;serve 30000\n"));
  EXPECT_EQ(run("evt stats calls --fold --by thread --sort self --top 2 x.evt 2>/dev/null"),
            prints("worker 1 (1);serve 35000\nworker 1 (1);serve;parse 30000\n"));
  EXPECT_EQ(run("cp x.evt y.evt && evt stats calls --fold x.evt y.evt 2>/dev/null | sed -n '2p;9p'"),
            prints("x.evt;0;thread 7;idle 5000\ny.evt;0;thread 7;idle 5000\n"));
  EXPECT_EQ(run("evt stats calls --fold --csv x.evt 2>/dev/null | head -3 | tr -d '\\r'"),
            prints("stack,self_ns\na\\x3bb;two\\x0alines\\x3b one 1,10000\nthread 7;idle,5000\n"));
}

TEST_F(StatsCalls, OfAProgramThatWasStoppedAreWithoutThat) {
  given(
      "0.0 1 run thread=1 cpu=0\n1.0 1 begin thread=1 name=\"a\"\n3.0 1 frozen duration=1.0\n3.5 1 end thread=1\n"
      "4.0 1 begin thread=1 name=\"b\"\n4.5 1 tick\n");
  EXPECT_EQ(run("evt stats calls x.evt"),
            (Outcome{0,
                     "in calls  3.00 s\n"
                     "running   2.00 s\n"
                     "stopped   1.00 s\n"
                     "threads   1\n"
                     "paths     2\n"
                     "\n"
                     "name  kind  count     sum   sum %    self  self %  running  stopped  unfinished\n"
                     "a     span      1  2.50 s  83.3 %  2.50 s  83.3 %   1.50 s   1.00 s           0\n"
                     "b     span      1  500 ms  16.7 %  500 ms  16.7 %   500 ms     0 ns           1\n",
                     "evt stats: x.evt: 1 span unfinished at the end\n"}));
}

TEST_F(StatsCalls, ATraceWithoutThemHasStatus1) {
  given("0.1 1 tick\n");
  constexpr const char* kNone =
      "evt stats: x.evt: no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)\n";
  EXPECT_EQ(run("evt stats calls x.evt"), refuses(1, kNone));
  EXPECT_EQ(run("evt stats calls --fold x.evt"), refuses(1, kNone));
}

TEST_F(StatsCalls, WhosePathsAreDeeperThanIsKeptHaveStatus1) {
  std::string events;
  for (int i = 0; i < 600; ++i) events += "0.000001 1 begin thread=1 name=\"f\"\n";
  given(events + "0.000002 1 tick\n");
  EXPECT_EQ(run("evt stats calls --fold x.evt"),
            (Outcome{1, "thread 1;(other paths);f 1000\n",
                     "evt stats: x.evt: there are paths of more than 512 names, or more than 262144 paths: those count "
                     "in (other paths), by name only\n"
                     "evt stats: x.evt: 1 thread in spans or calls before any event shows it to run or stop (roles "
                     "threadRun, threadStop): taken to run in them\n"
                     "evt stats: x.evt: 600 spans unfinished at the end\n"}));
  EXPECT_EQ(run("evt stats calls x.evt 2>/dev/null | tail -1"),
            prints("f     span    600  1.00 us  100.0 %  1.00 us  100.0 %  1.00 us         600\n"));
  EXPECT_EQ(run("evt stats calls x.evt >/dev/null 2>&1").status, 0);
}

TEST_F(StatsCalls, AreComparedByName) {
  given(kProgram);
  EXPECT_EQ(run("cp x.evt y.evt; evt stats diff calls x.evt y.evt"), refuses(0, "evt stats: calls: no difference\n"));
}

TEST_F(StatsCalls, AreNotAskedForWithWhatMakesNoSense) {
  given(kProgram);
  const auto refused = [&](const std::string& options, const std::string& sentence) {
    EXPECT_EQ(run("evt stats " + options + " x.evt"), refuses(2, "evt stats: " + sentence + "\n"));
  };
  refused("calls --by pattern", "--by: pattern makes a row for each --thread GLOB, and there is none");
  refused("calls --by cpu", "--by: expected one of thread pattern for calls, found cpu");
  refused("calls --fold --callers a", "--fold: excludes --callers and --callees");
  refused("diff calls --fold x.evt", "--fold: does not work with diff");
  refused("spans --fold", "--fold: works with calls and stacks, not with spans");
  refused("calls --longest 5", "--longest: works with latency, gc and spans, not with calls");
}

// 50 spans, each inside of the one before and with a name of 60,000 letters, begin a microsecond after one another: the
// innermost, which goes on for 141, has 3 MB of names around it; the 31 outermost have 30 MB.
TEST_F(StatsCalls, AsFoldedStacksHaveNoMoreTextThanIsKept) {
  std::string events = "0.000000 1 name thread=1 name=\"w\"\n0.000000 1 run thread=1 cpu=0\n";
  for (int i = 10; i < 60; ++i) {
    const std::string number = std::to_string(i);
    events += "0.0000" + number + " 1 begin thread=1 name=\"" + number + std::string(59'998, 'x') + "\"\n";
  }
  for (int i = 0; i < 50; ++i) events += "0.000200 1 end thread=1\n";
  given(events);
  EXPECT_EQ(run("evt stats calls --fold x.evt > out; status=$?; wc -l < out; grep -F '(other paths)' out;"
                " awk '{ sum += $NF } END { print sum }' out; exit $status"),
            (Outcome{1, "33\nw;(other paths) 18000\n190000\n",
                     "evt stats: x.evt: the names of all paths have more than 32 MiB: 18 with less time are in (other "
                     "paths)\n"}));
}

}  // namespace
}  // namespace evt::testing
