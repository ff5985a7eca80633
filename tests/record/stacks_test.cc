// Programs with small stacks: recording a call takes little more of them than the call itself.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

class Stacks : public Recorded {
 protected:
  // How deep calls went, by the function, as the program found.
  std::map<std::string, int> depths(const std::string& before) const {
    EXPECT_EQ(run(before + "stacks depths 2>report").status, 0) << before << report();
    std::map<std::string, int> found;
    std::istringstream lines(content_of("depths"));
    for (std::string function; lines >> function;) lines >> found[function];
    return found;
  }
};

// Most take less than one; on a busy machine some take more.
TEST_F(Stacks, OfAProgramHaveTwoKiBLessForItWithEachFunction) {
  const std::map<std::string, int> plain = depths("");
  ASSERT_GT(plain.size(), 100U);
  std::vector<std::string> ways = {"", "--calls all"};
  if (run("which hooked").status == 0) ways.insert(ways.end(), {"--all-calls", "--count", "--count=calls"});
  for (const std::string& way : ways) {
    const std::map<std::string, int> recorded = depths("evt run " + way + " -o t.evt -- ");
    for (const auto& [function, depth] : plain) {
      ASSERT_TRUE(recorded.contains(function)) << function;
      EXPECT_LE(recorded.at(function), depth + 2048) << way << " " << function;
    }
  }
}

// Each thread has what the system calls the least, forks, and is forked into.
TEST_F(Stacks, OfTheSmallestThreadsAreLargeEnough) { expect_same("known small-threads"); }

}  // namespace
}  // namespace evt::testing
