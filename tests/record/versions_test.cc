// Names that the C library has in several versions: a program gets the function that it was linked with.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

// By name and version, where the function is; without a version: "".
using Functions = std::map<std::string, std::map<std::string, std::string>>;

class Versions : public Recorded {
 protected:
  // What a library exports.
  Functions functions_of(const std::string& library) const {
    Functions found;
    std::istringstream lines(
        run("readelf --dyn-syms -W " + library + " | awk '$7 != \"UND\" && $8 != \"\" { print $8, $2 }'").out);
    for (std::string symbol, address; lines >> symbol >> address;) {
      const std::size_t at = symbol.find('@');
      const std::size_t version = at == symbol.npos ? symbol.size() : symbol.find_first_not_of('@', at);
      found[symbol.substr(0, at)][symbol.substr(version)] = address;
    }
    return found;
  }
  static std::set<std::string> versions_in(const Functions& functions, const std::string& name) {
    std::set<std::string> versions;
    const auto all = functions.find(name);
    if (all == functions.end()) return versions;
    for (const auto& [version, address] : all->second) versions.insert(version);
    return versions;
  }
  static bool are_different(const std::map<std::string, std::string>& versions) {
    std::set<std::string> addresses;
    for (const auto& [version, address] : versions) addresses.insert(address);
    return addresses.size() > 1;
  }
  // A story, where this machine's C library has names twice.
  void expect_same_of_both(const std::string& program) const {
    if (run(program).status == 77) GTEST_SKIP() << "here each name has one version";
    expect_same(program);
  }
};

TEST_F(Versions, OfAFunctionAreThoseThatTheCLibraryHas) {
  const std::string folder = "$(dirname $(command -v evt))/";
  const Functions libc = functions_of("$(ldd $(command -v known) | awk '/libc.so/ { print $3 }')");
  ASSERT_FALSE(libc.empty());
  int compared = 0;
  for (const std::string library : {"libevtrace-preload.so", "libevtrace-preload-memory.so"}) {
    const Functions ours = functions_of(folder + library);
    ASSERT_TRUE(ours.contains("read")) << library;
    for (const auto& [name, versions] : libc) {
      if (!ours.contains(name) || !are_different(versions)) continue;
      ++compared;
      EXPECT_EQ(versions_in(ours, name), versions_in(libc, name)) << library << ": " << name;
    }
  }
  EXPECT_EQ(compared > 0, run("versions").status != 77);
}

TEST_F(Versions, OfConditionsAreNotMixed) {
  expect_same_of_both("versions condition");
  EXPECT_EQ(record("versions condition").out, "timed out, 0\n");
  EXPECT_THAT(calls("pthread_cond_.*"), ::testing::StartsWith("pthread_cond_timedwait,1,0\n"));
}

TEST_F(Versions, OfSpawningRunWhatTheyRun) {
  given_file("script", "exit 3\n");
  ASSERT_EQ(run("chmod 700 script").status, 0);
  expect_same_of_both("versions spawn");
  EXPECT_EQ(record("versions spawn", "--calls processes").out, "3 3 1 1\n");
  EXPECT_EQ(calls("posix_spawnp?"), "posix_spawn,2,0\nposix_spawnp,2,0\n");
}

TEST_F(Versions, OfALibraryInBetweenAreCalledAsOften) {
  const std::string line =
      "sh -c 'export LD_PRELOAD=$LD_PRELOAD:$(dirname $(command -v known))/libbetween.so; exec known locks-and-lines'";
  EXPECT_EQ(run(line), prints("mutex 3\nread 3\nwrite 3\nsemaphore 3\ncondition 3\nprintf 1\nfprintf 1\nputs 1\n"
                              "clock_gettime 0\nmmap 0\nfstat 0\n1 2 3 4 5 6 7.5 8.5\nlist 1 2 3 4 5 6.5\nend\n"));
  expect_same(line);
  ASSERT_EQ(record("known locks-and-lines").status, 0);
  EXPECT_EQ(calls("f?printf|puts"), "fprintf,1,19\nprintf,1,20\nputs,1,4\n");
}

}  // namespace
}  // namespace evt::testing
