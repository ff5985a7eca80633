// Tables over time, drawn: evt stats --every with --sparklines.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsSparklines : public AtTheShell {
 protected:
  // Queue a has 1, 2, ... 8 in as many seconds; b has 4 from the fifth second on.
  void given_queues() const {
    std::string events;
    for (int i = 0; i < 8; ++i) {
      events += std::to_string(i) + ".0 1 depth name=\"a\" value=" + std::to_string(i + 1) + "\n";
      if (i == 4) events += "4.0 1 depth name=\"b\" value=4\n";
    }
    given_trace("x.evt",
                "type 1024 depth role=counter (name text role=name) (value u64 role=value)\ntype 1025 tick\n"
                "stream 1 \"s\"\n" +
                    events + "8.0 1 tick\n");
  }
};

TEST_F(StatsSparklines, HaveABarForEachStretch) {
  given_queues();
  EXPECT_EQ(run("LC_ALL=C.UTF-8 evt stats counters --every 1s --sparklines always x.evt"),
            prints("counter  stream  name  of    min  max  over time\n"
                   "a             1  s     mean    1    8  ▁▂▃▄▅▆▇█\n"
                   "b             1  s     mean    4    4      ████\n"));
}

TEST_F(StatsSparklines, AreAsciiWhereTheLocaleIs) {
  given_queues();
  EXPECT_EQ(run("LC_ALL=C evt stats counters --every 1s --sparklines always x.evt"),
            prints("counter  stream  name  of    min  max  over time\n"
                   "a             1  s     mean    1    8  ..::==##\n"
                   "b             1  s     mean    4    4      ####\n"));
}

TEST_F(StatsSparklines, DrawTheColumnsThatAreAskedFor) {
  given_queues();
  EXPECT_EQ(run("LC_ALL=C evt stats counters --every 1s --sparklines always --columns events,max --top 2 x.evt"),
            prints("counter  stream  name  of      min  max  over time\n"
                   "a             1  s     events    1    1  ########\n"
                   "a             1  s     max       1    8  ..::==##\n"));
}

// 80 stretches, and room for 55.
TEST_F(StatsSparklines, HaveABarForSeveralStretchesWhereTheyAreTooMany) {
  given_queues();
  EXPECT_EQ(run("LC_ALL=C evt stats counters --every 100ms --sparklines always --columns max x.evt"),
            prints("counter  stream  name  of   min  max  over time\n"
                   "a             1  s     max    1    8  ..........::::::::::==========##########\n"
                   "b             1  s     max    4    4                      ####################\n"));
}

// Programs, and files, have a row for each stretch.
TEST_F(StatsSparklines, AreForTerminals) {
  given_queues();
  const std::string rows = run("evt stats counters --every 1s --columns mean x.evt").out;
  EXPECT_EQ(rows.substr(0, rows.find('\n')), "       from           to  counter  stream  name  mean");
  for (const char* const form : {"--csv", "--json", "--raw"}) {
    const std::string command = std::string("evt stats counters --every 1s x.evt ") + form;
    EXPECT_EQ(run(command + " --sparklines always"), run(command)) << form;
  }
}

TEST_F(StatsSparklines, AreOnATerminalFromTenStretchesOn) {
  given_queues();
  const auto on_terminal = [&](const std::string& options) {
    given_file("line", "LC_ALL=C EVT_PAGER= evt stats counters --color never --columns max x.evt " + options);
    return run("TERM=xterm script -qec 'bash line' /dev/null < /dev/null | tr -d '\\r' | grep -c 'over time'").out;
  };
  EXPECT_EQ(on_terminal("--every 500ms"), "1\n");
  EXPECT_EQ(on_terminal("--every 500ms --sparklines never"), "0\n");
  EXPECT_EQ(on_terminal("--every 1s"), "0\n");
}

}  // namespace
}  // namespace evt::testing
