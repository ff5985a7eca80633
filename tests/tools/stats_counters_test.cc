// evt stats counters. The figures are computed by hand.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTypes =
    "type 1024 depth role=counter (name text role=name) (value u64 role=value)\n"
    "type 1025 heap role=counter (name text role=name) (value u64 role=value unit=bytes)\n"
    "type 1026 sent role=counterTotal (name text role=name) (value u64 role=value)\n"
    "type 1027 added role=counterDelta (name text role=name) (value i64 role=value)\n"
    "type 1028 load role=counter (name text role=name) (value f64 role=value)\n"
    "type 1029 tick\n"
    "stream 1 \"a\"\nstream 2 \"b\"\n";

class StatsCounters : public AtTheShell {
 protected:
  void given(std::string_view events) const { given_trace("a.evt", std::string(kTypes) + std::string(events)); }
};

TEST_F(StatsCounters, CountAValueForAsLongAsItWas) {
  // 2 for one second, 10 for three.
  given("1.0 1 depth name=\"queue\" value=2\n2.0 1 depth name=\"queue\" value=10\n5.0 1 tick\n");
  EXPECT_EQ(run("evt stats counters a.evt"), prints("counter  stream  name  events  min  mean  max  last\n"
                                                    "queue         1  a          2    2     8   10    10\n"));
}

TEST_F(StatsCounters, HaveTheUnitsOfTheirFields) {
  given("0.0 1 heap name=\"heap\" value=1000000\n1.0 1 heap name=\"heap\" value=3000000\n2.0 1 tick\n");
  EXPECT_EQ(run("evt stats counters a.evt"),
            prints("counter  stream  name  unit  events      min     mean      max     last\n"
                   "heap          1  a     B          2  1.00 MB  2.00 MB  3.00 MB  3.00 MB\n"));
}

TEST_F(StatsCounters, ThatOnlyGrowHaveTheRateAtWhichTheyGrew) {
  given(
      "0.0 1 sent name=\"sent\" value=100\n2.0 1 sent name=\"sent\" value=500\n"
      "0.0 2 added name=\"jobs\" value=3\n1.0 2 added name=\"jobs\" value=5\n4.0 2 tick\n");
  EXPECT_EQ(run("evt stats counters --columns growth,rate a.evt"), prints("counter  stream  name  growth    rate\n"
                                                                          "jobs          2  b          8    2 /s\n"
                                                                          "sent          1  a        400  100 /s\n"));
}

// A server that starts anew: 100 to 500, then from 0 to 50 and to 80.
TEST_F(StatsCounters, ThatAreResetCountFromNothingAgain) {
  given(
      "0.0 1 sent name=\"sent\" value=100\n2.0 1 sent name=\"sent\" value=500\n"
      "3.0 1 sent name=\"sent\" value=50\n4.0 1 sent name=\"sent\" value=80\n");
  EXPECT_EQ(run("evt stats counters --columns growth,rate,resets a.evt"),
            prints("counter  stream  name  growth    rate  resets\n"
                   "sent          1  a        480  120 /s       1\n"));
  EXPECT_EQ(run("evt stats counters --columns growth,rate,resets --from 2.5 a.evt"),
            prints("counter  stream  name  growth     rate  resets\n"
                   "sent          1  a         80  53.3 /s       1\n"));
}

TEST_F(StatsCounters, ThatAreChangedByNegativeAmountsAreNotReset) {
  given("0.0 2 added name=\"jobs\" value=3\n1.0 2 added name=\"jobs\" value=-2\n4.0 2 tick\n");
  EXPECT_EQ(run("evt stats counters --columns growth,rate a.evt"), prints("counter  stream  name  growth     rate\n"
                                                                          "jobs          2  b          1  0.25 /s\n"));
}

TEST_F(StatsCounters, OfARangeHaveWhatTheyWereWhereItBegins) {
  given(
      "1.0 1 depth name=\"queue\" value=2\n2.0 1 depth name=\"queue\" value=10\n"
      "3.0 1 depth name=\"queue\" value=4\n5.0 1 tick\n");
  EXPECT_EQ(run("evt stats counters --from 1.5 --to 2.5 a.evt"),
            prints("counter  stream  name  events  min  mean  max  last\n"
                   "queue         1  a          1    2     6   10    10\n"));
  EXPECT_EQ(run("evt stats counters --from 3.5 a.evt"),
            prints("counter  stream  name  events  min  mean  max  last\n"
                   "queue         1  a          0    4     4    4     4\n"));
}

TEST_F(StatsCounters, OfOneNameAreOnePerStream) {
  given("0.0 1 load name=\"load\" value=0.5\n0.0 2 load name=\"load\" value=-1.5\n1.0 1 tick\n");
  EXPECT_EQ(run("evt stats counters --columns min,max a.evt"), prints("counter  stream  name    min    max\n"
                                                                      "load          1  a      0.50   0.50\n"
                                                                      "load          2  b     -1.50  -1.50\n"));
  EXPECT_EQ(run("evt stats counters --columns min --stream b a.evt"), prints("counter  stream  name    min\n"
                                                                             "load          2  b     -1.50\n"));
}

TEST_F(StatsCounters, ThatAreNotThereAreMissing) {
  given("1.0 1 tick\n");
  EXPECT_EQ(run("evt stats counters a.evt"),
            (Outcome{1, "",
                     "evt stats: a.evt: no event has the value of a counter (roles counter, counterTotal, "
                     "counterDelta)\n"}));
}

}  // namespace
}  // namespace evt::testing
