// The evt command asks the system for huge pages.
#include "base/huge_pages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "support/sanitizer.h"

namespace evt::testing {
namespace {

using tools::HugePages;

constexpr std::size_t kMiB = 1 << 20;

// MiB of this process for which huge pages were asked.
std::size_t asked_for() {
  std::ifstream maps("/proc/self/smaps");
  std::size_t kib = 0;
  std::size_t asked = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with("Size:")) kib = std::stoul(line.substr(5));
    if (line.starts_with("VmFlags:") && line.find(" hg") != std::string::npos) asked += kib;
  }
  return asked >> 10;
}

// In a process of its own, whose malloc is not set up for the tests that follow.
class HugePagesDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) GTEST_SKIP() << "the system has none";
  }
  static void take(std::size_t size) {
    auto* const memory = static_cast<char*>(std::malloc(size));
    memory[0] = 1;
    HugePages::note(memory, size);
  }
  [[noreturn]] static void tell(std::size_t mib) {
    std::fprintf(stderr, "%zu MiB\n", mib);
    std::_Exit(0);
  }
  const ::testing::ExitedWithCode ends_{0};
};

TEST_F(HugePagesDeathTest, AreAskedForAHeapThatGrows) {
  const auto grow = [] {
    HugePages::begin();
    for (int i = 0; i < 1024; ++i) take(64 << 10);
    tell(asked_for() / 50 * 50);
  };
  EXPECT_EXIT(grow(), ends_, "^50 MiB\n$");
}

TEST_F(HugePagesDeathTest, AreNotAskedForASmallHeap) {
  const auto stay_small = [] {
    HugePages::begin();
    for (int i = 0; i < 32; ++i) take(64 << 10);
    tell(asked_for());
  };
  EXPECT_EXIT(stay_small(), ends_, "^0 MiB\n$");
}

TEST_F(HugePagesDeathTest, AreAskedForWhatHasAMappingOfItsOwn) {
  const auto map = [] {
    HugePages::begin();
    take(100 * kMiB);
    tell(asked_for());
  };
  EXPECT_EXIT(map(), ends_, "^(98|100) MiB\n$");
}

TEST_F(HugePagesDeathTest, AreNotAskedForBeforeTheCommandBegins) {
  EXPECT_EXIT(
      {
        take(100 * kMiB);
        tell(asked_for());
      },
      ends_, "^0 MiB\n$");
}

}  // namespace
}  // namespace evt::testing
