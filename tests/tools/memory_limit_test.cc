// What evt does where a small file would take a lot of memory.
#include "support/sanitizer.h"
#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

class MemoryLimit : public Stats {
 protected:
  void SetUp() override {
    if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
    std::string text(kThreadTypes);
    text += "stream 1 \"a\"\n";
    for (unsigned i = 1; i <= 60'000; ++i) text += fmt::format("0.{:09} 1 run.here thread={}\n", i, i);
    given_trace("rows.evt", text);
    ASSERT_EQ(run("evt convert --columns rows.evt -o t.evt && rm rows.evt"), prints(""));
  }
};

TEST_F(MemoryLimit, OfASmallFileIsASentence) {
  const Outcome outcome = run("EVT_MEMORY_MIB=16 evt stats threads t.evt; echo $? > status; ls; cat status");
  EXPECT_EQ(outcome.out, "status\nt.evt\n1\n");
  EXPECT_EQ(outcome.err,
            "evt: more than 16 MiB of memory would be needed, more than the input justifies: no answer "
            "(EVT_MEMORY_MIB=N in the environment allows more)\n");
}

TEST_F(MemoryLimit, IsANumberThatIsRead) {
  for (const char* const wrong : {"abc", "0", "16M", "-1", "99999999999"}) {
    EXPECT_EQ(run(fmt::format("EVT_MEMORY_MIB={} evt dump --count t.evt", wrong)),
              refuses(2, fmt::format("evt: EVT_MEMORY_MIB: expected a number of MiB from 1 on, found {}\n", wrong)));
  }
  EXPECT_EQ(run("EVT_MEMORY_MIB= evt dump --count t.evt"), prints("60000\n"));
}

TEST_F(MemoryLimit, IsFarFromWhatAnOrdinaryFileTakes) {
  EXPECT_EQ(run("evt stats threads --top 1 --csv t.evt 2> /dev/null | head -1 | cut -d, -f1"), prints("thread\n"));
}

TEST_F(MemoryLimit, GrowsWithWhatIsRead) {
  given_file("large", std::string(16 << 20, 'x'));
  EXPECT_EQ(run("EVT_MEMORY_MIB=16 evt stats threads --json t.evt < large 2> /dev/null | wc -l"), prints("1\n"));
}

TEST_F(MemoryLimit, IsOfFilesThatComeThroughAPipeToo) {
  const Outcome outcome =
      run("cat t.evt | EVT_MEMORY_MIB=16 evt stats threads - > /dev/null; cat t.evt | evt stats threads - | wc -l");
  EXPECT_NE(outcome.err.find("evt: more than 16 MiB"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out, "0\n");
}

}  // namespace
}  // namespace evt::testing
