// Running time of threads on cpus, and their state at any moment.
#include <evt/analysis/state_history.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "scheduling.h"
#include "states.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What a state has, by the numbers of threads and cpus.
Scheduling::Totals totals_of(const SessionState& state, std::int64_t ns) {
  Scheduling::Totals totals;
  for (const CpuTime::Cell& cell : state.cpu.cells(ns)) {
    const Actor& cpu = state.actors.cpus()[cell.cpu];
    const auto number = static_cast<std::uint32_t>(cpu.is_stream ? cpu.number - 1 : cpu.number);
    if (cell.ns > 0) totals[{state.actors.threads()[cell.thread].number, number}] += cell.ns;
  }
  return totals;
}

std::vector<std::uint64_t> cumulative(Trace& trace, std::int64_t to_ns) {
  StateHistory history(trace, {});
  std::vector<std::uint64_t> sums;
  for (std::int64_t ns = 0; ns <= to_ns; ++ns) {
    std::uint64_t sum = 0;
    for (const CpuTime::Cell& cell : history.at(0, ns).cpu.cells(ns)) sum += cell.ns;
    sums.push_back(sum);
  }
  return sums;
}

std::vector<std::uint64_t> current(Trace& trace, std::int64_t to_ns) {
  StateHistory history(trace, {});
  std::vector<std::uint64_t> all;
  for (std::int64_t ns = 0; ns <= to_ns; ++ns) all.push_back(history.at(0, ns).cpu.current(0, ns));
  return all;
}

const std::string kStudy =
    std::string(kThreadTypes) +
    "stream 1 \"cpu 0\"\n"
    "0.000000000 1 thread.run thread=7 cpu=0\n0.000000001 1 thread.stop thread=7 reason=blocked object=0\n"
    "0.000000005 1 thread.run thread=7 cpu=0\n0.000000007 1 thread.stop thread=7 reason=blocked object=0\n"
    "0.000000009 1 mark message=\"end\"\n";

TEST(CpuTime, IsCumulativeAtEveryMoment) {
  const std::string bytes = trace_from_text(kStudy);
  Trace trace = open_trace(bytes);
  EXPECT_THAT(cumulative(trace, 9), ElementsAre(0, 1, 1, 1, 1, 1, 2, 3, 3, 3));
}

TEST(CpuTime, KnowsTheLatestSlice) {
  const std::string bytes = trace_from_text(kStudy);
  Trace trace = open_trace(bytes);
  EXPECT_THAT(current(trace, 9), ElementsAre(0, 1, 1, 1, 1, 0, 1, 2, 2, 2));
}

TEST(CpuTime, IsWhatASlowReadingSays) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    const Scheduling scheduling(seed);
    const std::string bytes = trace_from_text(scheduling.text());
    Trace trace = open_trace(bytes);
    StateHistory history(trace, {});
    for (const Scheduling::Step& step : scheduling.steps()) {
      ASSERT_EQ(totals_of(history.at(0, step.ns), step.ns), scheduling.totals_at(step.ns)) << "at " << step.ns;
    }
    const std::int64_t end = scheduling.end_ns();
    ASSERT_EQ(totals_of(history.at(0, end), end), scheduling.totals_at(end));
  }
}

TEST(CpuTime, HasRoomForMoreThan32Bits) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) +
                                            "stream 1 \"cpu 0\"\n1.000000000 1 thread.run thread=7 cpu=0\n"
                                            "9000000000.000000000 1 thread.stop thread=7 reason=blocked object=0\n");
  Trace trace = open_trace(bytes);
  const std::int64_t end = 9'000'000'000'000'000'000;
  const SessionState state = StateHistory(trace, {}).at(0, end);
  EXPECT_EQ(state.cpu.cells(end).front().ns, 8'999'999'999'000'000'000u);
}

TEST(CpuTime, IsUncertainWhereEventsWereLost) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) +
                                            "stream 1 \"cpu 0\"\n0.000000010 1 run.here thread=7\n"
                                            "0.000000020 1 mark message=\"known\"\n"
                                            "0.000000050 1 !lost count=3 cause=ring_full duration=0.000000000\n"
                                            "0.000000080 1 stop.here thread=7\n");
  Trace trace = open_trace(bytes);
  const SessionState state = StateHistory(trace, {}).at(0, 100);
  EXPECT_EQ(state.cpu.cells(100).front().ns, 70u);
  EXPECT_EQ(state.cpu.cells(100).front().uncertain_ns, 60u);
}

// None of them is earlier than the loss states.
TEST(CpuTime, IsUncertainSinceTheFirstEventThatWasLost) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) +
                                            "stream 1 \"cpu 0\"\n0.000000010 1 run.here thread=7\n"
                                            "0.000000050 1 !lost count=3 cause=ring_full duration=0.000000020\n"
                                            "0.000000080 1 stop.here thread=7\n");
  Trace trace = open_trace(bytes);
  const SessionState state = StateHistory(trace, {}).at(0, 100);
  EXPECT_EQ(state.cpu.cells(100).front().ns, 70u);
  EXPECT_EQ(state.cpu.cells(100).front().uncertain_ns, 50u);
}

// The clocks of two cpus may differ a little: what stops on one is seen to run on the other before that.
TEST(CpuTime, TakesAStopThatComesLateForWhatItIs) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) +
                                            "stream 1 \"cpu 0\"\nstream 2 \"cpu 1\"\n0.000000010 1 run.here thread=7\n"
                                            "0.000000040 2 run.here thread=7\n0.000000041 1 stop.here thread=7\n"
                                            "0.000000090 2 stop.here thread=7\n");
  Trace trace = open_trace(bytes);
  const SessionState state = StateHistory(trace, {}).at(0, 100);
  EXPECT_EQ(totals_of(state, 100), (Scheduling::Totals{{{7, 0}, 30}, {{7, 1}, 50}}));
  EXPECT_EQ(state.doubts.moved, 0u);
}

TEST(Actors, TakeAStreamOfASystemThreadForThatThread) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) + "stream 1 \"a\"\nstream 2 \"b\" thread=12\n");
  Trace trace = open_trace(bytes);
  const std::deque<Session>& sessions = trace.sessions();
  Actors actors(sessions.front());
  const Actor& second = actors.threads()[actors.thread_of(sessions.front().streams[1])];
  EXPECT_EQ(second.number, 12u);
  EXPECT_FALSE(second.is_stream);
  EXPECT_TRUE(actors.threads()[actors.thread_of(sessions.front().streams[0])].is_stream);
}

TEST(Actors, TakeWhatAStreamSaysForTheThreadThatRunsThere) {
  const std::string bytes = trace_from_text(std::string(kThreadTypes) +
                                            "stream 1 \"cap 0\"\n0.000000010 1 run.here thread=7\n"
                                            "0.000000020 1 mark message=\"of thread 7\"\n"
                                            "0.000000030 1 stop.here thread=7\n"
                                            "0.000000040 1 mark message=\"of the stream\"\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  RoleEvents roles(trace, events);
  ASSERT_TRUE(roles.next_session());
  std::vector<std::string> whose;
  while (const RoleEvent* const event = roles.next()) {
    const Actor& thread = roles.actors().threads()[event->thread];
    whose.push_back((thread.is_stream ? "#" : "") + std::to_string(thread.number));
  }
  EXPECT_THAT(whose, ElementsAre("7", "7", "7", "#1"));
}

class History : public ::testing::Test {
 protected:
  HistoryOptions kept(const std::string& name) const {
    HistoryOptions options;
    options.cache_folder = folder_ / name;
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    return options;
  }
  Folder folder_;
};

TEST_F(History, WithCheckpointsSaysWhatAFullReadingSays) {
  for (unsigned seed = 0; seed < 15; ++seed) {
    SCOPED_TRACE(seed);
    const Scheduling scheduling(seed);
    const std::string bytes = trace_from_text(scheduling.text());
    Trace trace = open_trace(bytes);
    StateHistory with(trace, kept(std::to_string(seed)));
    StateHistory without(trace, {});
    for (const Scheduling::Step& step : scheduling.steps()) {
      for (const std::int64_t ns : {step.ns - 1, step.ns, step.ns + 1}) {
        ASSERT_EQ(words_of(with.at(0, ns), ns), words_of(without.at(0, ns), ns)) << "at " << ns;
      }
    }
    EXPECT_TRUE(with.status().ok()) << with.status().message();
    EXPECT_LT(with.events_replayed(), scheduling.steps().size());
  }
}

// Streams that step back in time: no checkpoint is placed where a later event has an earlier time.
TEST_F(History, StandsWhereTimeDoesNotStepBack) {
  std::string text(kThreadTypes);
  text += "stream 1 \"a\"\nstream 2 \"b\"\n";
  std::mt19937 random(1);
  for (int i = 1; i < 200; ++i) {
    const std::uint64_t ns = 1000 + static_cast<std::uint64_t>(i) * 20 - random() % 30;
    text += fmt::format("0.{:09} {} {}.here thread={}\n", ns, 1 + i % 2, i % 4 < 2 ? "run" : "stop", 1 + i % 2);
  }
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  StateHistory with(trace, kept("a"));
  StateHistory without(trace, {});
  for (std::int64_t ns = 1000; ns < 5100; ns += 7) {
    ASSERT_EQ(words_of(with.at(0, ns), ns), words_of(without.at(0, ns), ns)) << "at " << ns;
  }
}

// One number is several threads', one after another; the names are long and short.
TEST_F(History, HasWhoTheThreadsAreAtEachMoment) {
  std::string text(kThreadTypes);
  text += "stream 1 \"a\"\nstream 2 \"b\" thread=3\n";
  std::mt19937 random(1);
  for (int i = 1; i < 400; ++i) {
    const char* const kinds[] = {"create thread={0}", "exit thread={0}", "name thread={0} name=\"{1}\"",
                                 "run thread={0} cpu={2}", "stop thread={0} reason=blocked object=0"};
    text += fmt::format("0.{:09} {} thread.", i, 1 + random() % 2);
    text +=
        fmt::format(fmt::runtime(kinds[random() % 5]), random() % 5, std::string(random() % 40, 'x'), random() % 2) +
        "\n";
  }
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  StateHistory with(trace, kept("a"));
  StateHistory without(trace, {});
  for (std::int64_t ns = 1; ns < 400; ++ns) {
    ASSERT_EQ(words_of(with.at(0, ns), ns), words_of(without.at(0, ns), ns)) << "at " << ns;
    ASSERT_LT(with.events_replayed(), 10u);
  }
}

// Random traces of few and of many threads.
TEST_F(History, TakesNoMoreThanItsShareOfTheRows) {
  for (unsigned threads = 1; threads < 2000; threads *= 3) {
    SCOPED_TRACE(threads);
    std::mt19937 random(threads);
    std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
    for (int i = 1; i < 20'000; ++i) {
      text += fmt::format("0.{:09} 1 run.here thread={}\n", i * 100 + static_cast<int>(random() % 100),
                          1 + random() % threads);
    }
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    HistoryOptions few = kept(std::to_string(threads));
    few.rows_per_byte = 50;
    few.events_per_checkpoint = 100;
    StateHistory history(trace, few);
    std::size_t count = 0;
    history.each_checkpoint(0, SIZE_MAX, [&](std::int64_t, const SessionState&) { ++count; });
    EXPECT_GT(count, 0u);
    EXPECT_LE(std::filesystem::file_size(history.checkpoint_file()), bytes.size() / 50 + 200);
  }
}

// Names of 18 MB.
TEST_F(History, MakesNoMoreOnceAStateIsTooLarge) {
  const auto checkpoints_of = [&](int more) {
    std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
    for (int i = 1; i <= 300; ++i) {
      text += fmt::format("0.{:09} 1 thread.name thread={} name=\"{}\"\n", i, i, std::string(60'000, 'x'));
    }
    for (int i = 1; i <= more; ++i) text += fmt::format("0.{:09} 1 run.here thread={}\n", 300 + i, 1 + i % 300);
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    HistoryOptions options = kept(std::to_string(more));
    options.events_per_checkpoint = 100;
    StateHistory with(trace, options);
    StateHistory without(trace, {});
    EXPECT_EQ(words_of(with.at(0, 300 + more), 300 + more), words_of(without.at(0, 300 + more), 300 + more));
    std::vector<std::int64_t> moments;
    with.each_checkpoint(0, 1000, [&](std::int64_t ns, const SessionState&) { moments.push_back(ns); });
    return moments;
  };
  EXPECT_THAT(checkpoints_of(100), ElementsAre(100, 200));
  EXPECT_THAT(checkpoints_of(2000), ElementsAre(100, 200));
}

TEST_F(History, OfAShortTraceNeedsNoFile) {
  const std::string bytes = trace_from_text(kStudy);
  Trace trace = open_trace(bytes);
  HistoryOptions options;
  options.cache_folder = folder_ / "a";
  StateHistory(trace, options).at(0, 5);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

}  // namespace
}  // namespace evt::testing
