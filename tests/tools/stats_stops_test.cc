// evt stats stops: when processes were stopped, and for how long between two moments.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsStops : public AtTheShell {
 protected:
  void given(const std::string& events) {
    given_trace("x.evt",
                "type 1024 tick\n"
                "type 1025 frozen role=stopped (took tick_delta role=duration)\n"
                "type 1026 halted role=stopped (why text role=reason) (took tick_delta role=duration) "
                "(slept u64 role=amount unit=nanoseconds)\n"
                "stream 1 \"main\"\n" +
                    events);
  }
};

TEST_F(StatsStops, ListsEachWithItsCause) {
  given(
      "0.0 1 tick\n2.5 1 frozen took=1.5\n3.5 1 halted why=\"signal\" took=0.5 slept=0\n"
      "5.0 1 halted why=\"suspend\" took=0.0 slept=60000000000\n10.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops x.evt"), prints("time       10.0 s\n"
                                                 "stops      3\n"
                                                 "stopped    2.00 s\n"
                                                 "%          20.0 %\n"
                                                 "suspended  1.00 min\n"
                                                 "\n"
                                                 "stop         from           to  stopped  cause    suspended\n"
                                                 "   1  1.000000000  2.500000000   1.50 s  -             0 ns\n"
                                                 "   2  3.000000000  3.500000000   500 ms  signal        0 ns\n"
                                                 "   3  5.000000000  5.000000000     0 ns  suspend   1.00 min\n"));
}

TEST_F(StatsStops, CountsWhatTwoHaveInCommonOnce) {
  given("0.0 1 tick\n3.0 1 frozen took=2.0\n4.0 1 frozen took=2.0\n10.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops x.evt"), prints("time     10.0 s\n"
                                                 "stops    2\n"
                                                 "stopped  3.00 s\n"
                                                 "%        30.0 %\n"
                                                 "\n"
                                                 "stop         from           to  stopped\n"
                                                 "   1  1.000000000  3.000000000   2.00 s\n"
                                                 "   2  2.000000000  4.000000000   2.00 s\n"));
}

TEST_F(StatsStops, BetweenTwoMomentsAreExact) {
  given("0.0 1 tick\n3.0 1 frozen took=2.0\n6.0 1 frozen took=1.0\n10.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops --from 2.5 --to 5.75 --csv x.evt"),
            prints("time_ns,stops,stopped_ns,percent,suspended_ns\r\n3250000000,2,1250000000,38.461538,0\r\n\r\n"
                   "process,stops,stopped_ns,percent,suspended_ns\r\n\r\n"
                   "stop,process,from_ns,to_ns,stopped_ns,cause,suspended_ns\r\n"
                   "1,,2500000000,3000000000,500000000,,0\r\n2,,5000000000,,750000000,,0\r\n"));
}

TEST_F(StatsStops, BetweenTwoMomentsMayBeNone) {
  given("0.0 1 tick\n3.0 1 frozen took=2.0\n10.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops --from 4 --to 6 x.evt"),
            prints("time     2.00 s\nstops    0\nstopped  0 ns\n%        0.0 %\n"));
}

// Their ends belong to what comes behind.
TEST_F(StatsStops, ThatOnlyTouchTheRangeAreNotInIt) {
  given("0.0 1 tick\n3.0 1 frozen took=2.0\n6.0 1 frozen took=1.0\n10.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops --from 3 --to 5 x.evt"),
            prints("time     2.00 s\nstops    0\nstopped  0 ns\n%        0.0 %\n"));
}

TEST_F(StatsStops, NeedsEventsThatRecordThem) {
  given("0.0 1 tick\n");
  EXPECT_EQ(run("evt stats stops x.evt"),
            (Outcome{1, "", "evt stats: x.evt: no event records that a process was stopped (role stopped)\n"}));
}

}  // namespace
}  // namespace evt::testing
