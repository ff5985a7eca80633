// What threads of a running program wait for, of one whose threads wait for each other for ever.
#include <gmock/gmock.h>

#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class WhyNow : public Recorded {
 protected:
  // Runs the program by this line, asks until `said` is among the notes, and kills it. What it prints are its number
  // and those of its threads.
  Outcome ask(const std::string& line, const std::string& said) {
    const Outcome outcome = run("mkfifo numbers; " + line +
                                " > numbers 2>report & read p a b < numbers\n"
                                "for i in $(seq 200); do evt why pid:$p 2>notes >answer; grep -q '" +
                                said +
                                "' notes && break; sleep 0.1; done\n"
                                "evt why --json pid:$p 2>/dev/null >json; kill -9 $p; wait; echo $p $a $b; cat answer");
    std::istringstream(outcome.out) >> process_ >> seller_ >> packer_;
    return outcome;
  }

  // A variable of the program.
  std::string lock(const std::string& variable) const { return "the lock deadlocked." + process_ + ":" + variable; }

  std::string process_;
  std::string seller_;
  std::string packer_;
};

TEST_F(WhyNow, ThreadsThatWaitForEachOtherAreNamedWithTheirLocks) {
  const Outcome outcome = ask("evt run -o t.evt -- deadlocked", "deadlock");
  EXPECT_EQ(content_of("notes"), "evt why: deadlock: seller " + seller_ + " waits for " + lock("stock") +
                                     ", which packer " + packer_ + " holds; packer " + packer_ + " waits for " +
                                     lock("orders") + ", which seller " + seller_ + " holds\n");
  EXPECT_THAT(outcome.out, ContainsRegex(process_ + "  deadlocked +waiting +[0-9.]+ m?s  pthread_join +- +futex"));
  EXPECT_THAT(outcome.out, ContainsRegex(seller_ + "  seller +waiting +[0-9.]+ m?s  pthread_mutex_lock: " +
                                         lock("stock") + " +packer " + packer_ + " +futex"));
  EXPECT_THAT(outcome.out, ContainsRegex(packer_ + "  packer +waiting +[0-9.]+ m?s  pthread_mutex_lock: " +
                                         lock("orders") + " +seller " + seller_ + " +futex"));
  EXPECT_THAT(content_of("json"), HasSubstr("\"is_recorded\":true"));
  EXPECT_THAT(content_of("json"), HasSubstr("\"object\":\"deadlocked." + process_ +
                                            ":stock\",\"resource\":\"lock\",\"holder\":" + packer_));
  EXPECT_THAT(content_of("json"), HasSubstr("{\"thread\":" + seller_ + ",\"frame\":0,\"function\":"));
}

TEST_F(WhyNow, WritersOfReadWriteLocksAreNamedAsTheirHolders) {
  ask("evt run -o t.evt -- deadlocked write", "deadlock");
  EXPECT_EQ(content_of("notes"), "evt why: deadlock: seller " + seller_ + " waits for " + lock("names") +
                                     ", which packer " + packer_ + " holds; packer " + packer_ + " waits for " +
                                     lock("prices") + ", which seller " + seller_ + " holds\n");
}

TEST_F(WhyNow, OfAProgramThatIsNotRecordedTheKernelsAnswersAreShown) {
  const Outcome outcome = ask("deadlocked", "not recorded");
  EXPECT_EQ(
      content_of("notes"),
      "evt why: process " + process_ +
          " is not recorded: only its system calls show what it waits for; evt run records a program from its start\n");
  EXPECT_THAT(outcome.out, ContainsRegex(seller_ + "  seller +waiting +- +- +- +futex"));
  EXPECT_THAT(content_of("json"), HasSubstr("\"is_recorded\":false"));
}

// A shell's function that calls itself takes several frames each time, of more than is looked at.
TEST_F(WhyNow, AStackThatIsTooDeepIsTruncated) {
  run("mkfifo never\n"
      "bash -c 'f() { if [ $1 -gt 0 ]; then f $(($1 - 1)); else read x <never; fi; }; f 400' & p=$!\n"
      "for i in $(seq 200); do evt why --json pid:$p 2>notes >json; grep -q truncated json && break; sleep 0.1; done\n"
      "kill -9 $p; wait");
  EXPECT_THAT(content_of("json"), HasSubstr("\"function\":\"[truncated]\""));
}

TEST_F(WhyNow, WithoutSuchAProcessThePastIsAskedFor) {
  const Outcome outcome = run("evt why pid:99999999");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("no process 99999999 records a trace here"));
}

}  // namespace
}  // namespace evt::testing
