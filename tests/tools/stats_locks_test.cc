// evt stats locks. The figures are computed by hand.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kLockTypes =
    "type 1024 call role=callBegin (function text role=function) (object u64 role=object) (kind text role=resource) "
    "(holder u64 role=holder)\n"
    "type 1025 back role=callEnd\n"
    "type 1026 name role=objectName (object u64 role=object) (name text role=name)\n"
    "type 1027 release role=lockRelease (object u64 role=object)\n"
    "type 1028 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 1029 stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason labels=[1=blocked])\n"
    "type 1030 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
    "type 1031 span role=spanBegin (name text role=name)\n"
    "type 1032 done role=spanEnd\n"
    "type 1033 waited role=sample (thread u64 role=thread) (stack interned[] role=stack) (took u64 role=duration "
    "unit=nanoseconds)\n"
    "stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\nstream 3 \"c\" thread=3\n";

class StatsLocks : public AtTheShell {
 protected:
  void given(std::string_view events) const { given_trace("a.evt", std::string(kLockTypes) + std::string(events)); }
};

// a writes for 3 s while b waits, and c for 2 s of them; b has the lock for one.
constexpr std::string_view kConvoy =
    "0.0 1 name object=7 name=\"orders\"\n0.0 1 name object=8 name=\"log\"\n"
    "1.0 1 call function=\"write\" object=8 kind=\"file\" holder=0\n"
    "1.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=0\n"
    "2.0 3 call function=\"lock\" object=7 kind=\"lock\" holder=0\n"
    "3.5 1 back\n4.0 1 release object=7\n4.0 2 back\n4.5 2 span name=\"sum\"\n"
    "5.0 2 release object=7\n5.0 3 back\n6.0 1 release object=7\n";

TEST_F(StatsLocks, TellHowLongThreadsWaitedAndWhoHeldTheLockMeanwhile) {
  given(kConvoy);
  EXPECT_EQ(run("evt stats locks a.evt"), prints("lock    waits    time  longest  threads  most waiting    held\n"
                                                 "orders      2  6.00 s   3.00 s        2             2  6.00 s\n"
                                                 "\n"
                                                 "lock    thread  name  in     object    time       %\n"
                                                 "orders       1  a     write  log     4.00 s  66.7 %\n"
                                                 "orders       1  a     -      -       1.00 s  16.7 %\n"
                                                 "orders       2  b     sum    -       500 ms   8.3 %\n"
                                                 "orders       2  b     -      -       500 ms   8.3 %\n"));
}

TEST_F(StatsLocks, OfARangeAreThePartsOfWaitsInIt) {
  given(kConvoy);
  EXPECT_EQ(
      run("evt stats locks --table locks --from 3s --to 4500ms a.evt"),
      (Outcome{0,
               "lock    waits    time  longest  threads  most waiting    held\n"
               "orders      2  2.50 s   1.50 s        2             2  2.00 s\n",
               "evt stats: a.evt: 1 call unfinished at the end\n"
               "evt stats: a.evt: 3 calls begun before the requested time: counted from the start of that time\n"}));
}

TEST_F(StatsLocks, OfOneThreadAreItsWaits) {
  given(kConvoy);
  EXPECT_EQ(run("evt stats locks --columns waits,time --table locks --thread c a.evt"),
            prints("lock    waits    time\norders      1  3.00 s\n"));
}

// It is awake before it gets the lock; what the trace says of who ended the wait holds where no release is recorded.
TEST_F(StatsLocks, CountTimeInWhichAThreadDoesNotRunWhereThatIsKnown) {
  given(
      "0.0 1 name object=7 name=\"orders\"\n0.0 1 run thread=1 cpu=0\n0.0 2 run thread=2 cpu=1\n"
      "1.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=0\n2.0 2 stop thread=2 reason=blocked\n"
      "4.0 1 wake thread=2 waker=1\n5.0 2 run thread=2 cpu=1\n6.0 2 back\n7.0 1 done\n");
  EXPECT_EQ(run("evt stats locks --table locks a.evt"),
            prints("lock    waits    time  longest  threads  most waiting    held\n"
                   "orders      1  2.00 s   2.00 s        1             1  2.00 s\n"));
}

TEST_F(StatsLocks, WithoutReleasesWereHeldByWhomTheCallNames) {
  given(
      "0.0 1 name object=7 name=\"orders\"\n"
      "1.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=1\n3.0 2 back\n"
      "4.0 3 call function=\"lock\" object=7 kind=\"lock\" holder=0\n5.0 3 back\n");
  EXPECT_EQ(run("evt stats locks --table holders a.evt"), prints("lock         thread  name    time       %\n"
                                                                 "orders            1  a     2.00 s  66.7 %\n"
                                                                 "orders  (not known)  -     1.00 s  33.3 %\n"));
}

// A stack says more than the span around the call, of which there may be none.
TEST_F(StatsLocks, WithoutANameHaveTheCodeThatWaitsForThem) {
  given(
      "0.5 2 span name=\"POST /\"\n1.0 2 call function=\"lock\" object=94000000000007 kind=\"lock\" holder=0\n2.0 2 "
      "back\n3.0 3 call function=\"lock\" object=9 kind=\"lock\" holder=0\n3.5 3 back\n"
      "4.0 1 call function=\"lock\" object=11 kind=\"lock\" holder=0\n4.25 1 back\n"
      "4.25 3 waited thread=1 stack=[\"lock\" \"std::mutex::lock\" \"append\" \"main\"] took=250000000\n");
  EXPECT_EQ(run("evt stats locks --table locks --columns time a.evt"),
            prints("lock                       time\nPOST / (0x557e149be007)  1.00 s\n"
                   "lock (9)                 500 ms\nappend (11)              250 ms\n"));
}

// b waits before c, which met the lock first, has recorded its name.
TEST_F(StatsLocks, ThatAreNamedWhileThreadsWaitAreOne) {
  given(
      "1.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=1\n1.5 3 name object=7 name=\"orders\"\n"
      "2.0 3 call function=\"lock\" object=7 kind=\"lock\" holder=1\n3.0 1 release object=7\n3.0 2 back\n"
      "4.0 2 release object=7\n4.0 3 back\n");
  EXPECT_EQ(run("evt stats locks --table locks a.evt"),
            prints("lock    waits    time  longest  threads  most waiting    held\n"
                   "orders      2  4.00 s   2.00 s        2             2  4.00 s\n"));
}

TEST_F(StatsLocks, ThatNobodyWaitsForAreMissing) {
  given("1.0 1 call function=\"read\" object=8 kind=\"file\" holder=0\n2.0 1 back\n");
  EXPECT_EQ(
      run("evt stats locks a.evt"),
      (Outcome{1, "",
               "evt stats: a.evt: no event records a wait for a lock (roles callBegin, call, threadStop; resource "
               "lock or barrier)\n"}));
}

// The call is then at another depth.
TEST_F(StatsLocks, HaveAWaitWhoseEnclosingSpanEndedFirst) {
  given(
      "0.0 1 name object=7 name=\"orders\"\n0.5 2 span name=\"outer\"\n"
      "1.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=1\n1.5 2 done\n4.0 2 back\n"
      "5.0 2 call function=\"lock\" object=7 kind=\"lock\" holder=1\n6.0 2 back\n");
  EXPECT_EQ(run("evt stats locks --table locks a.evt"),
            prints("lock    waits    time  longest  threads  most waiting    held\n"
                   "orders      2  4.00 s   3.00 s        1             1  4.00 s\n"));
}

// Of a hundred threads that wait, a release follows 64; the time of the others is not lost.
TEST_F(StatsLocks, OfMoreThreadsThanAreFollowedSayThatHoldersAreNotKnown) {
  std::string text(kLockTypes);
  std::string begin;
  std::string end;
  for (int i = 10; i < 110; ++i) {
    const std::string stream = std::to_string(i);
    text += "stream " + stream + " \"w\" thread=" + stream + "\n";
    begin += "1.0 " + stream + " call function=\"lock\" object=7 kind=\"lock\" holder=0\n";
    end += "3.0 " + stream + " back\n";
  }
  given_trace("a.evt", text + "0.0 1 name object=7 name=\"orders\"\n" + begin + "2.0 1 release object=7\n" + end);
  EXPECT_EQ(
      run("evt stats locks --table locks --csv a.evt | tr -d '\\r'"),
      (Outcome{0,
               "lock,waits,time_ns,longest_ns,threads,most_waiting,held_ns\n"
               "orders,100,200000000000,2000000000,100,100,64000000000\n",
               "evt stats: a.evt: more than 64 threads waited for a lock at one time: who held it is not known for "
               "the others\n"}));
}

}  // namespace
}  // namespace evt::testing
