// evt dump --last and --first: of many events those at the end, or at the beginning.
#include <fmt/core.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class DumpLast : public AtTheShell {
 protected:
  // Events of two streams in turn, many blocks of them.
  DumpLast() {
    std::string text = "type 1024 even (n u32)\ntype 1025 odd (n u32)\nstream 1 \"a\"\nstream 2 \"b\"\n";
    for (int i = 0; i < kEvents; ++i) {
      text += fmt::format("{}.{:09} {} {} n={}\n", i / 1000, i % 1000 * 1'000'000, i % 2 + 1,
                          i % 2 == 0 ? "even" : "odd", i);
    }
    given_trace("x.evt", text);
  }
  static constexpr int kEvents = 60'000;

  std::string numbers(const std::string& options) const {
    return run("evt dump --format '{n}' " + options + " x.evt | tr '\\n' ' '").out;
  }
};

TEST_F(DumpLast, AreTheLastInOrderWhereTimeStepsBack) {
  const std::string trace = " " EVT_SOURCE_FOLDER "/testdata/v1/time_bases.evt";
  EXPECT_EQ(run("evt dump --last 2" + trace).out, run("evt dump" + trace + " | tail -2").out);
}

TEST_F(DumpLast, PrintsTheLastEvents) {
  EXPECT_EQ(numbers("--last 3"), "59997 59998 59999 ");
  EXPECT_EQ(numbers("--last 1 --stream a"), "59998 ");
  EXPECT_EQ(numbers("--last 2 --event even"), "59996 59998 ");
  EXPECT_EQ(numbers("--last 2 --where 'n<5'"), "3 4 ");
  EXPECT_EQ(numbers("--last 2 --to 1"), "999 1000 ");
  EXPECT_EQ(numbers("--last 2 --from 59.999"), "59999 ");
  EXPECT_EQ(numbers("--last 0"), "");
  EXPECT_EQ(numbers("--first 2"), "0 1 ");
}

TEST_F(DumpLast, PrintsAllOfFewer) {
  EXPECT_EQ(run("evt dump --last 100000 x.evt > last.txt; evt dump x.evt | cmp - last.txt"), prints(""));
  EXPECT_EQ(run("evt dump --last 59000 x.evt > last.txt; evt dump x.evt | tail -n 59000 | cmp - last.txt"), prints(""));
}

TEST_F(DumpLast, IsOfEachTrace) {
  given_trace("y.evt", "type 1024 tick (n u8)\nstream 1 \"a\"\n1.000000000 1 tick n=1\n2.000000000 1 tick n=2\n");
  EXPECT_EQ(run("evt dump --last 1 x.evt y.evt"), prints("# x.evt\n  59.999000000  b  odd  n=59999\n\n"
                                                         "# y.evt\n   2.000000000  a  tick n=2\n"));
}

TEST_F(DumpLast, ShowsLossesAmongThem) {
  given_trace("z.evt",
              "type 1024 tick (n u8)\nstream 1 \"a\"\n1.000000000 1 tick n=1\n"
              "1.500000000 1 !lost count=1 cause=ring_full duration=0.000000000\n2.000000000 1 tick n=2\n"
              "2.500000000 1 !lost count=2 cause=ring_full duration=0.000000000\n");
  EXPECT_EQ(run("evt dump --last 1 --fields type,n,count z.evt").out,
            "type   n  count\ntick   2      -\n!lost  -      2\n");
}

TEST_F(DumpLast, IsOfAPipeToo) { EXPECT_EQ(run("cat x.evt | evt dump --last 1 --format '{n}' -"), prints("59999\n")); }

}  // namespace
}  // namespace evt::testing
