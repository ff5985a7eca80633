// Which thread ran when, as the kernel records it; and what there is where it does not.
#include <cstdlib>

#include "recorded.h"

namespace evt::testing {
namespace {

class Sched : public Recorded {
 protected:
  // Not in every container.
  bool is_refused() const { return report().find("perf_event_open") != std::string::npos; }
  // Seconds.
  double number(const std::string& line) const { return std::strtod(run(line).out.c_str(), nullptr); }
};

TEST_F(Sched, HasTheCpuTimeThatTheSystemCounts) {
  ASSERT_EQ(record("known busy"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  const double recorded =
      number("evt stats cpu --by thread --csv t.evt | awk -F, 'NR > 1 && /known|worker/ { s += $3 } END { print s }'");
  EXPECT_NEAR(recorded, 400e6, 40e6) << run("evt stats cpu --by thread --csv t.evt");
}

TEST_F(Sched, KnowsAThreadByItsNumberInAllParts) {
  ASSERT_EQ(record("known busy"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(run("evt stats threads --csv t.evt 2>/dev/null | grep -c ',worker,'").out, "1\n")
      << run("evt stats threads --csv t.evt").out;
}

TEST_F(Sched, FitsTogetherWithWhatThreadsRecord) {
  ASSERT_EQ(record("known threads"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(run("evt stats usage,threads,share t.evt >out").err, "");
}

TEST_F(Sched, OfAStaticProgramIsRecordedAndItsCallsAreNot) {
  if (run("which known_static").status != 0) GTEST_SKIP() << "there is no static C library";
  ASSERT_EQ(record("known_static files"), prints("done\n"));
  EXPECT_NE(report().find("known_static is statically linked: its calls are not recorded"), std::string::npos)
      << report();
  EXPECT_EQ(calls(".*"), "");
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(run("evt stats threads --csv t.evt | grep -c ',known_static,'").out, "1\n");
}

TEST_F(Sched, KnowsTheProcessOfThreadsOfAStaticProgram) {
  if (run("which known_static").status != 0) GTEST_SKIP() << "there is no static C library";
  ASSERT_EQ(record("known_static threads"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  const Outcome process = run("evt dump -e run.process_program t.evt | sed 's/.*process=\\([0-9]*\\).*/8 \\1/'");
  EXPECT_EQ(run("evt dump -e run.thread_start t.evt | sed 's/.*process=//' | uniq -c | sed 's/^ *//'"), process);
}

// Of a shell that is recorded with the process that it makes for a command.
TEST_F(Sched, NamesHowManyProgramsRecordedNoCalls) {
  if (run("which known_static").status != 0) GTEST_SKIP() << "there is no static C library";
  ASSERT_EQ(record("sh -c '(:); known_static exit 0; true'"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_NE(report().find("evt run: 1 of 2 programs recorded no calls: other environments, static or setuid "
                          "(known_static)\n"),
            std::string::npos)
      << report();
  ASSERT_EQ(record("sh -c '(:); known exit 0; true'"), prints(""));
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << report();
  ASSERT_EQ(record("sh -c '(:); known exit 0; true'", "--no-follow-children"), prints(""));
  EXPECT_NE(report().find("evt run: 1 of 2 programs recorded no calls: --no-follow-children (known)\n"),
            std::string::npos)
      << report();
}

// The process has a session, of what it was before.
TEST_F(Sched, NamesProgramsThatAProcessBecameWithoutTheLibrary) {
  for (const std::string env : {"env -i", "env -u LD_PRELOAD", "env LD_PRELOAD="}) {
    for (const std::string way : {"", "--all-calls", "--count"}) {
      if (!way.empty() && run("which hooked").status != 0) continue;
      ASSERT_EQ(record(env + " $(command -v known) exit 4", way).status, 4);
      if (is_refused()) GTEST_SKIP() << report();
      EXPECT_NE(
          report().find("evt run: 1 of 2 programs recorded no calls: other environments, static or setuid (known)\n"),
          std::string::npos)
          << env << way << report();
    }
  }
  ASSERT_EQ(record("env known exit 4").status, 4);
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << report();
  ASSERT_EQ(record("env -i $(command -v known) exit 4", "--calls none").status, 4);
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << "none were asked for: " << report();
}

// The kernel has a ring of records for each cpu, and these are read one after another.
TEST_F(Sched, KnowsTheOrderOfProgramsThatAProcessBecameOnSeveralCpus) {
  const std::string last = "exec taskset -c 0 known exit 4";
  if (run("taskset -c 1 true").status != 0) GTEST_SKIP() << "there is one cpu";
  ASSERT_EQ(record("taskset -c 1 sh -c '" + last + "'").status, 4);
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << report();
}

TEST_F(Sched, IsReadOnceASecondWhereTheKernelRefuses) {
  ASSERT_EQ(run("refuse_perf evt run -o t.evt -- known busy 2>report"), prints(""));
  EXPECT_NE(report().find("evt run: the system refuses records of scheduling (perf_event_open: Operation not "
                          "permitted): the time of each thread is read once a second instead, and shares are by open "
                          "calls\n"),
            std::string::npos)
      << report();
  EXPECT_EQ(calls("pthread_create"), "pthread_create,1,0\n");
  EXPECT_EQ(run("test $(evt dump --event run.thread_time t.evt | wc -l) -ge 2").status, 0);
}

// Longer than a second after a child is there, and before its end.
TEST_F(Sched, OfChildrenIsReadOnceASecondWhereTheKernelRefuses) {
  const std::string line = "mkfifo f; known wait >f & read ready <f; sleep 2.2; kill -TERM $!; wait $!";
  ASSERT_EQ(run("refuse_perf evt run -o t.evt -- sh -c '" + line + "' 2>report").status, 7) << report();
  // sh, known and sleep, each with the thread that records.
  EXPECT_EQ(
      run("test $(evt dump --event run.thread_time t.evt | grep -o 'thread=[0-9]*' | sort -u | wc -l) -ge 6").status, 0)
      << run("evt dump --event run.thread_time t.evt").out;
}

TEST_F(Sched, NeedsNoRights) {
  const std::string as_other = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  if (run("chmod 777 . && " + as_other + "known exit 0").status != 0) GTEST_SKIP() << "this user has no other";
  ASSERT_EQ(run(as_other + "evt run -o t.evt -- known outside 2>report"), prints(""));
  EXPECT_NE(report().find(" by other means than recorded calls"), std::string::npos) << report();
  ASSERT_EQ(run(as_other + "evt run -o t.evt -- known busy 2>report"), prints(""));
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(run("evt stats threads --csv t.evt 2>/dev/null | grep -c ',worker,'").out, "1\n");
}

TEST_F(Sched, IsLeftOut) {
  ASSERT_EQ(record("known busy", "--no-sched"), prints(""));
  EXPECT_EQ(run("evt dump t.evt | grep -c run.switch").out, "0\n");
  EXPECT_EQ(calls("pthread_create"), "pthread_create,1,0\n");
}

}  // namespace
}  // namespace evt::testing
