// When a child was stopped, by what its parent sees at each look.
#include "libtrace-record/stops/child_stops.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

namespace evt::record {
namespace {

using Edge = ChildStops::Look::Edge;

constexpr std::int64_t kMs = 1'000'000;

std::uint64_t waited_for_a_cpu_ns = 0;
bool known_run_delay(std::uint64_t* ns) {
  *ns = waited_for_a_cpu_ns;
  return true;
}

// All times are in ms.
class AParent : public ::testing::Test {
 protected:
  void SetUp() override { waited_for_a_cpu_ns = 0; }

  // Sleeps from `from` for 20, and looks when it wakes. What it finds: CAUSE FROM TO, a line for each.
  std::string wakes(std::int64_t from, std::int64_t at, Edge edge, bool was_continued = false) {
    stops_.sleep(from * kMs, (from + 20) * kMs);
    stops_.wake(at * kMs);
    return looks(at, edge, was_continued);
  }
  std::string looks(std::int64_t at, Edge edge, bool was_continued = false) {
    std::string found;
    stops_.look({at * kMs, suspended_ms_ * kMs, edge, was_continued}, [&](const ChildStop& stop) {
      constexpr const char* kCauses[] = {"signal", "pause", "suspend"};
      found +=
          fmt::format("{} {} {}{}\n", kCauses[static_cast<int>(stop.cause)], stop.began_ns / kMs, stop.ended_ns / kMs,
                      stop.suspended_ns > 0 ? fmt::format(" for {}", stop.suspended_ns / kMs) : "");
    });
    return found;
  }

  std::uint64_t suspended_ms_ = 7;
  ChildStops stops_ = ChildStops(known_run_delay);
};

TEST_F(AParent, HasBothEdgesOfAStop) {
  EXPECT_EQ(wakes(1000, 1005, Edge::kStopped), "");
  EXPECT_TRUE(stops_.is_stopped());
  EXPECT_EQ(wakes(1005, 1025, Edge::kNone), "");
  EXPECT_EQ(wakes(1025, 1030, Edge::kContinued), "signal 1005 1030\n");
  EXPECT_FALSE(stops_.is_stopped());
  EXPECT_EQ(wakes(1030, 1050, Edge::kNone), "");
}

TEST_F(AParent, FindsOneStopWhereItWasStoppedInTheMiddleOfIt) {
  EXPECT_EQ(wakes(1000, 1005, Edge::kStopped), "");
  EXPECT_EQ(wakes(1005, 3000, Edge::kContinued, true), "signal 1005 3000\n");
}

TEST_F(AParent, FindsOneStopWhereItWasStoppedFirst) {
  EXPECT_EQ(wakes(1000, 3000, Edge::kContinued, true), "signal 1020 3000\n");
}

TEST_F(AParent, DoesNotBlameItsChildForAStopOfItsOwn) { EXPECT_EQ(wakes(1000, 3000, Edge::kNone, true), ""); }

// Its signals were taken before, so that it did not get SIGCONT yet.
TEST_F(AParent, IsNotLateByAStopBehindItsSleep) {
  stops_.sleep(1000 * kMs, 1020 * kMs);
  stops_.wake(1020 * kMs);
  EXPECT_EQ(looks(3000, Edge::kNone), "");
}

TEST_F(AParent, TakesALatenessWithoutASignalForThatOfBoth) {
  EXPECT_EQ(wakes(1000, 3000, Edge::kNone), "pause 1020 3000\n");
  EXPECT_EQ(wakes(3000, 3020, Edge::kNone), "");
}

TEST_F(AParent, IsNotStoppedByWaitingForACpu) {
  stops_.sleep(1000 * kMs, 1020 * kMs);
  waited_for_a_cpu_ns = 480 * kMs;
  stops_.wake(1500 * kMs);
  EXPECT_EQ(looks(1500, Edge::kNone), "");
}

TEST_F(AParent, DoesNotCountAPauseOfAStoppedChildTwice) {
  EXPECT_EQ(wakes(1000, 1005, Edge::kStopped), "");
  EXPECT_EQ(wakes(1005, 2000, Edge::kNone), "");
  EXPECT_EQ(wakes(2000, 2010, Edge::kContinued), "signal 1005 2010\n");
}

TEST_F(AParent, EndsTheStopOfAChildThatIsKilledInIt) {
  EXPECT_EQ(wakes(1000, 1005, Edge::kStopped), "");
  EXPECT_EQ(wakes(1005, 1010, Edge::kEnded), "signal 1005 1010\n");
}

TEST_F(AParent, DoesNotSeeAStopThatIsOverBeforeItLooks) {
  EXPECT_EQ(wakes(1000, 1020, Edge::kContinued), "");
  EXPECT_FALSE(stops_.is_stopped());
}

TEST_F(AParent, SeesSeveralEdgesInOneLook) {
  EXPECT_EQ(wakes(1000, 1005, Edge::kStopped), "");
  EXPECT_EQ(looks(1005, Edge::kContinued), "signal 1005 1005\n");
  EXPECT_EQ(looks(1006, Edge::kStopped), "");
  EXPECT_EQ(wakes(1006, 1010, Edge::kContinued), "signal 1006 1010\n");
}

TEST_F(AParent, FindsThatTheMachineSlept) {
  EXPECT_EQ(wakes(1000, 1020, Edge::kNone), "");
  suspended_ms_ += 60'000;
  EXPECT_EQ(wakes(1020, 1040, Edge::kNone), "suspend 1040 1040 for 60000\n");
  EXPECT_EQ(wakes(1040, 1060, Edge::kNone), "");
}

TEST(StopTotals, CountTimeInSeveralStopsOnce) {
  StopTotals totals;
  totals.add(1000, 1500);
  totals.add(1400, 1600);
  totals.add(1450, 1550);
  totals.add(2000, 2000);
  totals.add(3000, 3001);
  EXPECT_EQ(fmt::format("{} stops, {} ns", totals.count(), totals.total_ns()), "5 stops, 601 ns");
}

}  // namespace
}  // namespace evt::record
