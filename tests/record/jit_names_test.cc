// What runtimes say about code that they make, while they write it.
#include "libtrace-record/stacks/jit_names.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace evt::testing {
namespace {

using record::JitNames;

// The map of this process.
class Jit : public ::testing::Test {
 protected:
  Jit() { unlink(path_.c_str()); }
  ~Jit() override { unlink(path_.c_str()); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }
  // What is known at each of some addresses.
  std::string at(std::initializer_list<std::uint64_t> addresses) {
    std::string names;
    for (const std::uint64_t address : addresses) {
      const JitNames::Code* const code = names_.find(static_cast<std::uint32_t>(getpid()), UINT64_MAX, address);
      names += fmt::format("{:x} {}\n", address, code == nullptr ? "-" : code->name);
    }
    return names;
  }

  std::string path_ = fmt::format("/tmp/perf-{}.map", getpid());
  JitNames names_;
};

TEST_F(Jit, CodeHasItsNameFromItsBeginningToItsEnd) {
  EXPECT_EQ(at({0x1000}), "1000 -\n");
  write("1000 10 first\n0x2000 0x20 second one\n");
  EXPECT_EQ(at({0xfff, 0x1000, 0x100f, 0x1010, 0x201f, 0x2020}),
            "fff -\n1000 first\n100f first\n1010 -\n201f second one\n2020 -\n");
}

TEST_F(Jit, CodeIsNamedWhenItsLineIsComplete) {
  write("1000 10 fir");
  EXPECT_EQ(at({0x1000}), "1000 -\n");
  write("st\n2000 10 second\n");
  EXPECT_EQ(at({0x1000, 0x2000}), "1000 first\n2000 second\n");
}

TEST_F(Jit, CodeThatIsMadeLaterReplacesWhatWasThere) {
  write("1000 10 first\n1010 10 second\n1008 10 third\n");
  EXPECT_EQ(at({0x1000, 0x1008, 0x1017, 0x1018}), "1000 -\n1008 third\n1017 third\n1018 -\n");
}

TEST_F(Jit, MapsThatBeginAnewAreReadAnew) {
  write("1000 10 first\n2000 10 second\n");
  EXPECT_EQ(at({0x1000}), "1000 first\n");
  std::ofstream(path_, std::ios::trunc) << "3000 10 third\n";
  EXPECT_EQ(at({0x1000, 0x3000}), "1000 -\n3000 third\n");
  std::ofstream(path_, std::ios::trunc) << "5000 10 longer than before\n";
  EXPECT_EQ(at({0x3000, 0x5000}), "3000 -\n5000 longer than before\n");
  unlink(path_.c_str());
  write("4000 10 fourth, in another file\n");
  EXPECT_EQ(at({0x5000, 0x4000}), "5000 -\n4000 fourth, in another file\n");
}

TEST_F(Jit, LinesOfAnotherFormAreSkipped) {
  write("\nno number\n1000\n1000 10\n1000 0 empty\nffffffffffffffff 2 beyond\n1000 10 \n2000 10 right\n");
  EXPECT_EQ(at({0x1000, 0x2000, UINT64_MAX}), "1000 -\n2000 right\nffffffffffffffff -\n");
}

TEST_F(Jit, LinksAndPipesAreNoMaps) {
  const std::string target = path_ + ".target";
  std::ofstream(target) << "1000 10 first\n";
  ASSERT_EQ(symlink(target.c_str(), path_.c_str()), 0);
  EXPECT_EQ(at({0x1000}), "1000 -\n");
  unlink(target.c_str());
  unlink(path_.c_str());
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(at({0x1000}), "1000 -\n");
}

TEST_F(Jit, MapsOfAnotherUserAreNotRead) {
  write("1000 10 first\n");
  if (chown(path_.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a file away";
  EXPECT_EQ(at({0x1000}), "1000 -\n");
}

TEST_F(Jit, NamesEndWhereThereAreTooMany) {
  std::string lines;
  for (std::size_t i = 0; i < JitNames::kMostBytes / 512; ++i) {
    lines += fmt::format("{:x} 10 {}\n", 0x1000 + 0x10 * i, std::string(520, 'a'));
  }
  write(lines);
  for (int looks = 0; looks < 100 && !names_.is_full(); ++looks) at({0x1000});
  EXPECT_TRUE(names_.is_full());
  EXPECT_EQ(at({0x1000}), "1000 " + std::string(512, 'a') + "\n");
}

}  // namespace
}  // namespace evt::testing
