// Which code took the time, of programs whose shares are known.
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

class Samples : public Recorded {
 protected:
  struct Share {
    double self = 0;
    double total = 0;
    double samples = 0;
  };

  void record_burning(const std::string& program, const std::string& words) {
    ASSERT_EQ(record(program + " " + words, "--samples 997 --calls none"), prints(""));
    if (report().find("perf_event_open") != std::string::npos) GTEST_SKIP() << report();
  }
  // By function, in percent.
  std::map<std::string, Share> shares(const std::string& options = "") const {
    std::istringstream lines(
        run("evt stats stacks --csv " + options +
            " t.evt 2>/dev/null | tr -d '\r' | awk -F, '/^$/ { header = 0; next } "
            "!header { delete at; for (i = 1; i <= NF; ++i) at[$i] = i; header = 1; next } "
            "at[\"name\"] { print $at[\"name\"], $at[\"self_percent\"], $at[\"sum_percent\"], $at[\"samples\"] }'")
            .out);
    std::map<std::string, Share> found;
    std::string name;
    for (Share share; lines >> name >> share.self >> share.total >> share.samples;) found[name] = share;
    return found;
  }
  // Within three standard deviations of a binomial.
  static void expect_share(double percent, double expected, double samples) {
    const double deviation = 100 * std::sqrt(expected / 100 * (1 - expected / 100) / samples);
    EXPECT_NEAR(percent, expected, 3 * deviation + 1);
  }
  void expect_known_shares() const {
    const std::map<std::string, Share> found = shares();
    double samples = 0;
    for (const auto& [name, share] : found) samples += share.samples;
    ASSERT_GT(samples, 100) << run("evt stats stacks t.evt").out;
    for (const auto& [name, expected] : {std::pair("half", 50), {"third", 30}, {"little", 15}, {"tiny", 5}}) {
      SCOPED_TRACE(name);
      ASSERT_TRUE(found.contains(name)) << run("evt stats stacks t.evt").out;
      expect_share(found.at(name).total, expected, samples);
    }
    expect_share(found.at("inner").total, 80, samples);
    EXPECT_GT(found.at("outer").total, 97);
    EXPECT_LT(found.at("outer").self, 1);
  }
};

TEST_F(Samples, OfAProgramHaveTheSharesThatItSpends) {
  record_burning("burning", "plain 800");
  expect_known_shares();
}

TEST_F(Samples, OfAThreadOfAChildAndOfTheNextProgramAreNamedToo) {
  for (const char* const how : {"thread", "fork", "exec"}) {
    SCOPED_TRACE(how);
    record_burning("burning", std::string(how) + " 600");
    expect_known_shares();
  }
}

TEST_F(Samples, NeedNoFramePointersAndNoSymbolsOfCallersToFindThem) {
  record_burning("burning_without", "plain 800");
  expect_known_shares();
}

TEST_F(Samples, OfAStrippedProgramNameFunctionsByWhereTheyBegin) {
  record_burning("burning_stripped", "plain 800");
  double four = 0;
  for (const auto& [name, share] : shares()) {
    if (name.starts_with("burning_stripped+0x")) four += share.self;
  }
  EXPECT_GT(four, 90) << run("evt stats stacks t.evt").out;
}

TEST_F(Samples, OfADeepStackEndWhereItsCopyDoes) {
  record_burning("burning", "deep 400");
  const std::map<std::string, Share> found = shares();
  ASSERT_TRUE(found.contains("[truncated]")) << run("evt stats stacks t.evt").out;
  EXPECT_GT(found.at("[truncated]").total, 95);
  EXPECT_GT(found.at("deep").total, 95);
}

TEST_F(Samples, AreInTheSummaryOfARun) {
  record_burning("burning", "plain 400");
  EXPECT_NE(report().find("half"), std::string::npos) << report();
}

TEST_F(Samples, AreNotTakenWhereTheSystemRefusesThem) {
  ASSERT_EQ(run("refuse_perf evt run -o t.evt --calls none -- burning plain 50 2>report"), prints(""));
  EXPECT_NE(
      report().find("the system refuses samples of running code (perf_event_open: Operation not permitted): which "
                    "code took the time is not known"),
      std::string::npos)
      << report();
}

}  // namespace
}  // namespace evt::testing
