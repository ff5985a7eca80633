// Calls of the system that fail, one after the other: the program goes on, and what went wrong is reported.
#include "write/failing_calls.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kErrorTicks = 20'000;
constexpr const char* kInRing = " rows are still in its ring: `evt check --recover` puts them into the file";

struct Said {
  char text[256];
};

class SystemError : public RingTest {
 protected:
  // The message of close of a session in which these calls fail after the first 100 of its ticks; empty, the test being
  // skipped, where that cannot be brought about.
  std::string said(long number, int error) {
    auto* const words = shared<Said>();
    const int status = in_child([&] {
      Writer writer = open();
      const auto types = writer.declare<Tick>();
      Stream stream = writer.stream("a");
      emit_ticks(stream, types, 0, 100);
      stream.flush();
      if (!fail_from_now_on(number, error)) _exit(kMayNot);
      emit_ticks(stream, types, 100, kErrorTicks);
      snprintf(words->text, sizeof words->text, "%s", writer.close().message().c_str());
    });
    std::string message = words->text;
    munmap(words, sizeof *words);
    may_not_ = WIFEXITED(status) && WEXITSTATUS(status) == kMayNot;
    EXPECT_TRUE(may_not_ || status == 0) << status;
    return message;
  }
  bool may_not() const { return may_not_; }
  // The file has the first 100 ticks, and with its ring this many.
  void expect_rest_in_ring(std::uint32_t ticks) {
    Trace file = open_file(path, /*rings=*/false);
    EXPECT_TRUE(file.damage().empty());
    EXPECT_EQ(ticks_in(file), numbers(0, 100));
    EXPECT_EQ(ticks_in(path), numbers(0, ticks));
  }

 private:
  bool may_not_ = false;
};

#define SKIP_IF_NOT_ALLOWED() \
  if (may_not()) GTEST_SKIP() << "system calls cannot be filtered here"

TEST_F(SystemError, AtCloseIsReportedOfAFileThatIsWhole) {
  const std::string closed = said(SYS_close, EIO);
  SKIP_IF_NOT_ALLOWED();
  EXPECT_EQ(closed, "cannot close " + path + ": Input/output error");
  EXPECT_EQ(ticks_in(path), numbers(0, kErrorTicks));
}

// What is recorded before the streams are switched off stays in the ring; a loss behind it may be a row there, too.
TEST_F(SystemError, OfADiskIsReportedAndWhatWasWrittenStays) {
  const std::string closed = said(SYS_writev, EIO);
  SKIP_IF_NOT_ALLOWED();
  const auto ticks = static_cast<std::uint32_t>(ticks_in(path).size());
  const std::uint64_t rows = open_file(path).sessions()[0].rows;
  EXPECT_EQ(closed, "cannot write " + path + ": Input/output error; " + std::to_string(rows - 100) + kInRing);
  EXPECT_GT(ticks, 100u);
  expect_rest_in_ring(ticks);
}

TEST_F(SystemError, OfAQuotaIsReportedAndWhatWasWrittenStays) {
  const std::string closed = said(SYS_writev, EDQUOT);
  SKIP_IF_NOT_ALLOWED();
  EXPECT_EQ(closed, "cannot write " + path + ": Disk quota exceeded; " + std::to_string(kErrorTicks - 100) + kInRing);
  expect_rest_in_ring(kErrorTicks);
}

TEST_F(SystemError, ThatLeavesNoMoreSharedMemoryEndsNothing) {
  const std::string closed = said(SYS_fallocate, ENOSPC);
  SKIP_IF_NOT_ALLOWED();
  EXPECT_EQ(closed, "");
  EXPECT_EQ(ticks_in(path), numbers(0, kErrorTicks));
}

}  // namespace
}  // namespace evt::testing
