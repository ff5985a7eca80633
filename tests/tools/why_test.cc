// evt why: what a span, a call or a thread spent its time on.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kWhyJob =
    "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[1=preempted 3=blocked 4=sleeping]) (object u64 role=object)\n"
    "type 1026 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
    "type 1027 call role=callBegin (function text role=function) (object u64 role=object) (resource text "
    "role=resource)\n"
    "type 1028 back role=callEnd\n"
    "type 1029 span role=spanBegin (name text role=name)\n"
    "type 1030 done role=spanEnd\n"
    "stream 1 \"main\" thread=1\n"
    "stream 2 \"helper\" thread=2\n"
    "0.000000000 1 run thread=1 cpu=0\n"
    "0.000000000 2 run thread=2 cpu=1\n"
    "0.001000000 1 span name=\"job\"\n"
    "0.001500000 2 stop thread=2 reason=sleeping object=0\n"
    "0.002000000 1 call function=\"lock\" object=7 resource=\"lock\"\n"
    "0.002000000 1 stop thread=1 reason=blocked object=7\n"
    "0.003000000 2 run thread=2 cpu=0\n"
    "0.005000000 2 wake thread=1 waker=2\n"
    "0.006000000 2 stop thread=2 reason=preempted object=0\n"
    "0.006000000 1 run thread=1 cpu=0\n"
    "0.006500000 1 back\n"
    "0.007000000 1 done\n"
    "0.007000000 1 span name=\"job\"\n"
    "0.008000000 1 done\n"
    "0.008000000 1 span name=\"open\"\n"
    "0.009000000 1 stop thread=1 reason=blocked object=0\n";

class EvtWhy : public AtTheShell {
 protected:
  EvtWhy() { given_trace("x.evt", kWhyJob); }
};

TEST_F(EvtWhy, ExplainsTheSlowestSpanOfAName) {
  EXPECT_EQ(run("evt why x.evt job"), (Outcome{0,
                                               "job of main took 6.00 ms, from 0.001000000 s (the slowest of 2)\n"
                                               "   time   share  what\n"
                                               "3.00 ms  50.0 %  waiting for the lock 7\n"
                                               "3.00 ms  50.0 %    helper held it\n"
                                               "2.00 ms  33.3 %      running\n"
                                               "1.00 ms  16.7 %      sleeping\n"
                                               "1.50 ms  25.0 %  running: job\n"
                                               "1.00 ms  16.7 %  runnable: cpu 0 ran helper\n"
                                               " 500 us   8.3 %  running: lock(7)\n",
                                               ""}));
  EXPECT_EQ(run("evt why --nth 2 x.evt 'j*'"),
            (Outcome{0,
                     "job of main took 1.00 ms, from 0.007000000 s (the 2nd slowest of 2)\n"
                     "   time    share  what\n"
                     "1.00 ms  100.0 %  running: job\n",
                     ""}));
  EXPECT_EQ(run("evt why --depth 1 x.evt job"),
            (Outcome{0,
                     "job of main took 6.00 ms, from 0.001000000 s (the slowest of 2)\n"
                     "   time   share  what\n"
                     "3.00 ms  50.0 %  waiting for the lock 7\n"
                     "1.50 ms  25.0 %  running: job\n"
                     "1.00 ms  16.7 %  runnable: cpu 0 ran helper\n"
                     " 500 us   8.3 %  running: lock(7)\n",
                     ""}));
}

TEST_F(EvtWhy, ExplainsTheSpanOfATimeOrLength) {
  EXPECT_EQ(run("evt why --at 7500us x.evt job"), (Outcome{0,
                                                           "job of main took 1.00 ms, from 0.007000000 s\n"
                                                           "   time    share  what\n"
                                                           "1.00 ms  100.0 %  running: job\n",
                                                           ""}));
  EXPECT_EQ(run("evt why --median x.evt job"), (Outcome{0,
                                                        "job of main took 1.00 ms, from 0.007000000 s (the median)\n"
                                                        "   time    share  what\n"
                                                        "1.00 ms  100.0 %  running: job\n",
                                                        ""}));
  EXPECT_EQ(run("evt why --p99 --depth 1 x.evt job"),
            (Outcome{0,
                     "job of main took 6.00 ms, from 0.001000000 s (percentile 99)\n"
                     "   time   share  what\n"
                     "3.00 ms  50.0 %  waiting for the lock 7\n"
                     "1.50 ms  25.0 %  running: job\n"
                     "1.00 ms  16.7 %  runnable: cpu 0 ran helper\n"
                     " 500 us   8.3 %  running: lock(7)\n",
                     ""}));
  EXPECT_EQ(run("evt why x.evt open"),
            (Outcome{0,
                     "open of main has taken 1.00 ms, from 0.008000000 s (the slowest of 1)\n"
                     "   time    share  what\n"
                     "1.00 ms  100.0 %  running: open\n",
                     ""}));
}

TEST_F(EvtWhy, ExplainsTheTimeOfAThread) {
  EXPECT_EQ(run("evt why --thread helper x.evt"),
            (Outcome{0,
                     "helper: 9.00 ms, from 0.000000000 s\n"
                     "   time   share  what\n"
                     "4.50 ms  50.0 %  running\n"
                     "3.00 ms  33.3 %  runnable: it is unknown where it ran next\n"
                     "1.50 ms  16.7 %  sleeping\n",
                     ""}));
  EXPECT_EQ(run("evt why --from 5ms --to 6ms x.evt"), (Outcome{0,
                                                               "helper: 1.00 ms, from 0.005000000 s\n"
                                                               "   time    share  what\n"
                                                               "1.00 ms  100.0 %  running\n",
                                                               ""}));
}

TEST_F(EvtWhy, HasItAsJsonAndCsv) {
  EXPECT_EQ(
      run("evt why --json --depth 1 x.evt job"),
      (Outcome{
          0,
          "{\"file\":\"x.evt\",\"sessions\":[{\"program\":\"test\",\"uuid\":\"00010203-0405-4607-8809-0a0b0c0d0e0f\","
          "\"name\":\"job\",\"thread\":\"main\",\"from_ns\":1000000,\"to_ns\":7000000,\"has_ended\":true,\"rank\":1,"
          "\"count\":2,"
          "\"causes\":[{\"time_ns\":3000000,\"share_percent\":50,\"what\":\"waiting for the lock 7\",\"level\":0,"
          "\"kind\":\"waiting\",\"thread\":\"main\",\"name\":\"lock\",\"object\":\"7\",\"resource\":\"lock\",\"cpu\":"
          "null,"
          "\"other_thread\":null},{\"time_ns\":1500000,\"share_percent\":25,\"what\":\"running: job\",\"level\":0,"
          "\"kind\":\"running\",\"thread\":\"main\",\"name\":\"job\",\"object\":null,\"resource\":null,\"cpu\":null,"
          "\"other_thread\":null},{\"time_ns\":1000000,\"share_percent\":16.666667,"
          "\"what\":\"runnable: cpu 0 ran helper\",\"level\":0,\"kind\":\"runnable\",\"thread\":\"main\",\"name\":null,"
          "\"object\":null,\"resource\":null,\"cpu\":0,\"other_thread\":\"helper\"},{\"time_ns\":500000,"
          "\"share_percent\":8.333333,\"what\":\"running: "
          "lock(7)\",\"level\":0,\"kind\":\"running\",\"thread\":\"main\","
          "\"name\":\"lock\",\"object\":\"7\",\"resource\":\"lock\",\"cpu\":null,\"other_thread\":null}],\"notes\":[]}]"
          "}\n",
          ""}));
  EXPECT_EQ(run("evt why --csv x.evt job"),
            (Outcome{0,
                     "time_ns,share_percent,what,level,kind,thread,name,object,resource,cpu,other_thread\r\n"
                     "3000000,50,waiting for the lock 7,0,waiting,main,lock,7,lock,,\r\n"
                     "3000000,50,helper held it,1,woke,helper,,,,,\r\n"
                     "2000000,33.333333,running,2,running,helper,,,,,\r\n"
                     "1000000,16.666667,sleeping,2,waiting,helper,,,,,\r\n"
                     "1500000,25,running: job,0,running,main,job,,,,\r\n"
                     "1000000,16.666667,runnable: cpu 0 ran helper,0,runnable,main,,,,0,helper\r\n"
                     "500000,8.333333,running: lock(7),0,running,main,lock,7,lock,,\r\n",
                     ""}));
}

TEST_F(EvtWhy, SaysWhatIsNotThere) {
  EXPECT_EQ(run("evt why x.evt jib"),
            (Outcome{1, "", "evt why: x.evt: no span or call is called jib; did you mean job?\n"}));
  EXPECT_EQ(run("evt why x.evt 'nothing at all'"),
            (Outcome{1, "", "evt why: x.evt: no span or call is called nothing at all; there are job, lock, open\n"}));
  EXPECT_EQ(run("evt why --nth 3 x.evt job"), (Outcome{1, "", "evt why: x.evt: there are 2 of job, found --nth 3\n"}));
  EXPECT_EQ(run("evt why --thread '*' x.evt"),
            (Outcome{1, "", "evt why: x.evt: --thread * matches main, helper; name one\n"}));
  EXPECT_EQ(run("evt why --thread nobody x.evt"),
            (Outcome{1, "", "evt why: x.evt: no thread is called nobody; there are main, helper\n"}));
  EXPECT_EQ(run("evt why --thread helper x.evt job"),
            (Outcome{1, "", "evt why: x.evt: no job is where --at, --thread, --from and --to look\n"}));
}

TEST_F(EvtWhy, GoesOnWithWhoWokeOrCreatedAThread) {
  given_trace("x.evt",
              "type 1024 run role=threadRun (thread u64 role=thread)\n"
              "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
              "labels=[5=finished 20=mvar])\n"
              "type 1026 new role=threadCreate (thread u64 role=thread)\n"
              "type 1027 wake role=threadWake (thread u64 role=thread)\n"
              "type 1028 collect role=gcStart\ntype 1029 collected role=gcEnd\nstream 1 \"cap 0\"\n"
              "0.001 1 run thread=1\n0.002 1 new thread=2\n0.003 1 stop thread=1 reason=mvar\n"
              "0.003 1 run thread=2\n0.004 1 collect\n0.0045 1 collected\n0.005 1 wake thread=1\n"
              "0.006 1 stop thread=2 reason=finished\n0.006 1 run thread=1\n0.008 1 stop thread=1 reason=mvar\n");
  EXPECT_EQ(run("evt why x.evt"), (Outcome{0,
                                           "thread 1: 7.00 ms, from 0.001000000 s\n"
                                           "   time   share  what\n"
                                           "4.00 ms  57.1 %  running\n"
                                           "2.00 ms  28.6 %  waiting: mvar\n"
                                           "2.00 ms  28.6 %    thread 2 woke it\n"
                                           "1.50 ms  21.4 %      running\n"
                                           " 500 us   7.1 %      garbage collection\n"
                                           "1.00 ms  14.3 %  runnable: cap 0 ran thread 2\n",
                                           ""}));
  EXPECT_EQ(run("evt why --thread 2 x.evt"), (Outcome{0,
                                                      "thread 2: 7.00 ms, from 0.001000000 s\n"
                                                      "   time   share  what\n"
                                                      "3.00 ms  42.9 %  did not exist\n"
                                                      "1.00 ms  14.3 %    thread 1 had not created it\n"
                                                      "1.00 ms  14.3 %      running\n"
                                                      "2.00 ms  28.6 %    it had ended\n"
                                                      "2.50 ms  35.7 %  running\n"
                                                      "1.00 ms  14.3 %  runnable: cap 0 ran thread 1\n"
                                                      " 500 us   7.1 %  garbage collection\n",
                                                      ""}));
}

// As GHC has it: a thread that has no room left stops, and its cpu asks for a collection, in which all cpus take part.
TEST_F(EvtWhy, NamesWhoLedACollectionAndWhoAskedForIt) {
  given_trace("x.evt",
              "type 1024 run role=threadRun (thread u64 role=thread)\n"
              "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
              "labels=[1=heap_overflow 2=yielding])\n"
              "type 1026 ask role=gcRequest\ntype 1027 collect role=gcStart\ntype 1028 lead role=gcSync\n"
              "type 1029 collected role=gcEnd\nstream 1 \"cap 0\"\nstream 2 \"cap 1\"\n"
              "0.001 1 run thread=1\n0.001 2 run thread=2\n"
              "0.004 2 stop thread=2 reason=heap_overflow\n0.004 2 ask\n"
              "0.005 1 stop thread=1 reason=yielding\n0.005 1 collect\n0.006 2 collect\n"
              "0.009 2 collected\n0.009 2 lead\n0.009 2 run thread=2\n"
              "0.01 1 collected\n0.0105 1 run thread=1\n0.012 1 stop thread=1 reason=yielding\n");
  EXPECT_EQ(run("evt why --thread 1 x.evt"),
            (Outcome{0,
                     "thread 1: 11.0 ms, from 0.001000000 s\n"
                     "   time   share  what\n"
                     "5.50 ms  50.0 %  running\n"
                     "5.00 ms  45.5 %  garbage collection led by cap 1, asked for by thread 2\n"
                     " 500 us   4.5 %  runnable: cap 0 ran another program, or nothing\n",
                     ""}));
  EXPECT_EQ(run("evt why --thread 2 --csv x.evt"),
            (Outcome{0,
                     "time_ns,share_percent,what,level,kind,thread,name,object,resource,cpu,other_thread\r\n"
                     "6000000,54.545455,running,0,running,thread 2,,,,,\r\n"
                     "5000000,45.454545,\"garbage collection led by cap 1, asked for by itself\",0,collecting,thread "
                     "2,,,,,thread 2\r\n",
                     ""}));
}

// As in evt stats spans: of four, three took no time.
TEST_F(EvtWhy, CountsSpansThatTookNoTime) {
  given_trace("short.evt",
              "type 1029 span role=spanBegin (name text role=name)\n"
              "type 1030 done role=spanEnd\n"
              "stream 1 \"main\"\n"
              "0.000000001 1 span name=\"job\"\n"
              "0.000000001 1 done\n"
              "0.000000002 1 span name=\"job\"\n"
              "0.000000002 1 done\n"
              "0.000000003 1 span name=\"job\"\n"
              "0.001000003 1 done\n"
              "0.002000000 1 span name=\"job\"\n"
              "0.002000000 1 done\n");
  EXPECT_EQ(run("evt why short.evt job | head -1").out,
            "job of main took 1.00 ms, from 0.000000003 s (the slowest of 4)\n");
  EXPECT_EQ(run("evt why short.evt job --median"),
            (Outcome{1, "", "evt why: short.evt: that job took no time, as far as its events can tell\n"}));
  EXPECT_EQ(run("evt why short.evt job --nth 2"),
            (Outcome{1, "", "evt why: short.evt: that job took no time, as far as its events can tell\n"}));
  EXPECT_EQ(run("evt why short.evt job --nth 5"),
            (Outcome{1, "", "evt why: short.evt: there are 4 of job, found --nth 5\n"}));
  EXPECT_EQ(run("evt why short.evt job --slow"),
            (Outcome{1, "", "evt why: short.evt: fewer than two of job took any time\n"}));
}

// As in the table of threads, which has their numbers.
TEST_F(EvtWhy, TellsThreadsOfOneNameApart) {
  given_trace("same.evt",
              "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
              "labels=[1=preempted])\n"
              "type 1026 name role=threadName (thread u64 role=thread) (name text role=name)\n"
              "type 1029 span role=spanBegin (name text role=name)\n"
              "type 1030 done role=spanEnd\n"
              "stream 1 \"main\" thread=1\n"
              "stream 2 \"cpu\"\n"
              "0.000000000 2 name thread=1 name=\"main\"\n"
              "0.000000000 2 name thread=2 name=\"worker\"\n"
              "0.000000000 2 name thread=3 name=\"worker\"\n"
              "0.000000000 2 run thread=1 cpu=0\n"
              "0.001000000 1 span name=\"job\"\n"
              "0.002000000 2 stop thread=1 reason=preempted\n"
              "0.002000000 2 run thread=2 cpu=0\n"
              "0.003000000 2 stop thread=2 reason=preempted\n"
              "0.003000000 2 run thread=3 cpu=0\n"
              "0.004000000 2 stop thread=3 reason=preempted\n"
              "0.004000000 2 run thread=1 cpu=0\n"
              "0.005000000 1 done\n");
  EXPECT_EQ(run("evt why same.evt job"), (Outcome{0,
                                                  "job of main took 4.00 ms, from 0.001000000 s (the slowest of 1)\n"
                                                  "   time   share  what\n"
                                                  "2.00 ms  50.0 %  running: job\n"
                                                  "1.00 ms  25.0 %  runnable: cpu 0 ran 3 (worker)\n"
                                                  "1.00 ms  25.0 %  runnable: cpu 0 ran 2 (worker)\n",
                                                  ""}));
  EXPECT_EQ(run("evt why same.evt --thread worker"),
            (Outcome{1, "", "evt why: same.evt: --thread worker matches 2 (worker), 3 (worker); name one\n"}));
}

// Each is 4 us of 10 ms, 0.04 %.
TEST_F(EvtWhy, AddsUpSmallCauses) {
  std::string text =
      "type 1027 call role=callBegin (function text role=function)\n"
      "type 1028 back role=callEnd\n"
      "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "stream 1 \"main\" thread=1\n"
      "0.000000000 1 run thread=1 cpu=0\n"
      "0.000000000 1 call function=\"all\"\n";
  for (int i = 1; i <= 3; ++i) {
    text += fmt::format("0.00{}000000 1 call function=\"small {}\"\n0.00{}004000 1 back\n", i, i, i);
  }
  given_trace("small.evt", text + "0.010000000 1 back\n");
  EXPECT_EQ(run("evt why small.evt all"), (Outcome{0,
                                                   "all of main took 10.0 ms, from 0.000000000 s (the slowest of 1)\n"
                                                   "   time   share  what\n"
                                                   "9.99 ms  99.9 %  running: all\n"
                                                   "12.0 us   0.1 %  3 smaller causes\n",
                                                   ""}));
  EXPECT_EQ(run("evt why small.evt all --depth 9").out,
            "all of main took 10.0 ms, from 0.000000000 s (the slowest of 1)\n"
            "   time   share  what\n"
            "9.99 ms  99.9 %  running: all\n"
            "4.00 us   0.0 %  running: small 3\n"
            "4.00 us   0.0 %  running: small 2\n"
            "4.00 us   0.0 %  running: small 1\n");
  EXPECT_EQ(run("evt why small.evt all --csv | wc -l").out, "5\n");
}

TEST_F(EvtWhy, AnswersForATruncatedTrace) {
  given_trace("x.evt", std::string(kWhyJob) + "truncated\n");
  EXPECT_EQ(run("evt why --nth 2 x.evt job"),
            (Outcome{1,
                     "job of main took 1.00 ms, from 0.007000000 s (the 2nd slowest of 2)\n"
                     "   time    share  what\n"
                     "1.00 ms  100.0 %  running: job\n",
                     "evt why: x.evt: the session of test is truncated: its end is missing\n"}));
}

TEST_F(EvtWhy, RefusesWhatMakesNoSense) {
  EXPECT_EQ(
      run("evt why --from 100 x.evt"),
      (Outcome{2, "", "evt why: x.evt: --from 100 is after the end: the trace is from 0.000000000 to 0.009000000\n"}));
  EXPECT_EQ(
      run("evt why --at 0.1 x.evt"),
      (Outcome{2, "", "evt why: expected the name of a span or call with --nth, --at, --median, --p99 and --slow\n"}));
  EXPECT_EQ(run("evt why --nth 0 x.evt job"), (Outcome{2, "", "evt why: --nth: expected 1 to 10000, found 0\n"}));
  EXPECT_EQ(run("evt why --from 2 --to 1 x.evt"), (Outcome{2, "", "evt why: --to: 1 is before --from 2\n"}));
}

TEST_F(EvtWhy, SaysWhatItCannotKnowWithoutSwitches) {
  given_trace("x.evt",
              "type 1027 call role=callBegin (function text role=function) (object u64 role=object)\n"
              "type 1028 back role=callEnd\ntype 1029 span role=spanBegin (name text role=name)\n"
              "type 1030 done role=spanEnd\nstream 1 \"main\" thread=1\n"
              "0.001 1 span name=\"job\"\n0.002 1 call function=\"read\" object=7\n0.005 1 back\n0.006 1 done\n");
  EXPECT_EQ(run("evt why x.evt job"), (Outcome{0,
                                               "job of main took 5.00 ms, from 0.001000000 s (the slowest of 1)\n"
                                               "   time   share  what\n"
                                               "3.00 ms  60.0 %  waiting in read(7)\n"
                                               "2.00 ms  40.0 %  running or waiting: job\n",
                                               "evt why: x.evt: no event records when threads run: time outside of "
                                               "calls for an object is running or waiting\n"}));
}

// Threads that others name, and that record nothing themselves.
TEST_F(EvtWhy, FollowsCausesToThreadsThatDidNothing) {
  const std::string types =
      "type 1024 call role=callBegin (function text role=function) (resource text role=resource)\n"
      "type 1025 back role=callEnd (holder u64 role=holder)\n"
      "type 1026 span role=spanBegin (name text role=name)\ntype 1027 done role=spanEnd\n"
      "type 1028 create role=threadCreate (thread u64 role=thread)\ntype 1029 tick\n"
      "stream 1 \"main\" thread=1\nstream 2 \"worker\" thread=2\n";
  given_trace("w.evt", types +
                           "0.0 1 span name=\"job\"\n0.000001 1 call function=\"waitpid\" resource=\"process\"\n"
                           "0.000009 1 back holder=777\n0.00001 1 done\n");
  EXPECT_EQ(run("evt why -q w.evt job"), (Outcome{0,
                                                  "job of main took 10.0 us, from 0.000000000 s (the slowest of 1)\n"
                                                  "   time   share  what\n"
                                                  "8.00 us  80.0 %  waiting in waitpid\n"
                                                  "8.00 us  80.0 %    thread 777 had not ended\n"
                                                  "8.00 us  80.0 %      did not exist\n"
                                                  "2.00 us  20.0 %  running or waiting: job\n",
                                                  ""}));
  given_trace("c.evt", types + "0.0 1 tick\n0.000001 1 create thread=2\n0.000002 2 span name=\"x\"\n0.000005 2 done\n");
  EXPECT_EQ(run("evt why -q c.evt").status, 0);
  // The one that did something last comes up when the time is over.
  given_trace("l.evt", types + "0.0 1 tick\n0.000001 1 tick\n0.000001 2 span name=\"x\"\n");
  EXPECT_EQ(
      run("evt why -q l.evt"),
      (Outcome{0, "worker: 1.00 us, from 0.000000000 s\n   time    share  what\n1.00 us  100.0 %  did not exist\n",
               ""}));
}

// With the thread of the process's number among several.
TEST_F(EvtWhy, ExplainsTheMainThreadWithoutAName) {
  const std::string types =
      "evtrace text 1\nsession program=\"app\" pid=7\ntype 1024 run role=threadRun (thread u64 role=thread) (cpu u32 "
      "role=cpu)\n"
      "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason labels=[3=blocked])\n";
  given_trace("x.evt",
              types +
                  "stream 1 \"app\" thread=7\nstream 2 \"worker\" thread=8\n"
                  "0.001 1 run thread=7 cpu=0\n0.002 2 run thread=8 cpu=1\n0.003 1 stop thread=7 reason=blocked\n"
                  "0.005 2 stop thread=8 reason=blocked\n");
  EXPECT_EQ(run("evt why x.evt"), (Outcome{0,
                                           "app: 4.00 ms, from 0.001000000 s\n"
                                           "   time   share  what\n"
                                           "2.00 ms  50.0 %  waiting\n"
                                           "2.00 ms  50.0 %  running\n",
                                           ""}));
}

// The recorder's thread is not the program's, even if it does something last.
TEST_F(EvtWhy, DoesNotTakeTheRecorderForTheProgram) {
  given_trace("x.evt",
              "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason labels=[3=blocked])\n"
              "stream 1 \"job\" thread=8\nstream 2 \"evt-flusher\" thread=9\n"
              "0.001 1 run thread=8 cpu=0\n0.002 2 run thread=9 cpu=1\n0.003 1 stop thread=8 reason=blocked\n"
              "0.005 2 stop thread=9 reason=blocked\n");
  EXPECT_EQ(run("evt why x.evt"), (Outcome{0,
                                           "job: 4.00 ms, from 0.001000000 s\n"
                                           "   time   share  what\n"
                                           "2.00 ms  50.0 %  waiting\n"
                                           "2.00 ms  50.0 %  running\n",
                                           ""}));
}

TEST_F(EvtWhy, ComparesTheSlowestWithThoseOfMedianLength) {
  EXPECT_EQ(run("evt why --slow x.evt job"),
            (Outcome{0,
                     "job: the slowest 1 of 2 took 6.00 ms on average; 1 of median duration took 1.00 ms\n"
                     "difference     slow   median  what\n"
                     "   3.00 ms  3.00 ms     0 ns  waiting for the lock 7\n"
                     "   3.00 ms  3.00 ms     0 ns    another thread held it\n"
                     "   2.00 ms  2.00 ms     0 ns      running\n"
                     "   1.00 ms  1.00 ms     0 ns      sleeping\n"
                     "   1.00 ms  1.00 ms     0 ns  runnable\n"
                     "    500 us  1.50 ms  1.00 ms  running: job\n"
                     "    500 us   500 us     0 ns  running: lock(7)\n",
                     ""}));
  EXPECT_EQ(run("evt why --slow --depth 1 --csv x.evt job"),
            (Outcome{0,
                     "difference_ns,slow_ns,median_ns,what,level,kind,name,object,resource\r\n"
                     "3000000,3000000,0,waiting for the lock 7,0,waiting,lock,7,lock\r\n"
                     "1000000,1000000,0,runnable,0,runnable,,,\r\n"
                     "500000,1500000,1000000,running: job,0,running,job,,\r\n"
                     "500000,500000,0,running: lock(7),0,running,lock,7,lock\r\n",
                     ""}));
  EXPECT_EQ(run("evt why --slow x.evt open"),
            (Outcome{1, "", "evt why: x.evt: there is 1 of open, expected two or more with --slow\n"}));
  EXPECT_EQ(
      run("evt why --slow x.evt"),
      (Outcome{2, "", "evt why: expected the name of a span or call with --nth, --at, --median, --p99 and --slow\n"}));
}

// Spans one after the other, in each of which the thread runs, and in some also reads.
TEST_F(EvtWhy, HasDifferencesThatAddUpToThatOfTheMeans) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    std::string text =
        "type 1024 run role=threadRun (thread u64 role=thread)\ntype 1025 stop role=threadStop (thread u64 "
        "role=thread)\ntype 1026 call role=callBegin (function text role=function)\ntype 1027 back role=callEnd\n"
        "type 1028 span role=spanBegin (name text role=name)\ntype 1029 done role=spanEnd\nstream 1 \"main\" "
        "thread=1\n";
    std::int64_t now = 0;
    const auto add = [&](const char* event, std::int64_t more) {
      text += fmt::format("{}.{:09} 1 {}\n", now / 1'000'000'000, now % 1'000'000'000, event);
      now += 1 + more;
    };
    std::vector<std::int64_t> lengths;
    add("run thread=1", 0);
    for (std::int64_t n = 2 + below(300); n > 0; --n) {
      const std::int64_t from = now;
      add("span name=\"job\"", below(50));
      if (below(3) == 0) {
        add("call function=\"read\"", 0);
        add("stop thread=1", below(500));
        add("run thread=1", below(5));
        add("back", below(10));
      }
      lengths.push_back(now - from);
      add("done", below(10));
    }
    given_trace("x.evt", text);
    std::ranges::sort(lengths);
    const auto mean = [&](std::size_t from, std::size_t to) {
      std::int64_t sum = 0;
      for (std::size_t i = from; i < to; ++i) sum += lengths[i];
      return static_cast<double>(sum) / static_cast<double>(to - from);
    };
    const std::size_t count = lengths.size();
    const double slow = mean(count - std::max<std::size_t>(count / 100, 1), count);
    const double median = mean(count * 45 / 100, std::max(count * 55 / 100, count * 45 / 100 + 1));
    std::istringstream rows(run("evt why --slow --depth 1 --csv x.evt job").out);
    std::int64_t sums[3] = {};
    double shown = 0;
    std::string row;
    std::getline(rows, row);
    for (; std::getline(rows, row); ++shown) {
      std::istringstream cells(row);
      std::string cell;
      for (std::int64_t& sum : sums) {
        std::getline(cells, cell, ',');
        sum += std::stoll(cell);
      }
    }
    EXPECT_GE(shown, 1);
    EXPECT_NEAR(static_cast<double>(sums[0]), slow - median, shown) << "seed " << seed;
    EXPECT_NEAR(static_cast<double>(sums[1]), slow, shown) << "seed " << seed;
    EXPECT_NEAR(static_cast<double>(sums[2]), median, shown) << "seed " << seed;
  }
}

// From 2 to 6.5 ms the thread is in the call that takes the lock, from 1 to 7 ms in the span.
TEST_F(EvtWhy, BoundsWhatAShorterPartWouldGain) {
  EXPECT_EQ(
      run("evt why --depth 1 --what-if lock:7=0 --what-if lock=0.5x --what-if job=2ms x.evt job"),
      (Outcome{0,
               "job of main took 6.00 ms, from 0.001000000 s (the slowest of 2)\n"
               "   time   share  what\n"
               "3.00 ms  50.0 %  waiting for the lock 7\n"
               "1.50 ms  25.0 %  running: job\n"
               "1.00 ms  16.7 %  runnable: cpu 0 ran helper\n"
               " 500 us   8.3 %  running: lock(7)\n"
               "\n"
               "what if     sooner   share\n"
               "lock:7=0   4.50 ms  75.0 %\n"
               "lock=0.5x  2.25 ms  37.5 %\n"
               "job=2ms    4.00 ms  66.7 %\n"
               "sooner is an upper bound: nothing more can be gained while threads take locks and cpus in the same "
               "order\n",
               ""}));
  EXPECT_EQ(
      run("evt why --csv --depth 1 --what-if lock:7=0 x.evt job"),
      (Outcome{
          0,
          "time_ns,share_percent,what,level,kind,thread,name,object,resource,cpu,other_thread\r\n"
          "3000000,50,waiting for the lock 7,0,waiting,main,lock,7,lock,,\r\n"
          "1500000,25,running: job,0,running,main,job,,,,\r\n"
          "1000000,16.666667,runnable: cpu 0 ran helper,0,runnable,main,,,,0,helper\r\n"
          "500000,8.333333,running: lock(7),0,running,main,lock,7,lock,,\r\n"
          "\r\n"
          "what_if,sooner_ns,share_percent\r\n"
          "lock:7=0,4500000,75\r\n",
          "evt why: x.evt: sooner is an upper bound: nothing more can be gained while threads take locks and cpus in "
          "the same order\n"}));
}

TEST_F(EvtWhy, SaysWhichShorterPartsAreNotThere) {
  EXPECT_EQ(run("evt why --depth 1 --nth 2 --what-if lick=0 --what-if lock:8=0 x.evt job"),
            (Outcome{1,
                     "job of main took 1.00 ms, from 0.007000000 s (the 2nd slowest of 2)\n"
                     "   time    share  what\n"
                     "1.00 ms  100.0 %  running: job\n",
                     "evt why: x.evt: --what-if: no span, call or object is called lick; did you mean lock?\n"
                     "evt why: x.evt: --what-if: no span, call or object is called lock:8; did you mean lock:7 or "
                     "lock?\n"}));
  const char* const forms = "expected NAME=0, NAME=2ms, NAME=0.5x or lock:NAME=0";
  for (const char* const wrong : {"lock", "=0", "lock=", "lock=-1", "lock=1x", "lock=fast", "lock=2msx"}) {
    EXPECT_EQ(run(fmt::format("evt why --what-if {} x.evt job", wrong)),
              (Outcome{2, "", fmt::format("evt why: --what-if: {}, found {}\n", forms, wrong)}));
  }
}

// Quadratic in stops or releases, these would take minutes, and gigabytes.
TEST_F(EvtWhy, TakesTimeInProportionToStopsAndReleases) {
  std::string text =
      "type 1024 wait role=callBegin (function text role=function) (object u64 role=object) (resource text "
      "role=resource)\n"
      "type 1025 back role=callEnd\ntype 1026 free role=lockRelease (object u64 role=object)\n"
      "type 1027 span role=spanBegin (name text role=name)\ntype 1028 done role=spanEnd\n"
      "type 1029 stopped role=stopped (duration tick_delta role=duration)\n"
      "stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\nstream 3 \"c\" thread=3\n";
  constexpr int kReleases = 60'000;
  const auto add = [&](double us, const char* event) { text += fmt::format("{:.7f} {}\n", us / 1e6, event); };
  add(0, "1 span name=\"job\"");
  add(0, "1 wait function=\"lock\" object=7 resource=\"lock\"");
  add(0, "3 wait function=\"lock\" object=8 resource=\"lock\"");
  for (int i = 1; i <= kReleases; ++i) {
    add(10 * i, "2 free object=8");
    add(10 * i + 1, "2 free object=7");
  }
  add(10 * kReleases + 2, "1 back");
  add(10 * kReleases + 2, "3 back");
  add(10 * kReleases + 5, "1 done");
  for (int i = 0; i < 2000; ++i) text += fmt::format("stream {} \"t{}\" thread={}\n", i + 10, i, i + 10);
  given_trace("r.evt", text);
  const Outcome outcome = run("evt why -q --depth 1 r.evt job");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("600 ms  100.0 %  waiting for the lock 7\n")) << outcome;
}

}  // namespace
}  // namespace evt::testing
