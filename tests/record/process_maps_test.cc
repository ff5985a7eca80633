// Which code a process has at an address, from the kernel's records.
#include "libtrace-record/stacks/process_maps.h"

#include <gtest/gtest.h>

namespace evt::testing {
namespace {

using record::CodeMapping;
using record::ProcessMaps;

std::string at(const ProcessMaps& maps, std::uint32_t process, std::uint64_t ns, std::uint64_t address) {
  const CodeMapping* const found = maps.find(process, ns, address);
  return found == nullptr ? "-" : found->path;
}

TEST(ProcessMaps, HaveWhatWasMappedBefore) {
  ProcessMaps maps;
  maps.add(1, 10, {0x1000, 0x2000, 0, "/bin/a", 1});
  EXPECT_EQ(at(maps, 1, 9, 0x1000), "-");
  EXPECT_EQ(at(maps, 1, 10, 0x1000), "/bin/a");
  EXPECT_EQ(at(maps, 1, 10, 0x1fff), "/bin/a");
  EXPECT_EQ(at(maps, 1, 10, 0x2000), "-");
  EXPECT_EQ(at(maps, 2, 10, 0x1000), "-");
}

TEST(ProcessMaps, HaveTheLatestOfTwoAtOnePlace) {
  ProcessMaps maps;
  maps.add(1, 10, {0x1000, 0x3000, 0, "/lib/old.so", 1});
  maps.add(1, 20, {0x2000, 0x4000, 0, "/lib/new.so", 2});
  EXPECT_EQ(at(maps, 1, 15, 0x2000), "/lib/old.so");
  EXPECT_EQ(at(maps, 1, 25, 0x2000), "/lib/new.so");
  EXPECT_EQ(at(maps, 1, 25, 0x1000), "/lib/old.so");
}

TEST(ProcessMaps, ForgetWhatAnotherProgramHad) {
  ProcessMaps maps;
  maps.add(1, 10, {0x1000, 0x2000, 0, "/bin/a", 1});
  maps.become(1, 20);
  maps.add(1, 21, {0x5000, 0x6000, 0, "/bin/b", 2});
  EXPECT_EQ(at(maps, 1, 19, 0x1000), "/bin/a");
  EXPECT_EQ(at(maps, 1, 22, 0x1000), "-");
  EXPECT_EQ(at(maps, 1, 22, 0x5000), "/bin/b");
}

TEST(ProcessMaps, GiveAChildWhatItsParentHadThen) {
  ProcessMaps maps;
  maps.add(1, 10, {0x1000, 0x2000, 0, "/bin/a", 1});
  maps.fork(2, 1, 20);
  maps.add(1, 30, {0x3000, 0x4000, 0, "/lib/later.so", 2});
  EXPECT_EQ(at(maps, 2, 40, 0x1000), "/bin/a");
  EXPECT_EQ(at(maps, 2, 40, 0x3000), "-");
  maps.fork(3, 2, 50);
  EXPECT_EQ(at(maps, 3, 60, 0x1000), "/bin/a");
  maps.become(3, 70);
  EXPECT_EQ(at(maps, 3, 80, 0x1000), "-");
}

TEST(ProcessMaps, AreTheSameInWhateverOrderTheRecordsOfCpusCome) {
  ProcessMaps maps;
  maps.add(1, 21, {0x5000, 0x6000, 0, "/bin/b", 2});
  maps.add(1, 10, {0x1000, 0x2000, 0, "/bin/a", 1});
  maps.become(1, 20);
  EXPECT_EQ(at(maps, 1, 19, 0x1000), "/bin/a");
  EXPECT_EQ(at(maps, 1, 22, 0x1000), "-");
  EXPECT_EQ(at(maps, 1, 22, 0x5000), "/bin/b");
}

// A pid that is its own parent, in a circle, ends.
TEST(ProcessMaps, EndWhereParentsLeadInACircle) {
  ProcessMaps maps;
  maps.fork(1, 2, 10);
  maps.fork(2, 1, 10);
  EXPECT_EQ(at(maps, 1, 20, 0x1000), "-");
}

}  // namespace
}  // namespace evt::testing
