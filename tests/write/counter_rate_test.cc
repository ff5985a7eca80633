// The rate of the machine's counter: measured once by a process, and handed down to those that it starts.
#include <stdlib.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class CounterRate : public RingTest {
 protected:
  void SetUp() override {
    if (measured_ == 0) GTEST_SKIP() << "sessions are timed by the system's clock here";
    if (evt_counter_hz() == measured_) GTEST_SKIP() << "the processor or hypervisor states it here";
  }
  ~CounterRate() override { unsetenv("EVTRACE_COUNTER_HZ"); }

  static std::uint64_t rate_with(const std::string& handed_down) {
    setenv("EVTRACE_COUNTER_HZ", handed_down.c_str(), 1);
    return evt_counter_hz();
  }

  const std::uint64_t measured_ = evt_counter_hz();
};

TEST_F(CounterRate, IsTheOneThatWasHandedDown) {
  const std::uint64_t other = measured_ + measured_ / 1000;
  EXPECT_EQ(rate_with(std::to_string(other)), other);
  evt_options options = this->options();
  options.clock = nullptr;
  auto writer = Writer::open(path, options);
  ASSERT_TRUE(writer && writer->close().ok());
  const Trace trace = open_file(path);
  ASSERT_EQ(trace.sessions()[0].clocks.size(), 1u);
  EXPECT_EQ(trace.sessions()[0].clocks[0].hz, other);
}

TEST_F(CounterRate, IsMeasuredWhereWhatWasHandedDownIsNone) {
  for (const char* const text : {"", "0", "x", "-2000000000", "2000000000x", " 2000000000", "99999999999999999999"}) {
    EXPECT_NEAR(static_cast<double>(rate_with(text)), static_cast<double>(measured_),
                static_cast<double>(measured_) / 50)
        << text;
  }
}

}  // namespace
}  // namespace evt::testing
