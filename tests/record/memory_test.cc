// Calls that ask for memory, of a program that is known: what it asks for is counted by hand.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

class Memory : public Recorded {
 protected:
  struct Sum {
    long calls = 0;
    long bytes = 0;
  };
  static constexpr const char* kFunctions = "malloc|calloc|realloc|free|posix_memalign|mmap|munmap";

  // By function, of a run that asks so often.
  std::map<std::string, Sum> sums(int times, const std::string& groups = "memory") const {
    EXPECT_EQ(record("allocations " + std::to_string(times), "--calls " + groups), prints("1\n")) << report();
    EXPECT_EQ(run("evt check t.evt 2>&1 | grep -c ', 0 lost'").out, "1\n");
    std::map<std::string, Sum> sums;
    std::istringstream lines(calls(kFunctions));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find(',');
      const std::size_t second = line.find(',', first + 1);
      sums[line.substr(0, first)] = {std::stol(line.substr(first + 1, second - first - 1)),
                                     std::stol(line.substr(second + 1))};
    }
    return sums;
  }
};

// Three times: in two threads, and in a child.
TEST_F(Memory, IsWhatAProgramAsksFor) {
  const std::map<std::string, Sum> none = sums(0);
  const std::map<std::string, Sum> some = sums(1000);
  const std::map<std::string, Sum> expected = {
      {"malloc", {2, 107}}, {"calloc", {1, 200}},         {"realloc", {1, 1000}}, {"free", {4, 0}},
      {"mmap", {1, 8192}},  {"posix_memalign", {1, 640}}, {"munmap", {1, 8192}},
  };
  for (const auto& [function, each] : expected) {
    const auto before = none.find(function) != none.end() ? none.at(function) : Sum();
    ASSERT_TRUE(some.contains(function)) << function;
    EXPECT_EQ(some.at(function).calls - before.calls, 3000 * each.calls) << function;
    EXPECT_EQ(some.at(function).bytes - before.bytes, 3000 * each.bytes) << function;
  }
}

TEST_F(Memory, IsRecordedBesideAllOtherCalls) {
  const std::map<std::string, Sum> all = sums(100, "all");
  EXPECT_EQ(all.at("posix_memalign").calls, 300);
  EXPECT_EQ(all.at("posix_memalign").bytes, 300 * 640);
  EXPECT_EQ(calls("fork"), "fork,1,0\n");
}

TEST_F(Memory, IsInTheSummary) {
  sums(100);
  EXPECT_THAT(report(), ::testing::ContainsRegex("memory  +[0-9]+"));
  EXPECT_THAT(report(), ::testing::Not(::testing::HasSubstr("by other means"))) << "files are not recorded";
}

TEST_F(Memory, IsNotAskedForUnlessItIsWanted) {
  EXPECT_EQ(record("allocations 10"), prints("1\n"));
  EXPECT_EQ(calls(kFunctions), "");
  EXPECT_EQ(run("evt run -o t.evt -- env 2>/dev/null | grep ^LD_PRELOAD | grep -c memory").out, "0\n");
}

// The program's own allocator takes the place of the C library's, and of what sees its calls.
TEST_F(Memory, OfAProgramWithAnAllocatorOfItsOwnIsNotSeen) {
  const Outcome plain = run("allocator");
  EXPECT_EQ(record("allocator", "--calls all"), plain) << report();
  EXPECT_EQ(calls("malloc"), "");
}

}  // namespace
}  // namespace evt::testing
