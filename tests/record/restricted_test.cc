// Programs that restrict their own system calls: each does what it does by itself, and is recorded up to there.
#include <gmock/gmock.h>

#include "recorded.h"

namespace evt::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSentence = " restricted its system calls at [0-9]+\\.[0-9]+ s: not recorded from then on\n";

class Restricted : public Recorded {
 protected:
  void SetUp() override {
    Recorded::SetUp();
    if (run("restricted kill-process").status == 77) GTEST_SKIP() << "this system has no filters of system calls";
  }

  // Calls of write and their bytes, of the file that the program opened.
  std::string writes() const {
    return run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^w,' | cut -d, -f3,4").out;
  }
};

TEST_F(Restricted, ProgramsDoWhatTheyDo) {
  for (const char* const story :
       {"strict", "kill-process", "kill-thread", "error", "syscall", "by-syscall-of-prctl", "all-threads",
        "other-thread", "end", "child", "vfork", "probes", "refused", "refused-beside-a-thread", "inherits"}) {
    SCOPED_TRACE(story);
    expect_same(std::string("restricted ") + story);
  }
}

TEST_F(Restricted, ProgramsAskTheSystemForNothingElse) {
  ASSERT_THAT(run("restricted witness").out, HasSubstr("system call ")) << "the program says what it asks for";
  expect_same("restricted witness");
}

TEST_F(Restricted, ProgramsAreRecordedUpToThereAndTheSummarySaysWhen) {
  for (const char* const story : {"strict", "kill-process", "kill-thread", "error", "syscall", "by-syscall-of-prctl",
                                  "all-threads", "other-thread"}) {
    record(std::string("restricted ") + story);
    EXPECT_EQ(writes(), "1,3\n") << story;
    EXPECT_THAT(report(), ContainsRegex("evt run: restricted\\.[0-9]+" + std::string(kSentence))) << story;
    EXPECT_EQ(run("evt dump --event run.restricted t.evt | wc -l").out, "1\n") << story;
  }
}

TEST_F(Restricted, ProgramsAreCountedUpToThereAndTheSummarySaysWhen) {
  if (run("which hooked").status != 0) GTEST_SKIP() << "there are no trampolines for this machine";
  for (const char* const mode : {"--count", "--count=exact", "--count=calls"}) {
    record("restricted all-threads", mode);
    EXPECT_EQ(counts("fopen|fputs|syscall"), "fopen,1\n") << mode;
    EXPECT_THAT(report(), ContainsRegex("evt run: restricted\\.[0-9]+" + std::string(kSentence))) << mode;
  }
  record("restricted all-threads", "--all-calls");
  EXPECT_THAT(report(), ContainsRegex("evt run: restricted\\.[0-9]+" + std::string(kSentence)));
}

TEST_F(Restricted, ChildrenEndOnlyTheirOwnRecording) {
  for (const std::string story : {"child", "vfork"}) {
    EXPECT_EQ(record("restricted " + story).status, 0) << report();
    EXPECT_EQ(calls("write"), "write,1001,1003\n") << story;
    const bool was_recorded = report().find(" restricted its system calls at ") != std::string::npos;
    EXPECT_EQ(was_recorded, story == "child") << report();
  }
}

TEST_F(Restricted, ProgramsThatOnlyAskWhatThereIsAreRecorded) {
  EXPECT_EQ(record("restricted probes").out, "refused\nwent on\n");
  EXPECT_EQ(writes(), "1001,1003\n");
  EXPECT_THAT(report(), Not(HasSubstr("its system calls")));
  EXPECT_EQ(run("evt dump --header t.evt | grep -c '^part'").out, "2\n") << "the recording did not end";
}

TEST_F(Restricted, ProgramsThatTheSystemRefusesThatAreRecordedOn) {
  EXPECT_EQ(record("restricted refused").out, "refused\nwent on\n");
  EXPECT_EQ(calls("write"), "write,1003,1019\n") << report();
  EXPECT_THAT(report(), Not(HasSubstr("its system calls")));
  EXPECT_EQ(record("restricted refused-beside-a-thread").out, "refused\nwent on\n");
  EXPECT_THAT(report(), ContainsRegex("restricted\\.[0-9]+ could not restrict its system calls at [0-9.]+ s: another "
                                      "thread is not recorded from then on\n"));
}

TEST_F(Restricted, ProgramsThatInheritItAreRecorded) {
  EXPECT_EQ(record("restricted inherits"), prints("done\n"));
  EXPECT_EQ(calls("write|pwrite|puts"), "puts,1,5\npwrite,10,70\nwrite,101,1003\n");
}

}  // namespace
}  // namespace evt::testing
