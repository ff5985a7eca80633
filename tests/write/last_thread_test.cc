// The flusher is a thread that the C library counts, and the last one of a program is to end it.
#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class LastThread : public RingTest {
 protected:
  void SetUp() override {
    if (kThreadSanitizer) GTEST_SKIP() << "has a thread of its own, which is never the last";
  }
  Outcome end_by(const std::string& how) { return run("last_thread a.evt " + how, folder.path(), "", 30); }
};

// Output in the C library's buffers is written by exit().
constexpr char kClosed[] = "closed 0, SIGUSR1 is not blocked, SIGUSR2 is blocked\n";

TEST_F(LastThread, EndsTheProgramWithItsExitHandlers) {
  EXPECT_EQ(end_by("exit_thread"), (Outcome{0, std::string("thread done\n") + kClosed, ""}));
  EXPECT_EQ(ticks_in(path), numbers(0, 3));
  EXPECT_TRUE(open_file(path).sessions()[0].closed);
  EXPECT_EQ(rings_of(folder), std::vector<std::string>{});
}

TEST_F(LastThread, MayBeMain) {
  EXPECT_EQ(end_by("alone"), (Outcome{0, kClosed, ""}));
  EXPECT_EQ(ticks_in(path), (std::vector<std::uint32_t>{0, 2}));
}

// Who ends a thread behind the C library's back gets no exit handlers, with a writer or without one.
TEST_F(LastThread, ThatEndedByASystemCallLeavesItsStatus) {
  EXPECT_EQ(end_by("system_call"), (Outcome{5, "main done\n", ""}));
  EXPECT_EQ(ticks_in(path), numbers(0, 1));
}

// One copy of the writer looks for the threads of another.
TEST_F(LastThread, OfAProgramWithTwoSessionsEndsItToo) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer wants to be the first library";
  EXPECT_EQ(run("LD_PRELOAD=\"$(dirname \"$(command -v last_thread)\")/libevtrace-preload.so\" "
                "EVTRACE= evt run -o run.evt -- last_thread a.evt exit_thread 2> report",
                folder.path(), "", 30),
            (Outcome{0, std::string("thread done\n") + kClosed, ""}));
  EXPECT_EQ(ticks_in(path), numbers(0, 3));
}

}  // namespace
}  // namespace evt::testing
