// How evt dump shows lines to people: which time, which colours, several traces.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class DumpStyle : public AtTheShell {
 protected:
  DumpStyle() {
    given_trace("x.evt", "type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n1.500000000 1 tick\n");
    given_trace("y.evt", "type 1024 tock\nstream 1 \"b\"\n0.250000000 1 tock\n");
  }
};

TEST_F(DumpStyle, ShowsTheTimeOfDay) {
  EXPECT_EQ(run("evt dump --utc x.evt"), prints("2026-01-01 00:00:00.000000001 UTC  a  tick\n"
                                                "2026-01-01 00:00:01.500000000 UTC  a  tick\n"));
}

TEST_F(DumpStyle, ShowsTheTimeSinceTheLineBefore) {
  EXPECT_EQ(run("evt dump --relative x.evt"), prints("  +0.000000001  a  tick\n"
                                                     "  +1.499999999  a  tick\n"));
}

TEST_F(DumpStyle, ShowsTimesOnBothSidesOfTheStart) {
  given_trace("z.evt",
              "type 1024 tick\n"
              "stream 1 \"a\"\n"
              "-1.000000001 1 tick\n"
              "-0.000000001 1 tick\n"
              "0.999999999 1 tick\n"
              "12345.000000000 1 tick\n"
              "12345.000000001 1 tick\n");
  EXPECT_EQ(run("evt dump z.evt"), prints("  -1.000000001  a  tick\n"
                                          "  -0.000000001  a  tick\n"
                                          "   0.999999999  a  tick\n"
                                          "12345.000000000  a  tick\n"
                                          "12345.000000001  a  tick\n"));
  EXPECT_EQ(run("evt dump --relative z.evt"), prints("  -1.000000001  a  tick\n"
                                                     "  +1.000000000  a  tick\n"
                                                     "  +1.000000000  a  tick\n"
                                                     "+12344.000000001  a  tick\n"
                                                     "  +0.000000001  a  tick\n"));
  EXPECT_EQ(run("evt dump --utc z.evt"), prints("2025-12-31 23:59:58.999999999 UTC  a  tick\n"
                                                "2025-12-31 23:59:59.999999999 UTC  a  tick\n"
                                                "2026-01-01 00:00:00.999999999 UTC  a  tick\n"
                                                "2026-01-01 03:25:45.000000000 UTC  a  tick\n"
                                                "2026-01-01 03:25:45.000000001 UTC  a  tick\n"));
}

TEST_F(DumpStyle, ShowsSeveralTracesOneAfterAnother) {
  EXPECT_EQ(run("evt dump x.evt y.evt"), prints("# x.evt\n"
                                                "   0.000000001  a  tick\n"
                                                "   1.500000000  a  tick\n"
                                                "\n"
                                                "# y.evt\n"
                                                "   0.250000000  b  tock\n"));
  EXPECT_EQ(run("evt dump --count x.evt y.evt"), prints("2 x.evt\n1 y.evt\n"));
}

TEST_F(DumpStyle, ShowsTheTracesThatCanBeRead) {
  EXPECT_EQ(run("evt dump --count none.evt y.evt"),
            (Outcome{3, "1 y.evt\n", "evt dump: cannot open none.evt: No such file or directory\n"}));
}

TEST_F(DumpStyle, LimitsEachTrace) {
  EXPECT_EQ(run("evt dump --limit 1 --csv y.evt x.evt | tail -n +2 | cut -d, -f1"), prints("y.evt\nx.evt\n"));
  EXPECT_EQ(run("evt dump --limit 1 --count x.evt y.evt"), prints("1 x.evt\n1 y.evt\n"));
}

TEST_F(DumpStyle, HasColoursOnATerminal) {
  const std::string colored = "\x1b[2m   0.250000000\x1b[0m  \x1b[36mb\x1b[0m  \x1b[1mtock\x1b[0m\n";
  EXPECT_EQ(run("evt dump --color always y.evt"), prints(colored));
  EXPECT_EQ(run("evt dump y.evt"), prints("   0.250000000  b  tock\n"));
  const std::string on_terminal = "EVT_PAGER= TERM=xterm script -qec 'evt dump y.evt' /dev/null | tr -d '\\r'";
  EXPECT_EQ(run(on_terminal), prints(colored));
  EXPECT_EQ(run("export NO_COLOR=1; " + on_terminal), prints("   0.250000000  b  tock\n"));
}

}  // namespace
}  // namespace evt::testing
