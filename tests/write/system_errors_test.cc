// Calls of the system that fail, one after the other: the program goes on, and what went wrong is said.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr int kMayNot = 77;
constexpr std::uint32_t kTicks = 20'000;

// From here on, a call of this number fails so, in all threads of this process. False where that is not allowed.
bool fail_from_now_on(long number, std::uint32_t error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

struct Said {
  char text[256];
};

class SystemError : public RingTest {
 protected:
  // What close says of a session in which these calls fail behind the first 100 of its ticks.
  void expect_said(long number, std::uint32_t error, const std::string& expected) {
    auto* const said = shared<Said>();
    const int status = in_child([&] {
      Writer writer = open();
      const auto types = writer.declare<Tick>();
      Stream stream = writer.stream("a");
      emit_ticks(stream, types, 0, 100);
      stream.flush();
      if (!fail_from_now_on(number, error)) _exit(kMayNot);
      emit_ticks(stream, types, 100, kTicks);
      snprintf(said->text, sizeof said->text, "%s", writer.close().message().c_str());
    });
    const std::string message = said->text;
    munmap(said, sizeof *said);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) GTEST_SKIP() << "system calls cannot be filtered here";
    EXPECT_EQ(status, 0);
    EXPECT_EQ(message, expected);
  }
};

TEST_F(SystemError, AtCloseIsReportedOfAFileThatIsWhole) {
  ASSERT_NO_FATAL_FAILURE(expect_said(SYS_close, EIO, "cannot close " + path + ": Input/output error"));
  EXPECT_EQ(ticks_in(path), numbers(0, kTicks));
}

TEST_F(SystemError, OfADiskIsReportedAndWhatWasWrittenStays) {
  ASSERT_NO_FATAL_FAILURE(expect_said(SYS_writev, EIO, "cannot write " + path + ": Input/output error"));
  Trace trace = open_file(path);
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(ticks_in(trace), numbers(0, 100));
}

TEST_F(SystemError, OfAQuotaIsReportedAndWhatWasWrittenStays) {
  ASSERT_NO_FATAL_FAILURE(expect_said(SYS_writev, EDQUOT, "cannot write " + path + ": Disk quota exceeded"));
  Trace trace = open_file(path);
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(ticks_in(trace), numbers(0, 100));
}

TEST_F(SystemError, ThatLeavesNoMoreSharedMemoryEndsNothing) {
  ASSERT_NO_FATAL_FAILURE(expect_said(SYS_fallocate, ENOSPC, ""));
  EXPECT_EQ(ticks_in(path), numbers(0, kTicks));
}

}  // namespace
}  // namespace evt::testing
