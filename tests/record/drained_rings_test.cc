// The thread that empties the kernel's rings.
#include "libtrace-record/perf/drained_rings.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace evt::testing {
namespace {

std::chrono::nanoseconds cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

TEST(DrainedRings, CostNothingOnceWhatTheyRecordHasEnded) {
  pid_t child = 0;
  char* const arguments[] = {const_cast<char*>("sleep"), const_cast<char*>("60"), nullptr};
  ASSERT_EQ(posix_spawnp(&child, "sleep", nullptr, nullptr, arguments, environ), 0);
  perf_event_attr wanted = {};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_TASK_CLOCK;
  wanted.exclude_kernel = 1;
  record::DrainedRings rings;
  const int refused = rings.open(wanted, child, 8);
  if (refused == 0) rings.start();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  if (refused != 0) GTEST_SKIP() << "the system refuses perf events: " << strerror(refused);
  const std::chrono::nanoseconds before = cpu_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_LT(cpu_time() - before, std::chrono::milliseconds(100));
}

}  // namespace
}  // namespace evt::testing
