// What evt itself takes, as the system counts it, for files that were made to take a lot.
#include "at_the_shell.h"
#include "blocks.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

class HostileMemory : public AtTheShell {
 protected:
  void SetUp() override {
    if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  }

  // 4 MiB of the same blocks over and over, each time of another session.
  void given_sessions_of(std::vector<BlockBytes> blocks) const {
    std::string bytes;
    for (std::uint64_t id = 1; bytes.size() < 4 << 20; ++id) {
      std::uint64_t number = 0;
      for (BlockBytes& block : blocks) {
        evt_store_u64(block.data() + 24, id);
        evt_store_u64(block.data() + 32, number++);
        block.seal();
        bytes += block.bytes;
      }
    }
    given_file("x.evt", bytes);
  }

  static std::vector<BlockBytes> blocks_of_one_event(std::initializer_list<std::uint16_t> types) {
    const std::string trace = trace_from_text("type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n");
    std::vector<BlockBytes> wanted;
    Blocks blocks(trace);
    for (BlockBytes& block : blocks.all) {
      if (std::count(types.begin(), types.end(), block.type()) > 0) wanted.push_back(std::move(block));
    }
    return wanted;
  }

  void expect_little_memory() const {
    for (const char* const command : {"dump", "dump --count", "dump --header", "dump --streams", "check", "convert"}) {
      EXPECT_LT(peak_of(std::string(command) + " x.evt"), 64 << 10) << command;
    }
  }
};

TEST_F(HostileMemory, SessionsOfNothingButTheirHeadersTakeLittle) {
  given_sessions_of({make_block(EVT_BLOCK_SESSION, "")});
  expect_little_memory();
}

TEST_F(HostileMemory, SessionsOfNothingButTheirBlockTakeLittle) {
  given_sessions_of(blocks_of_one_event({EVT_BLOCK_SESSION}));
  expect_little_memory();
}

TEST_F(HostileMemory, SessionsOfOneEventTakeLittle) {
  given_sessions_of(blocks_of_one_event({EVT_BLOCK_SESSION, EVT_BLOCK_CLOCK, EVT_BLOCK_EVENTS}));
  expect_little_memory();
}

// Not hostile at all, but more than there is: one event of 16 MiB.
TEST_F(HostileMemory, OfWhichThereIsTooLittleIsSaid) {
  given_file("x.txt",
             "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000\ntype 1024 note (text "
             "text32)\nstream 1 \"a\"\n0.1 1 note text=\"" +
                 std::string(15 << 20, 'x') + "\"\n");
  EXPECT_EQ(run("(ulimit -v 40000; evt convert x.txt -o x.evt)"), refuses(3, "evt: there is not enough memory\n"));
  EXPECT_EQ(run("ls"), prints("x.txt\n"));
}

}  // namespace
}  // namespace evt::testing
