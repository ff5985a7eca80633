// When a process was stopped, found out by a thread that wakes late: by hand, and beside threads that want its
// processors.
#include "libtrace-write/src/stop_clock.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "libtrace-write/src/clock.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

std::optional<std::uint64_t> run_delay_ns;
bool stated_run_delay(std::uint64_t* ns) {
  *ns = run_delay_ns.value_or(0);
  return run_delay_ns.has_value();
}

class StoppedProcess : public ::testing::Test {
 protected:
  void SetUp() override { run_delay_ns = 7 * kMs; }

  // How long a thread was stopped that wants to sleep from 1000 ms to 1100 ms, and when that ended; in ms.
  std::string stop_of_one_that_wakes_at(std::uint64_t ms) {
    StopClock::Stop stop;
    if (!clock_.wake(ms * kMs, &stop)) return "none";
    return std::to_string(stop.ns / kMs) + " until " + std::to_string(stop.ended_ns / kMs);
  }

  StopClock clock_ = StopClock(stated_run_delay);
};

TEST_F(StoppedProcess, WakesLate) {
  clock_.sleep(1000 * kMs, 1100 * kMs);
  EXPECT_EQ(stop_of_one_that_wakes_at(1400), "300 until 1400");
}

TEST_F(StoppedProcess, IsOneThatWakesVeryLate) {
  clock_.sleep(1000 * kMs, 1100 * kMs);
  EXPECT_EQ(stop_of_one_that_wakes_at(1149), "none");
}

TEST_F(StoppedProcess, IsNotOneThatIsWokenEarly) {
  clock_.sleep(1000 * kMs, 1100 * kMs);
  EXPECT_EQ(stop_of_one_that_wakes_at(1050), "none");
}

TEST_F(StoppedProcess, IsNotOneWhoseThreadWaitedForAProcessor) {
  clock_.sleep(1000 * kMs, 1100 * kMs);
  *run_delay_ns += 280 * kMs;
  EXPECT_EQ(stop_of_one_that_wakes_at(1400), "none");
}

TEST_F(StoppedProcess, WasStoppedBeforeItsThreadWaitedForAProcessor) {
  clock_.sleep(1000 * kMs, 1100 * kMs);
  *run_delay_ns += 30 * kMs;
  EXPECT_EQ(stop_of_one_that_wakes_at(1400), "270 until 1370");
}

TEST_F(StoppedProcess, IsNotBlamedForWhatItsThreadWaitedBefore) {
  clock_.sleep(1000 * kMs, 1001 * kMs);
  *run_delay_ns += 500 * kMs;
  EXPECT_EQ(stop_of_one_that_wakes_at(1001), "none");
  clock_.sleep(1600 * kMs, 1700 * kMs);
  EXPECT_EQ(stop_of_one_that_wakes_at(1900), "200 until 1900");
}

TEST_F(StoppedProcess, IsNotFoundWhereTheKernelCountsNoRunDelays) {
  run_delay_ns.reset();
  clock_.sleep(1000 * kMs, 1100 * kMs);
  EXPECT_EQ(stop_of_one_that_wakes_at(1400), "none");
}

void sleep_until(std::uint64_t ns) {
  const timespec time = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

// Sleeps for a second, 10 ms at a time; how long its process was stopped then.
std::uint64_t stopped_in_a_second() {
  StopClock clock;
  std::uint64_t stopped = 0;
  const std::uint64_t end = monotonic_ns() + 1000 * kMs;
  for (std::uint64_t now = monotonic_ns(); now < end; now = monotonic_ns()) {
    clock.sleep(now, now + 10 * kMs);
    sleep_until(now + 10 * kMs);
    StopClock::Stop stop;
    if (clock.wake(monotonic_ns(), &stop)) stopped += stop.ns;
  }
  return stopped;
}

// As many threads that never sleep as there are processors, twice: the sleeper waits for its turn again and again.
TEST(StopClock, FindsNoStopBesideThreadsThatSpin) {
  std::uint64_t ns = 0;
  if (!read_run_delay(&ns)) GTEST_SKIP() << "this kernel counts no run delays";
  std::atomic<bool> done = false;
  std::vector<std::thread> spinners;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i) {
    spinners.emplace_back([&] {
      while (!done.load(std::memory_order_relaxed)) {
      }
    });
  }
  const std::uint64_t begin = monotonic_ns();
  const std::uint64_t stopped = stopped_in_a_second();
  const std::uint64_t took = monotonic_ns() - begin;
  done = true;
  for (std::thread& spinner : spinners) spinner.join();
  // A machine that stops itself for so long does not count its threads' run delays meanwhile.
  EXPECT_EQ(stopped, 0u) << "of " << took << " ns";
}

}  // namespace
}  // namespace evt::testing
