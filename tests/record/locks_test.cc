// Waits of threads for each other, of programs that know for whom.
#include <gmock/gmock.h>

#include "recorded.h"

namespace evt::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::StartsWith;

class RecordedLocks : public Recorded {
 protected:
  // Names of locks without the process in front, and of threads without their numbers.
  Outcome answer(const std::string& line) const {
    return run(line + " 2>/dev/null | sed -E 's/known[.][0-9]+://g; s/[0-9]+ [(]([a-z]+)[)]/\\1/g'");
  }
  std::string why(const std::string& call) const { return answer("evt why t.evt " + call).out; }
};

// Three wait for a lock at once, and each of them first for the writer.
TEST_F(RecordedLocks, OfAConvoyAreExplainedByThoseThatHeldTheLock) {
  for (const char* const way : {"", "--no-sched"}) {
    SCOPED_TRACE(way);
    ASSERT_EQ(record("known convoy", way), prints(""));
    EXPECT_THAT(why("pthread_mutex_lock"), ContainsRegex("^pthread_mutex_lock of known took .*\\(the slowest of 3\\)\n"
                                                         " +time +share +what\n"
                                                         "[ 0-9.]+ ms +[0-9.]+ % +waiting for the lock orders\n"
                                                         "(.*\n)*[ 0-9.]+ ms +[0-9.]+ % +writer held it\n"
                                                         "(.*\n)*[ 0-9.]+ ms +[0-9.]+ % +waiting in nanosleep\n"));
    EXPECT_THAT(answer("evt stats locks --csv --columns waits,threads,most_waiting t.evt").out,
                StartsWith("lock,waits,threads,most_waiting\r\norders,3,3,3\r\n"));
    EXPECT_EQ(answer("evt stats locks --table holders --csv t.evt | cut -d, -f1,3,4 | grep writer,nano").out,
              "orders,writer,nanosleep\n");
  }
}

TEST_F(RecordedLocks, AreReleasedByThoseForWhomOthersWait) {
  ASSERT_EQ(record("known waits", "--no-sched"), prints(""));
  EXPECT_THAT(why("sem_wait"), ContainsRegex("waiting in sem_wait\\(places\\)\n(.*\n)*.* maker woke it\n"));
  EXPECT_THAT(why("pthread_cond_wait"),
              ContainsRegex("waiting in pthread_cond_wait\\(changed\\)\n(.*\n)*.* maker woke it\n"));
  EXPECT_THAT(why("pthread_rwlock_wrlock"), ContainsRegex("waiting for the lock prices\n(.*\n)*.* maker held it\n"));
  EXPECT_THAT(why("pthread_join"), ContainsRegex("waiting in pthread_join\n(.*\n)*.* maker had not ended\n"));
}

TEST_F(RecordedLocks, OfABarrierAreExplainedByTheThreadThatCameLast) {
  for (const char* const way : {"", "--no-sched"}) {
    SCOPED_TRACE(way);
    ASSERT_EQ(record("known barrier", way), prints(""));
    EXPECT_THAT(why("pthread_barrier_wait"),
                ContainsRegex("waiting in pthread_barrier_wait\\(lap\\)\n(.*\n)*.* writer woke it\n"
                              "(.*\n)*.* waiting in nanosleep\n"));
    EXPECT_THAT(answer("evt stats locks --csv --columns waits,threads,most_waiting t.evt").out,
                StartsWith("lock,waits,threads,most_waiting\r\nlap,4,4,2\r\n"));
    EXPECT_EQ(answer("evt stats locks --table holders --csv t.evt | cut -d, -f1,3,4 | grep nano").out,
              "lap,writer,nanosleep\n");
    EXPECT_EQ(run("evt dump --event run.release t.evt | grep -c object=").out, "2\n");
  }
}

TEST_F(RecordedLocks, OfAPipeAreExplainedByTheProcessThatWrites) {
  for (const char* const way : {"", "--no-sched"}) {
    SCOPED_TRACE(way);
    ASSERT_EQ(record("known slow-writer", way), prints(""));
    EXPECT_THAT(why("read"), ContainsRegex("waiting in read\\(pipe:\\[[0-9]+\\]\\)\n(.*\n)*.* had not sent yet\n"
                                           "(.*\n)*.* waiting in nanosleep\n"));
  }
}

TEST_F(RecordedLocks, OfASocketAreExplainedByTheProcessThatSends) {
  for (const char* const way : {"", "--no-sched"}) {
    SCOPED_TRACE(way);
    ASSERT_EQ(record("known slow-server", way), prints(""));
    EXPECT_THAT(why("recv"), ContainsRegex("waiting in recv\\(127[.]0[.]0[.]1:[0-9]+\\)\n(.*\n)*.* had not sent yet\n"
                                           "(.*\n)*.* waiting in nanosleep\n"));
  }
}

// The thread reads next from the socket that ended its wait.
TEST_F(RecordedLocks, ForAnyOfSeveralAreExplainedByWhatIsReadNext) {
  ASSERT_EQ(record("known slow-polled-server"), prints(""));
  EXPECT_THAT(why("poll"), ContainsRegex("waiting in poll\n(.*\n)*.* had not sent yet\n"
                                         "(.*\n)*.* waiting in nanosleep\n"));
  ASSERT_EQ(record("known slow-pair"), prints(""));
  EXPECT_THAT(why("epoll_wait"), ContainsRegex("waiting in epoll_wait\n(.*\n)*.* had not sent yet\n"
                                               "(.*\n)*.* waiting in nanosleep\n"));
}

// A wait that ends with its time is recorded as any other, and a lock that is free leaves no call.
TEST_F(RecordedLocks, WithATimeAreThoseOfWhoHoldsThem) {
  ASSERT_EQ(record("known timed-locks", "--no-sched"), prints(""));
  EXPECT_EQ(answer("evt stats usage --by function --csv --columns calls t.evt | grep -E 'lock,|sem_' | sort").out,
            "pthread_mutex_clocklock,lock,1\r\npthread_mutex_timedlock,lock,1\r\n"
            "pthread_rwlock_clockrdlock,lock,1\r\npthread_rwlock_clockwrlock,lock,1\r\n"
            "pthread_rwlock_timedrdlock,lock,1\r\npthread_rwlock_timedwrlock,lock,1\r\n"
            "sem_clockwait,semaphore,1\r\nsem_timedwait,semaphore,1\r\n");
  EXPECT_EQ(answer("evt stats locks --table holders --csv t.evt | cut -d, -f1,3 | grep writer | sort -u").out,
            "orders,writer\nprices,writer\n");
  EXPECT_THAT(why("pthread_mutex_timedlock"), ContainsRegex("waiting for the lock orders\n(.*\n)*.* writer held it\n"));
}

// A waiter that got the lock does not know whether another waits, and releases it for one.
TEST_F(RecordedLocks, OfEachKindAreReleasedOnceByWhoHeldThem) {
  ASSERT_EQ(record("known kinds-of-locks", "--no-sched"), prints(""));
  EXPECT_EQ(answer("evt stats locks --table holders --csv t.evt | cut -d, -f1,3 | grep ',known$' | sort -u").out,
            "checked,known\ninherits,known\ninner,known\nplain,known\nrobust,known\n");
  EXPECT_EQ(run("evt dump --event run.release t.evt | sed 's/.*object=//' | sort | uniq -c | awk '{ print $1 }'").out,
            "2\n2\n2\n2\n2\n");
}

TEST_F(RecordedLocks, ThatNobodyWaitsForLeaveNoEvent) {
  ASSERT_EQ(record("known locks"), prints(""));
  const std::string releases = run("evt dump --event run.release t.evt | wc -l").out;
  EXPECT_TRUE(releases == "1\n" || releases == "2\n") << releases;
}

TEST_F(RecordedLocks, AreNotReleasedWhereWaitingIsNotRecorded) {
  ASSERT_EQ(record("known convoy", "--calls files"), prints(""));
  EXPECT_EQ(run("evt dump --event run.release t.evt 2>&1 | wc -l").out, "1\n");
  EXPECT_EQ(
      run("evt stats locks t.evt"),
      (Outcome{1, "",
               "evt stats: t.evt: no event records a wait for a lock (roles callBegin, call, threadStop; resource "
               "lock or barrier)\n"}));
}

}  // namespace
}  // namespace evt::testing
