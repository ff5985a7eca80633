// Samples that programs leave in shared memory, whatever they write there.
#include "libtrace-record/stacks/sample_spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libtrace-record/stacks/code_lines.h"

namespace evt::testing {
namespace {

using record::CodeMapping;
using record::SampleRecords;
using record::SampleSpool;
using record::StackCopy;

TEST(CodeLines, AreThoseOfExecutableMemory) {
  std::string found;
  for (const CodeMapping& each : record::code_in_lines("55d0-55d8 r--p 00000000 fe:01 17   /bin/a\n"
                                                       "55d8-55e0 r-xp 00008000 fe:01 17   /bin/a b (deleted)\n"
                                                       "7f00-7f10 rwxp 00000000 00:00 0 \n"
                                                       "no such line\n"
                                                       "7ffd-7ffe r-xp 00000000 00:00 0    [vdso]\n"
                                                       "8000-8001 r-xp 00000000 00:00 0    [cut")) {
    found += fmt::format("{:x}-{:x} {:x} {} {}\n", each.begin, each.end, each.offset, each.inode, each.path);
  }
  EXPECT_EQ(found,
            "55d8-55e0 8000 17 /bin/a b (deleted)\n"
            "7f00-7f10 0 0 //anon\n"
            "7ffd-7ffe 0 0 [vdso]\n");
}

class Spool : public ::testing::Test {
 protected:
  Spool() {
    EXPECT_EQ(spool_.open({.hz = 1000, .code = true}).message(), "");
    const int file = open(spool_.path().c_str(), O_RDWR | O_CLOEXEC);
    memory_ = static_cast<run_spool*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    EXPECT_NE(ftruncate(file, 0), 0) << "a program can take the memory away";
    close(file);
  }
  ~Spool() override { munmap(memory_, size_); }

  run_slot& given_slot(std::uint32_t index, run_slot_kind kind, std::uint64_t ns, std::uint32_t process) {
    run_slot& slot = *run_slot_at(memory_, index);
    slot.state = RUN_SLOT_FULL;
    slot.kind = kind;
    slot.ns = ns;
    slot.process = process;
    return slot;
  }
  void given_code(std::uint32_t index, run_slot_kind kind, std::uint64_t ns, const std::string& lines) {
    run_slot& slot = given_slot(index, kind, ns, 7);
    memcpy(slot.bytes, lines.data(), lines.size());
    slot.size = static_cast<std::uint32_t>(lines.size());
  }
  // What take() tells, a line each.
  std::string taken() {
    std::string told;
    const SampleRecords::Changes changes = {[&](std::uint32_t process, std::uint64_t, CodeMapping mapping) {
                                              told += fmt::format("mapped {} {}\n", process, mapping.path);
                                            },
                                            {},
                                            {},
                                            [&](std::uint64_t samples) { told += fmt::format("lost {}\n", samples); },
                                            [&](std::uint32_t process) { told += fmt::format("ended {}\n", process); }};
    spool_.take(changes, [&](const StackCopy& copy) {
      told +=
          fmt::format("sample {} at {} of {} ns with {}\n", copy.process, copy.ns, copy.weight_ns, copy.stack.size());
    });
    return told;
  }

  const std::uint32_t slots_ = SampleSpool::slots_for(static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN)));
  const std::size_t size_ = run_spool_size(slots_);
  SampleSpool spool_;
  run_spool* memory_ = nullptr;
};

TEST_F(Spool, IsReadInTheOrderOfTimesWithCodeFirst) {
  given_slot(0, RUN_SLOT_SAMPLE, 20, 7).length_ns = 4000;
  given_slot(1, RUN_SLOT_SAMPLE, 10, 8).size = 100;
  given_code(2, RUN_SLOT_MORE_CODE, 20, "3000-4000 r-xp 0 0:0 1 /lib/b\n");
  given_code(3, RUN_SLOT_CODE, 20, "1000-2000 r-xp 0 0:0 1 /bin/a\n");
  EXPECT_EQ(taken(),
            "sample 8 at 10 of 0 ns with 100\n"
            "ended 7\n"
            "mapped 7 /bin/a\n"
            "mapped 7 /lib/b\n"
            "sample 7 at 20 of 4000 ns with 0\n");
  EXPECT_EQ(taken(), "");
}

TEST_F(Spool, IsReadUpToItsEndWhateverItSays) {
  given_slot(0, RUN_SLOT_SAMPLE, 10, 7).size = UINT32_MAX;
  given_slot(slots_ - 1, RUN_SLOT_CODE, 11, 7).size = UINT32_MAX;
  memory_->next = UINT32_MAX;
  EXPECT_EQ(taken(), "sample 7 at 10 of 0 ns with 8192\nended 7\n");
}

TEST(SpoolRoom, IsForTheSamplesOfAllCpusBetweenTwoReadings) {
  EXPECT_EQ(SampleSpool::slots_for(1), 512u);
  EXPECT_EQ(SampleSpool::slots_for(26), 832u);
  EXPECT_EQ(SampleSpool::slots_for(100), 3200u);
  EXPECT_EQ(SampleSpool::slots_for(1000), 8192u);
}

TEST_F(Spool, TellsWhatIsLostOnce) {
  memory_->lost = 3;
  EXPECT_EQ(taken(), "lost 3\n");
  memory_->lost = 5;
  EXPECT_EQ(taken(), "lost 2\n");
  EXPECT_EQ(taken(), "");
}

TEST_F(Spool, HasSlotsAgainThatAKilledProcessTook) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  given_slot(0, RUN_SLOT_SAMPLE, 10, static_cast<std::uint32_t>(child)).state = RUN_SLOT_TAKEN;
  given_slot(1, RUN_SLOT_SAMPLE, 10, static_cast<std::uint32_t>(getpid())).state = RUN_SLOT_TAKEN;
  std::string told;
  for (int round = 0; round < 100; ++round) told += taken();
  EXPECT_EQ(told, "lost 1\n");
  EXPECT_EQ(run_slot_at(memory_, 0)->state, std::uint32_t{RUN_SLOT_FREE});
  EXPECT_EQ(run_slot_at(memory_, 1)->state, std::uint32_t{RUN_SLOT_TAKEN});
}

}  // namespace
}  // namespace evt::testing
