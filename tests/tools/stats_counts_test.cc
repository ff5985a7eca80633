// evt stats counts: sums of calls that were counted where they were made.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsCounts : public AtTheShell {
 protected:
  StatsCounts() {
    given_trace("t.evt",
                std::string(kFirstLines) +
                    "type 1024 counts role=callCounts (thread u64 role=thread) (function text role=function) (library "
                    "text role=resource) (caller text role=caller) (calls u64 role=value) (returned u64) (total u64 "
                    "role=duration unit=nanoseconds) (shortest u64 unit=nanoseconds) (longest u64 unit=nanoseconds) "
                    "(lengths u64[] unit=nanoseconds) (times u64[])\n"
                    "type 1025 few role=callCounts (function text role=function) (calls u64 role=value)\n"
                    "stream 1 \"server\"\n"
                    "0.001000000 1 counts thread=2 function=\"read\" library=\"libc\" caller=\"a\" calls=3 returned=2 "
                    "total=300 shortest=100 longest=200 lengths=[100 200] times=[1 1]\n"
                    "0.002000000 1 counts thread=2 function=\"read\" library=\"libc\" caller=\"a\" calls=1 returned=1 "
                    "total=50 shortest=50 longest=50 lengths=[50] times=[1]\n"
                    "0.003000000 1 counts thread=3 function=\"read\" library=\"libc\" caller=\"b\" calls=100 "
                    "returned=100 total=2000 shortest=20 longest=20 lengths=[20] times=[100]\n"
                    "0.004000000 1 few function=\"free\" calls=7\n");
  }
};

TEST_F(StatsCounts, AreSumsByFunctionCallerAndThread) {
  EXPECT_EQ(run("evt stats counts t.evt").out,
            "function  library  caller  thread  name    calls  not returned    total    min  median     p99     max\n"
            "read      libc     b            3            100             0  2.00 us  20 ns   20 ns   20 ns   20 ns\n"
            "read      libc     a            2              4             1   350 ns  50 ns  100 ns  200 ns  200 ns\n"
            "free      -        -           #1  server      7             7        -      -       -       -       -\n")
      << "an event without a thread is its stream's";
}

TEST_F(StatsCounts, AreSumsOfLess) {
  EXPECT_EQ(run("evt stats counts --by function t.evt"),
            prints("function  library  calls  not returned    total    min  median     p99     max\n"
                   "read      libc       104             1  2.35 us  20 ns   20 ns  100 ns  200 ns\n"
                   "free      -            7             7        -      -       -       -       -\n"));
  EXPECT_EQ(
      run("evt stats counts --by thread --csv t.evt | cut -d, -f1-6 | tr -d '\\r'"),
      prints("function,library,caller,thread,name,calls\nread,libc,,3,,100\nread,libc,,2,,4\nfree,,,#1,server,7\n"));
  EXPECT_EQ(run("evt stats counts --by caller --csv t.evt | cut -d, -f1-4 | tail -n +2"),
            prints("read,libc,b,\nread,libc,a,\nfree,,,\n"));
}

TEST_F(StatsCounts, AreOfThePartThatIsAskedFor) {
  EXPECT_EQ(run("evt stats counts --by function --csv --from 0.0015 --to 0.0035 t.evt | cut -d, -f1,6 | tail -n +2"),
            prints("read,101\n"));
}

// 101 calls of 100 ns, of which 2 were timed: each represents 50.5, so the error is the root of 101 * 49.5 times 100
// ns.
TEST_F(StatsCounts, AreEstimatesWhereSomeCallsWereTimed) {
  given_trace("e.evt",
              std::string(kFirstLines) +
                  "type 7 counts role=callCounts (function text role=function) (calls u64 role=value) (returned u64) "
                  "(total u64 role=duration unit=nanoseconds) (shortest u64 unit=nanoseconds) (longest u64 "
                  "unit=nanoseconds) (lengths u64[] unit=nanoseconds) (times u64[]) (timed u64)\n"
                  "stream 1 \"server\"\n"
                  "0.001000000 1 counts function=\"read\" calls=102 returned=101 total=10100 shortest=100 longest=100 "
                  "lengths=[100] times=[101] timed=2\n"
                  "0.001000000 1 counts function=\"write\" calls=2 returned=2 total=400 shortest=200 longest=200 "
                  "lengths=[200] times=[2] timed=2\n");
  EXPECT_EQ(
      run("evt stats counts --by function e.evt"),
      prints("function  library  calls  not returned  timed    total    error     min  median     p99     max\n"
             "read      -          102             1      2  10.1 us  7.07 us  100 ns  100 ns  100 ns  100 ns\n"
             "write     -            2             0      2   400 ns     0 ns  200 ns  200 ns  200 ns  200 ns\n"));
}

TEST_F(StatsCounts, AreMissedWhereNothingWasCounted) {
  given_trace("u.evt", std::string(kFirstLines) +
                           "type 5 mark role=mark (message text role=message)\n"
                           "stream 1 \"s\"\n0.001000000 1 mark message=\"m\"\n");
  const Outcome outcome = run("evt stats counts u.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "evt stats: u.evt: no event counts calls (role callCounts): evt run --count records them\n");
}

}  // namespace
}  // namespace evt::testing
