// The lives of threads: what they did, for how long, and who woke them.
#include <evt/analysis/thread_times.h>

#include <map>

#include "libtrace-read/analyze/src/stop_reasons.h"
#include "scheduling.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

std::string words_of_row(const ThreadTimes::Row& row, const Actors& actors, const std::vector<StopReason>& reasons) {
  static constexpr const char* kStates[] = {"unknown", "runnable", "running", "waiting", "outside", "ended"};
  std::string words =
      fmt::format("thread {}, {}:", actors.threads()[row.thread].number, kStates[static_cast<std::size_t>(row.state)]);
  const auto created_ns = actors.threads()[row.thread].created_ns;
  if (created_ns) words += fmt::format(" created {}", *created_ns);
  if (row.ended_ns) words += fmt::format(" ended {}", *row.ended_ns);
  for (std::size_t i = 0; i < ThreadTimes::kStates; ++i) {
    if (row.ns[i] > 0) words += fmt::format(" {} {}", kStates[i], row.ns[i]);
  }
  if (row.uncertain_ns > 0) words += fmt::format(" uncertain {}", row.uncertain_ns);
  words += fmt::format(" slices {} cpus {} migrations {}", row.slices, row.cpus, row.migrations);
  for (const ThreadTimes::Waiting& waiting : row.waiting) {
    words += fmt::format(" {} {} times {}", reasons[waiting.reason].text, waiting.times, waiting.ns);
  }
  for (const ThreadTimes::Waker& waker : row.wakers) {
    words += waker.thread == Actor::kNone
                 ? fmt::format(" woken {} times", waker.times)
                 : fmt::format(" woken by {} {} times", actors.threads()[waker.thread].number, waker.times);
  }
  return words + "\n";
}

// All rows at a moment, counted from another.
std::string threads_of(const std::string& text, std::int64_t to_ns, std::int64_t from_ns = INT64_MIN) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) + text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  if (!timeline.next_session()) return "no session";
  ThreadTimes times;
  take_all(timeline, times, from_ns);
  std::string words;
  for (const ThreadTimes::Row& row : times.rows(to_ns))
    words += words_of_row(row, timeline.actors(), timeline.reasons());
  return words;
}

constexpr const char* kLife =
    "stream 1 \"a\"\n"
    "0.000000010 1 thread.create thread=7\n"
    "0.000000015 1 thread.run thread=7 cpu=0\n"
    "0.000000025 1 thread.stop thread=7 reason=blocked object=5\n"
    "0.000000065 1 thread.wake thread=7 waker=8\n"
    "0.000000066 1 thread.run thread=7 cpu=1\n"
    "0.000000070 1 thread.stop thread=7 reason=preempted object=0\n"
    "0.000000080 1 thread.run thread=7 cpu=1\n"
    "0.000000081 1 thread.stop thread=7 reason=sleeping object=0\n"
    "0.000000091 1 thread.runnable thread=7\n"
    "0.000000092 1 thread.run thread=7 cpu=0\n"
    "0.000000095 1 thread.stop thread=7 reason=called_out object=0\n"
    "0.000000097 1 thread.run thread=7 cpu=0\n"
    "0.000000099 1 thread.stop thread=7 reason=finished object=0\n";

TEST(ThreadTimes, TellALife) {
  EXPECT_EQ(threads_of(kLife, 120),
            "thread 7, ended: created 10 ended 99 runnable 17 running 20 waiting 50 outside 2 slices 5 cpus 2 "
            "migrations 2 blocked 1 times 40 sleeping 1 times 10 woken by 8 1 times\n");
}

TEST(ThreadTimes, CountFromAMomentOn) {
  EXPECT_EQ(threads_of(kLife, 120, 60),
            "thread 7, ended: created 10 ended 99 runnable 12 running 10 waiting 15 outside 2 slices 4 cpus 2 "
            "migrations 1 sleeping 1 times 10 blocked 0 times 5 woken by 8 1 times\n");
}

TEST(ThreadTimes, OfWhatGoesOnAreOfWhatWasSoFar) {
  EXPECT_EQ(threads_of("stream 1 \"a\"\n0.000000010 1 thread.run thread=7 cpu=0\n"
                       "0.000000030 1 thread.stop thread=7 reason=blocked object=0\n",
                       100),
            "thread 7, waiting: running 20 waiting 70 slices 1 cpus 1 migrations 0 blocked 1 times 70\n");
}

TEST(ThreadTimes, DoNotGuessWhatWasBeforeTheFirstEvent) {
  EXPECT_EQ(threads_of("stream 1 \"a\"\n0.000000010 1 mark message=\"x\"\n"
                       "0.000000030 1 thread.stop thread=7 reason=blocked object=0\n",
                       100),
            "thread 7, waiting: waiting 70 slices 0 cpus 0 migrations 0 blocked 1 times 70\n");
}

TEST(ThreadTimes, AreUncertainFromWhereEventsWereLost) {
  EXPECT_EQ(threads_of("stream 1 \"a\"\n0.000000010 1 thread.run thread=7 cpu=0\n"
                       "0.000000050 1 !lost count=2 cause=ring_full duration=0.000000000\n"
                       "0.000000090 1 thread.stop thread=7 reason=blocked object=0\n",
                       100),
            "thread 7, waiting: running 80 waiting 10 uncertain 80 slices 1 cpus 1 migrations 0 blocked 1 times 10\n");
}

TEST(ThreadTimes, KnowTheWakerByWhoRunsOnItsStream) {
  EXPECT_EQ(threads_of("type 1026 wake.here role=threadWake (thread u64 role=thread)\n"
                       "stream 1 \"cap 0\"\n0.000000010 1 run.here thread=8\n0.000000020 1 wake.here thread=7\n"
                       "0.000000030 1 stop.here thread=8\n0.000000040 1 wake.here thread=7\n",
                       40),
            "thread 8, unknown: unknown 10 running 20 slices 1 cpus 1 migrations 0\n"
            "thread 7, runnable: runnable 20 slices 0 cpus 0 migrations 0 woken by 8 1 times\n")
      << "it did not wait any more when it was woken again";
}

TEST(ThreadTimes, ThatWereReplacedCouldRunOn) {
  EXPECT_EQ(threads_of("stream 1 \"a\"\n0.000000010 1 thread.run thread=7 cpu=0\n"
                       "0.000000030 1 thread.run thread=8 cpu=0\n",
                       40),
            "thread 7, runnable: runnable 10 running 20 slices 1 cpus 1 migrations 0\n"
            "thread 8, running: running 10 slices 1 cpus 1 migrations 0\n");
}

TEST(ThreadTimes, OfAThreadThatRunsAgainHaveNoEnd) {
  EXPECT_EQ(threads_of("stream 1 \"a\"\n0.000000010 1 thread.run thread=7 cpu=0\n"
                       "0.000000030 1 thread.exit thread=7\n0.000000040 1 thread.run thread=7 cpu=0\n",
                       50),
            "thread 7, running: running 30 slices 2 cpus 1 migrations 0\n");
}

TEST(ThreadTimes, KnowAThreadThatRunsOnceACollectionOnItHasEnded) {
  EXPECT_EQ(threads_of("type 21 gc.start role=gcStart (thread u64 role=thread)\ntype 22 gc.end role=gcEnd\n"
                       "stream 1 \"a\"\n0.000000010 1 gc.start thread=7\n0.000000020 1 thread.run thread=7 cpu=0\n"
                       "0.000000030 1 gc.end\n",
                       50),
            "thread 7, running: runnable 10 running 20 slices 0 cpus 1 migrations 0\n");
}

TEST(ThreadTimes, ThatAreNotKnownAreNotUncertain) {
  EXPECT_EQ(threads_of("type 9 span.begin role=spanBegin (name text role=name)\nstream 1 \"a\" thread=7\n"
                       "0.000000010 1 span.begin name=\"s\"\n"
                       "0.000000030 1 !lost count=2 cause=ring_full duration=0.000000000\n"
                       "0.000000050 1 thread.run thread=7 cpu=0\n",
                       60),
            "thread 7, running: unknown 40 running 10 slices 1 cpus 1 migrations 0\n");
}

// Whatever comes, each thread is in one state at a time from its first event on, and runs as long as it runs on cpus.
TEST(ThreadTimes, AddUpToTheLifeOfAThread) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    const Scheduling scheduling(seed);
    const std::string bytes = trace_from_text(scheduling.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    ThreadTimes times;
    take_all(timeline, times);
    std::map<std::uint64_t, std::uint64_t> running;
    const std::int64_t end = scheduling.end_ns();
    for (const auto& [key, ns] : scheduling.totals_at(end)) running[key.first] += ns;
    for (const ThreadTimes::Row& row : times.rows(end)) {
      const std::uint64_t thread = timeline.actors().threads()[row.thread].number;
      std::int64_t first = -1;
      for (const Scheduling::Step& step : scheduling.steps()) {
        if (first < 0 && step.thread == thread) first = step.ns;
      }
      std::uint64_t sum = 0;
      for (const std::uint64_t ns : row.ns) sum += ns;
      EXPECT_EQ(sum, static_cast<std::uint64_t>(end - first)) << "thread " << thread;
      EXPECT_EQ(row.ns[static_cast<std::size_t>(ThreadState::kRunning)], running[thread]) << "thread " << thread;
    }
  }
}

TEST(StopReasons, SayWhatAThreadDoesThen) {
  EXPECT_EQ(StopReasons::state_after("preempted"), ThreadState::kRunnable);
  EXPECT_EQ(StopReasons::state_after("heap_overflow"), ThreadState::kRunnable);
  EXPECT_EQ(StopReasons::state_after("foreign_call"), ThreadState::kOutside);
  EXPECT_EQ(StopReasons::state_after("finished"), ThreadState::kEnded);
  EXPECT_EQ(StopReasons::state_after("mvar"), ThreadState::kWaiting);
  EXPECT_EQ(StopReasons::state_after(""), ThreadState::kUnknown);
}

}  // namespace
}  // namespace evt::testing
