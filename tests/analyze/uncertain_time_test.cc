// After a loss, what threads do is uncertain for as long as every analysis says.
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/share.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "scheduling.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

struct Said {
  std::uint64_t cpu = 0;  // of the running time
  std::uint64_t threads = 0;
  std::uint64_t share = 0;
  std::uint64_t usage = 0;

  friend bool operator==(const Said&, const Said&) = default;
  friend std::ostream& operator<<(std::ostream& to, const Said& said) {
    return to << fmt::format("cpu {} threads {} share {} usage {}", said.cpu, said.threads, said.share, said.usage);
  }
};

// From a moment on, up to another.
Said uncertain_in(const std::string& text, std::int64_t from_ns, std::int64_t to_ns) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  CpuTime cpu;
  ThreadTimes threads;
  Share share(timeline, ShareModel::kRunning);
  Usage usage(timeline, {});
  std::vector<CpuTime::Cell> before;
  bool has_begun = false;
  const auto begin = [&] {
    has_begun = true;
    before = cpu.cells(from_ns);
    threads.restart(from_ns);
    share.restart(from_ns);
    usage.restart(from_ns);
  };
  while (const TimelineItem* const item = timeline.next()) {
    if (!has_begun && item->ns >= from_ns) begin();
    cpu.take(*item);
    threads.take(*item);
    share.take(*item);
    usage.take(*item);
  }
  if (!has_begun) begin();
  Said said;
  for (const CpuTime::Cell& cell : cpu.cells(to_ns)) said.cpu += cell.uncertain_ns;
  for (const CpuTime::Cell& cell : before) said.cpu -= cell.uncertain_ns;
  for (const ThreadTimes::Row& row : threads.rows(to_ns)) said.threads += row.uncertain_ns;
  said.share = share.uncertain_ns(to_ns);
  said.usage = usage.uncertain_ns(to_ns);
  return said;
}

constexpr const char* kOneLoss =
    "type 1026 begin role=spanBegin (name text role=name)\n"
    "type 1027 end role=spanEnd\n"
    "stream 1 \"main\"\n"
    "0.000001000 1 thread.run thread=3 cpu=0\n"
    "0.000001100 1 begin name=\"x\"\n"
    "0.000001500 1 !lost count=2 cause=ring_full duration=0.000000200\n"
    "0.000001700 1 end\n"
    "0.000002000 1 thread.stop thread=3 reason=blocked object=0\n";

// The loss began at 1300. That the span ends shows nothing of whether the thread ran.
TEST(UncertainTime, IsFromTheLossToTheNextStateOfTheThread) {
  EXPECT_EQ(uncertain_in(std::string(kThreadTypes) + kOneLoss, 0, 2000), (Said{700, 700, 700, 700}));
  EXPECT_EQ(uncertain_in(std::string(kThreadTypes) + kOneLoss, 1600, 2000), (Said{400, 400, 400, 400}));
}

// Where no event records when the thread runs, the next span shows what it does.
TEST(UncertainTime, OfAThreadWithoutStatesIsUpToItsNextSpan) {
  const Said said = uncertain_in(
      "type 1026 begin role=spanBegin (thread u32 role=thread) (name text role=name)\n"
      "type 1027 end role=spanEnd (thread u32 role=thread)\n"
      "stream 1 \"main\"\n"
      "0.000001000 1 begin thread=3 name=\"x\"\n"
      "0.000001200 1 !lost count=2 cause=ring_full duration=0.000000000\n"
      "0.000001700 1 end thread=3\n"
      "0.000002000 1 begin thread=3 name=\"y\"\n",
      0, 2000);
  EXPECT_EQ(said, (Said{0, 0, 700, 700}));
}

// Threads that run and stop at random on two streams, of which some events are lost.
class LossyStory {
 public:
  explicit LossyStory(unsigned seed) : random_(seed) {
    for (ns_ = 100; ns_ < 4000; ns_ += 1 + pick(60)) {
      const std::uint32_t stream = 1 + pick(2);
      pick(6) == 0 ? lose(stream) : change(1 + pick(4), stream);
      last_[stream] = ns_;
    }
    for (auto& [number, thread] : threads_) settle(&thread, ns_);
  }

  std::string text() const { return std::string(kThreadTypes) + "stream 1 \"a\"\nstream 2 \"b\"\n" + text_; }
  std::int64_t end_ns() const { return ns_; }
  std::uint64_t uncertain_ns() const { return uncertain_ns_; }
  std::uint64_t uncertain_running_ns() const { return uncertain_running_ns_; }

 private:
  struct Thread {
    bool runs = false;
    std::uint32_t stream = 0;
    std::int64_t since = 0;
    std::int64_t uncertain_since = INT64_MAX;
  };

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  void lose(std::uint32_t stream) {
    if (!last_.contains(stream)) return;
    text_ += fmt::format("0.{:09} {} !lost count=1 cause=ring_full duration=0.000000000\n", ns_, stream);
    for (auto& [number, thread] : threads_) {
      if (thread.stream != stream) continue;
      thread.uncertain_since = std::min(thread.uncertain_since, std::max(thread.since, last_[stream]));
    }
  }

  // Each thread has a cpu of its own.
  void change(std::uint32_t number, std::uint32_t stream) {
    Thread& thread = threads_[number];
    settle(&thread, ns_);
    thread.runs = !thread.runs;
    thread.stream = stream;
    thread.since = ns_;
    text_ += thread.runs
                 ? fmt::format("0.{:09} {} thread.run thread={} cpu={}\n", ns_, stream, number, number)
                 : fmt::format("0.{:09} {} thread.stop thread={} reason=blocked object=0\n", ns_, stream, number);
  }

  void settle(Thread* thread, std::int64_t ns) {
    if (thread->uncertain_since == INT64_MAX) return;
    const auto uncertain = static_cast<std::uint64_t>(ns - thread->uncertain_since);
    uncertain_ns_ += uncertain;
    uncertain_running_ns_ += thread->runs ? uncertain : 0;
    thread->uncertain_since = INT64_MAX;
  }

  std::mt19937 random_;
  std::int64_t ns_ = 0;
  std::string text_;
  std::map<std::uint32_t, std::int64_t> last_;  // by stream
  std::map<std::uint32_t, Thread> threads_;
  std::uint64_t uncertain_ns_ = 0;
  std::uint64_t uncertain_running_ns_ = 0;
};

TEST(UncertainTime, IsTheSameInAllAnalysesAndInANaiveModel) {
  for (unsigned seed = 0; seed < 100 && !::testing::Test::HasFailure(); ++seed) {
    const LossyStory story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    const std::uint64_t ns = story.uncertain_ns();
    EXPECT_EQ(uncertain_in(story.text(), 0, story.end_ns()), (Said{story.uncertain_running_ns(), ns, ns, ns}));
    const std::int64_t middle = story.end_ns() / 2;
    const Said late = uncertain_in(story.text(), middle, story.end_ns());
    EXPECT_EQ(late, (Said{late.cpu, late.threads, late.threads, late.threads}));
  }
}

}  // namespace
}  // namespace evt::testing
