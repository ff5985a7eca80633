// The main program of all tests. A test that hangs ends with its name; ctest would end all of its shard without one.
#include <gmock/gmock.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr time_t kLongestSeconds = 600;

char name[256];

void end_hanging_test(int /*signal*/) {
  static_cast<void>(!write(STDERR_FILENO, name, strlen(name)));
  _exit(1);
}

// Children have no timers of their parents: they may outlive a test, as some mean to.
class TimeLimit : public ::testing::EmptyTestEventListener {
 public:
  TimeLimit() {
    const int signal = SIGRTMIN + 8;
    struct sigaction action = {};
    action.sa_handler = end_hanging_test;
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = signal;
    // An emulator may not have them.
    is_there_ = sigaction(signal, &action, nullptr) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  }

 private:
  void OnTestStart(const ::testing::TestInfo& test) override {
    snprintf(name, sizeof name, "[  HANGS   ] %s.%s\n", test.test_suite_name(), test.name());
    set(kLongestSeconds);
  }
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override { set(0); }
  void set(time_t seconds) {
    const itimerspec limit = {{0, 0}, {seconds, 0}};
    if (is_there_) timer_settime(timer_, 0, &limit, nullptr);
  }

  timer_t timer_ = {};
  bool is_there_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return RUN_ALL_TESTS();
}
