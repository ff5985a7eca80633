// evt convert and evt dump when what they make cannot be written, or no reader wants it any more.
#include <gmock/gmock.h>
#include <signal.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;
using Names = std::vector<std::string>;

class CannotWrite : public AtTheShell {
 protected:
  CannotWrite() {
    const std::string small =
        "type 1024 tick (n u32)\n"
        "stream 1 \"m\"\n"
        "0.000000001 1 tick n=1\n";
    std::string big = small;
    for (int i = 2; i < 20'000; ++i) big += "1.000000000 1 tick n=" + std::to_string(i) + "\n";
    given_text("x.txt", small);
    given_trace("x.evt", small);
    given_text("big.txt", big);
    given_trace("big.evt", big);
  }
  const Names before_ = {"big.evt", "big.txt", "x.evt", "x.txt"};

  // Status 3, one sentence with this end, and no new file.
  void expect_failure(const std::string& line, const std::string& end) const {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.status, 3) << line;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_THAT(outcome.err, StartsWith("evt ")) << line;
    EXPECT_THAT(outcome.err, EndsWith(end + "\n")) << line;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << line << outcome;
    EXPECT_EQ(files(), before_) << line;
  }
};

TEST_F(CannotWrite, AFullDevice) {
  EXPECT_EQ(run("evt dump x.evt > /dev/full"),
            refuses(3, "evt dump: cannot write standard output: No space left on device\n"));
  EXPECT_EQ(run("evt dump --types x.evt > /dev/full"),
            refuses(3, "evt dump: cannot write standard output: No space left on device\n"));
  EXPECT_EQ(run("evt dump --count x.evt > /dev/full"),
            refuses(3, "evt dump: cannot write standard output: No space left on device\n"));
  EXPECT_EQ(run("evt convert x.evt > /dev/full"),
            refuses(3, "evt convert: cannot write standard output: No space left on device\n"));
}

TEST_F(CannotWrite, AFullDeviceIsCalledByItsName) {
  const Outcome expected = refuses(3, "evt convert: cannot write /dev/full: No space left on device\n");
  EXPECT_EQ(run("evt convert x.txt -o /dev/full"), expected);
  EXPECT_EQ(run("evt convert x.evt -o /dev/full"), expected);
  EXPECT_EQ(run("evt convert x.txt > /dev/full"),
            refuses(3, "evt convert: cannot write standard output: No space left on device\n"));
}

TEST_F(CannotWrite, AFolderThatIsNotThere) {
  for (const char* input : {"x.txt", "x.evt"}) {
    expect_failure("evt convert " + std::string(input) + " -o nowhere/out",
                   "evt convert: cannot write nowhere/out: the folder nowhere does not exist");
  }
}

TEST_F(CannotWrite, AFolderInItsPlace) {
  for (const char* input : {"x.txt", "x.evt"}) {
    EXPECT_EQ(run("mkdir out; evt convert " + std::string(input) + " -o out; status=$?; rmdir out; exit $status"),
              refuses(3, "evt convert: cannot write out: it is a directory\n"));
  }
}

TEST_F(CannotWrite, AFileInPlaceOfItsFolder) {
  expect_failure("evt convert x.txt -o x.evt/out", "evt convert: cannot write x.evt/out: Not a directory");
}

TEST_F(CannotWrite, AClosedStandardOutput) {
  expect_failure("evt dump x.evt >&-", "evt dump: cannot write standard output: Bad file descriptor");
}

TEST_F(CannotWrite, AFileThatMayNotGrowIsTheReasonThatIsGiven) {
  expect_failure("ulimit -f 16; evt convert big.txt -o out", "evt convert: cannot write out: File too large");
}

TEST_F(CannotWrite, ATextFileThatMayNotGrowLeavesNoTemporary) {
  expect_failure("ulimit -f 16; evt convert big.evt -o out", "evt convert: cannot write out: File too large");
}

// Runs the command with `disk` a small disk of its own; ends with 99 where that cannot be had.
std::string with_small_disk(const std::string& command) {
  return "mkdir disk; trap 'rmdir disk' EXIT; unshare -m true 2>/dev/null || exit 99\n"
         "unshare -m bash -c 'mount -t tmpfs -o size=64k none disk 2>/dev/null || exit 99\n" +
         command + "; status=$?; ls disk; exit $status'";
}

TEST_F(CannotWrite, AFullDisk) {
  const Outcome trace = run(with_small_disk("evt convert big.txt -o disk/out"));
  if (trace.status == 99) GTEST_SKIP() << "no disk can be mounted here";
  const Outcome expected = refuses(3, "evt convert: cannot write disk/out: No space left on device\n");
  EXPECT_EQ(trace, expected);
  EXPECT_EQ(run(with_small_disk("evt convert big.evt -o disk/out")), expected);
  const Outcome dump = run(with_small_disk("evt dump big.evt > disk/out; status=$?; rm disk/out; (exit $status)"));
  EXPECT_EQ(dump, refuses(3, "evt dump: cannot write standard output: No space left on device\n"));
}

TEST_F(CannotWrite, AReaderThatHasSeenEnoughEndsTheCommandQuietly) {
  EXPECT_EQ(run("evt dump big.evt | head -1"), prints("   0.000000001  m  tick n=1\n"));
  EXPECT_EQ(run("evt convert big.evt | head -1"), prints("evtrace text 1\n"));
  EXPECT_EQ(run("trap '' PIPE; evt dump big.evt | head -1"), prints("   0.000000001  m  tick n=1\n"));
  EXPECT_EQ(run("evt dump big.evt | true; exit ${PIPESTATUS[0]}"), refuses(128 + SIGPIPE, ""));
}

TEST_F(CannotWrite, AReaderThatHasSeenEnoughOfABinaryTraceEndsTheCommandQuietly) {
  EXPECT_EQ(run("evt convert big.txt -o - | head -c 4 | tail -c 3"), prints("EVT"));
  EXPECT_EQ(run("evt convert big.txt -o - | true; exit ${PIPESTATUS[0]}"), refuses(128 + SIGPIPE, ""));
}

TEST_F(CannotWrite, MessagesDoNotGoIntoTheOutputWhereThereIsNoStandardError) {
  given_trace("cut.evt", "truncated\n");
  // The FIFO would take the free place of standard error and still be open when the cut is to be reported.
  EXPECT_EQ(run("mkfifo f; cat f & evt convert - -o f < cut.evt 2>&-; status=$?; wait; exit $status"),
            (Outcome{1, std::string(kFirstLines) + "truncated\n", ""}));
}

}  // namespace
}  // namespace evt::testing
