// How long threads waited for a cpu: of random schedules, what a slow and simple reading finds.
#include <evt/analysis/scheduling_delays.h>

#include <algorithm>
#include <map>

#include "scheduling.h"

namespace evt::testing {
namespace {

struct Found {
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> woken;
};

// Threads of a kernel: one at a time on each cpu, with every change recorded.
class Kernel {
 public:
  explicit Kernel(unsigned seed) : random_(seed) {
    cpus_.resize(1 + pick(3));
    threads_.resize(2 + pick(6));
    for (int steps = 200; steps > 0; --steps) step();
  }

  const std::string& text() const { return text_; }
  const std::map<std::uint64_t, Found>& threads() const { return of_threads_; }
  const std::map<std::uint64_t, Found>& cpus() const { return of_cpus_; }
  std::uint64_t unfinished() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(threads_, [](const Thread& thread) { return thread.state == 'r'; }));
  }

 private:
  struct Thread {
    char state = 'n';  // new, runnable, running, waiting
    bool is_woken = false;
    std::int64_t since = 0;
  };

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  void step() {
    now_ += 1 + pick(1000);
    const std::uint32_t number = pick(static_cast<std::uint32_t>(threads_.size()));
    Thread& thread = threads_[number];
    if (thread.state == 'n' || thread.state == 'w') {
      const bool is_new = thread.state == 'n';
      event(number, is_new ? "create" : "wake", is_new ? "" : " waker=0");
      thread = {'r', !is_new, now_};
    } else if (thread.state == 'r') {
      run(number);
    } else {
      const bool waits = pick(2) == 0;
      event(number, "stop", waits ? " reason=blocked object=0" : " reason=preempted object=0");
      thread = {waits ? 'w' : 'r', false, now_};
      std::ranges::replace(cpus_, number + 1, 0u);
    }
  }

  void run(std::uint32_t number) {
    const std::uint32_t cpu = pick(static_cast<std::uint32_t>(cpus_.size()));
    if (cpus_[cpu] != 0) return;
    event(number, "run", " cpu=" + std::to_string(cpu));
    cpus_[cpu] = number + 1;
    Thread& thread = threads_[number];
    const auto waited = static_cast<std::uint64_t>(now_ - thread.since);
    for (Found* const found : {&of_threads_[number + 1], &of_cpus_[cpu]}) {
      found->all.push_back(waited);
      if (thread.is_woken) found->woken.push_back(waited);
    }
    thread.state = 'R';
  }

  void event(std::uint32_t number, const char* what, const std::string& more) {
    text_ += fmt::format("0.{:09} 1 thread.{} thread={}{}\n", now_, what, number + 1, more);
  }

  std::mt19937 random_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> cpus_;  // the thread there, from 1 on; 0: none
  std::map<std::uint64_t, Found> of_threads_;
  std::map<std::uint64_t, Found> of_cpus_;
  std::int64_t now_ = 0;
  std::string text_ = "stream 1 \"kernel\"\n";
};

void expect_delays(const SchedulingDelays::Delays& delays, std::vector<std::uint64_t> wanted) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : wanted) sum += each;
  EXPECT_EQ(delays.lengths.count(), wanted.size());
  EXPECT_EQ(delays.lengths.sum(), sum);
  if (wanted.empty()) return;
  EXPECT_EQ(delays.lengths.max(), *std::ranges::max_element(wanted));
}

void expect_delays(const std::vector<SchedulingDelays::Row>& rows, const ActorList& actors,
                   const std::map<std::uint64_t, Found>& wanted) {
  std::size_t with_delays = 0;
  for (const SchedulingDelays::Row& row : rows) {
    if (row.runnable.lengths.count() == 0) continue;
    ++with_delays;
    const auto found = wanted.find(actors[row.actor].number);
    ASSERT_NE(found, wanted.end());
    expect_delays(row.runnable, found->second.all);
    expect_delays(row.woken, found->second.woken);
  }
  EXPECT_EQ(with_delays, wanted.size());
}

TEST(SchedulingDelays, AreThoseOfASimpleReading) {
  for (unsigned seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Kernel kernel(seed);
    const std::string bytes = trace_from_text(std::string(kThreadTypes) + kernel.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    SchedulingDelays delays(timeline.actors());
    while (const TimelineItem* const item = timeline.next()) delays.take(*item);
    expect_delays(delays.threads(), timeline.actors().threads(), kernel.threads());
    expect_delays(delays.cpus(), timeline.actors().cpus(), kernel.cpus());
    std::uint64_t unfinished = 0;
    for (const SchedulingDelays::Row& row : delays.threads()) unfinished += row.runnable.unfinished;
    EXPECT_EQ(unfinished, kernel.unfinished());
  }
}

}  // namespace
}  // namespace evt::testing
