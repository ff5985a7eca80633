// evt stats latency. The figures are counted by hand.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kLatencyTypes =
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 2 thread.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[1=preempted 3=blocked])\n"
    "type 6 thread.wake role=threadWake (thread u64 role=thread)\n"
    "type 1024 tick\n"
    "type 1030 request (id u64) (kind text)\n"
    "type 1031 reply (id u32)\n"
    "type 1032 sent role=flowOut (flow u64 role=flow)\n"
    "type 1033 got role=flowIn (flow u64 role=flow)\n"
    "stream 1 \"a\"\nstream 2 \"b\"\n";

class StatsLatency : public AtTheShell {
 protected:
  void given(std::string_view events) const { given_trace("a.evt", std::string(kLatencyTypes) + std::string(events)); }
};

// Thread 1 waits for 10 ms after its creation, for 30 ms after a wake-up and for 20 ms after thread 2 preempted it;
// thread 2 for 5 ms after a wake-up.
constexpr std::string_view kScheduled =
    "0.000 1 thread.create thread=1\n0.010 1 thread.run thread=1 cpu=0\n"
    "0.020 1 thread.stop thread=1 reason=blocked\n0.030 1 thread.wake thread=1\n"
    "0.060 1 thread.run thread=1 cpu=0\n0.065 1 thread.wake thread=2\n"
    "0.070 1 thread.stop thread=1 reason=preempted\n0.070 1 thread.run thread=2 cpu=0\n"
    "0.090 1 thread.stop thread=2 reason=blocked\n0.090 2 thread.run thread=1 cpu=1\n0.100 1 tick\n";

TEST_F(StatsLatency, IsFromRunnableToRunning) {
  given(kScheduled);
  EXPECT_EQ(
      run("evt stats latency a.evt"),
      prints("thread  delays  count      sum      min   median      p90      p99      max       max at\n"
             "     1  all         3  60.0 ms  10.0 ms  20.0 ms  30.0 ms  30.0 ms  30.0 ms  0.030000000\n"
             "     1  woken       1  30.0 ms  30.0 ms  30.0 ms  30.0 ms  30.0 ms  30.0 ms  0.030000000\n"
             "     2  all         1  5.00 ms  5.00 ms  5.00 ms  5.00 ms  5.00 ms  5.00 ms  0.065000000\n"
             "     2  woken       1  5.00 ms  5.00 ms  5.00 ms  5.00 ms  5.00 ms  5.00 ms  0.065000000\n"
             "\n"
             "cpu  delays  count      sum      min   median      p90      p99      max       max at  max thread\n"
             "  0  all         3  45.0 ms  5.00 ms  9.99 ms  30.0 ms  30.0 ms  30.0 ms  0.030000000           1\n"
             "  0  woken       2  35.0 ms  5.00 ms  5.00 ms  30.0 ms  30.0 ms  30.0 ms  0.030000000           1\n"
             "  1  all         1  20.0 ms  20.0 ms  20.0 ms  20.0 ms  20.0 ms  20.0 ms  0.070000000           1\n"));
}

// A delay that began before the range is in none of its rows: how long it was is a matter of the time before.
TEST_F(StatsLatency, OfARangeIsOfDelaysThatBeginThere) {
  given(kScheduled);
  EXPECT_EQ(run("evt stats latency --table threads --columns count,max --from 0.05 --to 0.08 a.evt"),
            prints("thread  delays  count      max\n"
                   "     1  all         0        -\n"
                   "     2  all         1  5.00 ms\n"
                   "     2  woken       1  5.00 ms\n"));
  EXPECT_EQ(run("evt stats latency --table threads --columns count,unfinished --from 0.05 --to 0.08 a.evt"),
            prints("thread  delays  count  unfinished\n"
                   "     1  all         0           1\n"
                   "     2  all         1           0\n"
                   "     2  woken       1           0\n"));
}

// Of thread 1, the delays from 0 to 10, 30 to 60 and 70 to 90 ms; of thread 2, from 65 to 70 ms. Steps of 25 ms.
TEST_F(StatsLatency, OfStepsIsWhereDelaysEnd) {
  given(kScheduled);
  EXPECT_EQ(run("evt stats latency --table threads --columns delays,count,sum,unfinished --every 25ms a.evt"),
            prints("       from           to  thread  delays  count      sum  unfinished\n"
                   "0.000000000  0.025000000       1  all         1  10.0 ms           0\n"
                   "0.025000000  0.050000000       1  all         0     0 ns           1\n"
                   "0.025000000  0.050000000       1  woken       0     0 ns           1\n"
                   "0.050000000  0.075000000       1  all         1  30.0 ms           1\n"
                   "0.050000000  0.075000000       1  woken       1  30.0 ms           0\n"
                   "0.050000000  0.075000000       2  all         1  5.00 ms           0\n"
                   "0.050000000  0.075000000       2  woken       1  5.00 ms           0\n"
                   "0.075000000  0.100000000       1  all         1  20.0 ms           0\n"));
}

TEST_F(StatsLatency, NeedsEventsOfThreads) {
  given("0.1 1 tick\n");
  EXPECT_EQ(run("evt stats latency a.evt"),
            (Outcome{1, "",
                     "evt stats: a.evt: no event shows that a thread became runnable and then ran (roles threadWake, "
                     "threadCreate, threadStop, threadRun)\n"}));
}

constexpr std::string_view kRequests =
    "0.010 1 request id=7 kind=\"get\"\n0.012 1 request id=8 kind=\"put\"\n0.015 2 reply id=8\n"
    "0.020 1 request id=9 kind=\"get\"\n0.040 2 reply id=7\n0.050 2 reply id=5\n";

// 7 takes 30 ms and 8 takes 3 ms, 9 has no reply, and 5 no request.
TEST_F(StatsLatency, OfPairsIsByTheValueOfAField) {
  given(kRequests);
  EXPECT_EQ(
      run("evt stats latency --from-event request --to-event reply --key id a.evt"),
      prints("from event  to event  key  count      sum      min   median      p90      p99      max       max at  "
             "without to  without from\n"
             "request     reply     id       2  33.0 ms  3.00 ms  3.00 ms  30.0 ms  30.0 ms  30.0 ms  0.010000000  "
             "         1             1\n"
             "\n"
             "latency        began  key  thread  thread name  to thread  to thread name\n"
             "30.0 ms  0.010000000  7        #1  a                   #2  b\n"
             "3.00 ms  0.012000000  8        #1  a                   #2  b\n"));
}

// The pair of 30 ms goes on over the first step, and ends in the second.
TEST_F(StatsLatency, OfStepsIsWherePairsEnd) {
  given(kRequests);
  EXPECT_EQ(run("evt stats latency --from-event request --to-event reply --key id --table pairs "
                "--columns count,sum,'without to','without from' --every 20ms a.evt"),
            prints("       from           to  from event  to event  key  count      sum  without to  without from\n"
                   "0.010000000  0.030000000  request     reply     id       1  3.00 ms           2             0\n"
                   "0.030000000  0.050000000  request     reply     id       1  30.0 ms           1             1\n"));
}

TEST_F(StatsLatency, OfPairsWithoutAKeyIsByFlowOrThread) {
  given(
      "0.001 1 sent flow=1\n0.002 1 sent flow=2\n0.004 2 got flow=2\n0.008 2 got flow=1\n"
      "0.010 1 tick\n0.020 2 tick\n0.030 1 tick\n");
  const std::string columns = " --table pairs --columns count,min,max,'without to','without from' a.evt";
  EXPECT_EQ(run("evt stats latency --from-event sent --to-event got" + columns),
            prints("from event  to event  key   count      min      max  without to  without from\n"
                   "sent        got       flow      2  2.00 ms  7.00 ms           0             0\n"));
  EXPECT_EQ(run("evt stats latency --from-event tick --to-event tick" + columns),
            prints("from event  to event  key     count      min      max  without to  without from\n"
                   "tick        tick      thread      1  20.0 ms  20.0 ms           2             2\n"));
}

TEST_F(StatsLatency, ListsTheLongestPairs) {
  given(kRequests);
  EXPECT_EQ(
      run("evt stats latency --from-event request --to-event reply --key id --longest 1 --csv a.evt | tr -d '\\r'"),
      prints("latency_ns,began_ns,key,thread,thread_name,to_thread,to_thread_name\n30000000,10000000,7,#1,a,#2,b\n"));
}

TEST_F(StatsLatency, NamesWhatTheTraceDoesNotHave) {
  given(kRequests);
  EXPECT_EQ(run("evt stats latency --from-event reqest --to-event reply a.evt > out").err,
            "evt stats: a.evt: no event type is called reqest; did you mean request?\n");
  EXPECT_EQ(run("evt stats latency --from-event request --to-event reply --key kind a.evt > out"),
            (Outcome{1, "", "evt stats: a.evt: reply has no field kind: its events are not paired\n"}));
  EXPECT_EQ(run("evt stats latency --from-event request --to-event reply --key kid a.evt"),
            (Outcome{1, "",
                     "evt stats: a.evt: no event that is called request or reply has a field kid; did you mean id or "
                     "kind?\n"}));
  EXPECT_EQ(run("evt stats latency --from-event sent --to-event got a.evt"),
            (Outcome{1, "", "evt stats: a.evt: no event is called sent or got\n"}));
}

TEST_F(StatsLatency, NeedsBothEndsOfPairs) {
  given(kRequests);
  const auto refused = [&](const std::string& options, const std::string& option) {
    EXPECT_EQ(run("evt stats latency " + options + " a.evt"),
              refuses(2, "evt stats: " + option + ": works only on pairs: expected --from-event and --to-event\n"));
  };
  refused("--from-event request", "--from-event");
  refused("--to-event reply", "--to-event");
  refused("--key id", "--key");
  refused("--longest 3", "--longest");
}

}  // namespace
}  // namespace evt::testing
