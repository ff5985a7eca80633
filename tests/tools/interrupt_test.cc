// Waiting for input can be given up at any time, and leaves nothing behind.
#include <signal.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Interrupt : public AtTheShell {};

TEST_F(Interrupt, AFifoThatNobodyWritesToCanBeLeft) {
  EXPECT_EQ(run("mkfifo f; timeout --preserve-status -s INT 0.2 evt dump f"), refuses(128 + SIGINT, ""));
  EXPECT_EQ(run("timeout --preserve-status -s TERM 0.2 evt dump f"), refuses(128 + SIGTERM, ""));
  EXPECT_EQ(run("timeout --preserve-status -s INT 0.2 evt convert f -o out"), refuses(128 + SIGINT, ""));
  EXPECT_EQ(files(), std::vector<std::string>{"f"});
}

TEST_F(Interrupt, AFifoThatStaysOpenCanBeLeft) {
  given_trace("x.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  EXPECT_EQ(run("mkfifo f; exec 3<>f; cat x.evt >&3; timeout --preserve-status -s INT 0.2 evt dump f"),
            refuses(128 + SIGINT, ""));
}

TEST_F(Interrupt, AnInterruptedConversionLeavesNoTemporary) {
  const std::string until_started =
      "set -m; rm -f f; mkfifo f; evt convert f -o out & exec 3>f\n"
      "printf 'evtrace text 1\\nsession\\n' >&3\n"
      "until ls out.* >/dev/null 2>&1; do sleep 0.01; done\n";
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    const Outcome outcome = run(until_started + "kill -" + signal + " $!; wait $! 2>/dev/null; test $? -gt 128 && ls");
    EXPECT_EQ(outcome.out, "f\n") << signal << outcome;
  }
}

TEST_F(Interrupt, AnInterruptedMergeLeavesNoTemporary) {
  const Outcome outcome =
      run("set -m; rm -f f; mkfifo f; evt merge f -o out & exec 3>f\n"
          "until ls out.* >/dev/null 2>&1; do sleep 0.01; done\n"
          "kill -INT $!; wait $! 2>/dev/null; test $? -gt 128 && ls");
  EXPECT_EQ(outcome.out, "f\n") << outcome;
}

TEST_F(Interrupt, AConversionUnderNohupGoesOnAfterAHangup) {
  const Outcome outcome =
      run("mkfifo f; trap '' HUP; evt convert f -o out & exec 3>f\n"
          "printf 'evtrace text 1\\nsession\\n' >&3\n"
          "until ls out.* >/dev/null 2>&1; do sleep 0.01; done\n"
          "kill -HUP $!; exec 3>&-; wait $!");
  EXPECT_EQ(outcome, prints(""));
}

}  // namespace
}  // namespace evt::testing
