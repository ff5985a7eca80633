// A trace that comes through a pipe and is larger than what is kept in memory.
#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

constexpr std::size_t kLarge = 65 << 20;

class LargePipe : public AtTheShell {
 protected:
  LargePipe() {
    Blocks blocks(
        trace_from_text("type 1024 tick\n"
                        "stream 1 \"m\"\n"
                        "0.000000001 1 tick\n"));
    blocks.insert_before(EVT_BLOCK_EVENTS, make_block(EVT_BLOCK_PRIVATE, std::string(kLarge, 'x')));
    const std::string trace = blocks.together();
    size_ = trace.size();
    given_file("x.evt", trace);
  }

  std::size_t size_ = 0;
};

TEST_F(LargePipe, GoesThroughATemporaryFileAndThatIsSaid) {
  EXPECT_EQ(run("evt dump x.evt"), prints("   0.000000001  m  tick\n"));
  EXPECT_EQ(run("mkdir tmp; cat x.evt | TMPDIR=tmp evt dump -; rmdir tmp"),
            (Outcome{0, "   0.000000001  m  tick\n",
                     "evt dump: standard input: " + std::to_string(size_) +
                         " bytes went into a temporary file, to put them in order\n"}));
}

TEST_F(LargePipe, NeedsAPlaceForThatFile) {
  EXPECT_EQ(run("cat x.evt | TMPDIR=nowhere evt dump -"),
            refuses(3, "evt dump: cannot make a temporary file for standard input: No such file or directory\n"));
}

TEST_F(LargePipe, IsAnErrorWhereThatFileIsFull) {
  EXPECT_EQ(run("cat x.evt | (ulimit -f 1000; trap '' XFSZ; evt dump -)"),
            refuses(3, "evt dump: cannot write the temporary file for standard input: File too large\n"));
}

}  // namespace
}  // namespace evt::testing
