// What users of other tools type, and what to type here.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

using Hints = AtTheShell;

TEST_F(Hints, NameTheCommandForAWordThatOtherToolsHave) {
  for (const auto& [word, line] :
       std::vector<std::pair<std::string, std::string>>{{"record", "evt run PROGRAM"},
                                                        {"top", "evt stats TRACE"},
                                                        {"info", "evt stats TRACE"},
                                                        {"report", "evt stats TRACE"},
                                                        {"show", "evt dump TRACE"},
                                                        {"diff", "evt stats diff BEFORE AFTER"},
                                                        {"export", "evt convert TRACE -o FILE"},
                                                        {"repair", "evt check --repair FILE TRACE"},
                                                        {"recover", "evt check --recover TRACE"},
                                                        {"flamegraph", "evt convert TRACE -o FILE.folded"}}) {
    EXPECT_EQ(run("evt " + word + " x"), refuses(2, "evt: there is no command " + word + "; try " + line + "\n"));
  }
}

TEST_F(Hints, NameTheOptionThatIsMeant) {
  given_trace("x.evt", "");
  EXPECT_EQ(run("evt dump -5 x.evt"), refuses(2, "evt dump: there is no option -5; try --first 5\n"));
  EXPECT_EQ(run("evt stats -3 x.evt"), refuses(2, "evt stats: there is no option -3; try --top 3\n"));
  EXPECT_EQ(run("evt cut -3 x.evt -o y.evt"), refuses(2, "evt cut: there is no option -3\n"));
  EXPECT_EQ(run("evt stats spans --group-by thread x.evt"),
            refuses(2, "evt stats: there is no option --group-by; did you mean --by?\n"));
  EXPECT_EQ(run("evt stats spans --slowest 3 x.evt"),
            refuses(2, "evt stats: there is no option --slowest; did you mean --longest?\n"));
  EXPECT_EQ(run("evt run -p 7"),
            refuses(2,
                    "evt run: there is no option -p; a program is recorded from its start; evt run cannot attach to "
                    "one that runs\n"));
}

TEST_F(Hints, NameTheAnalysesForAWordThatIsNone) {
  given_trace("x.evt", "");
  EXPECT_EQ(
      run("evt stats files x.evt"),
      refuses(
          2,
          "evt stats: files is neither an analysis nor a file; try evt stats usage --by object, or one of: summary, "
          "overview, cpu, threads, latency, gc, spans, calls, stacks, counts, share, usage, locks, stops, counters, "
          "heap, "
          "overhead, "
          "events\n"));
  EXPECT_EQ(run("evt stats p95 x.evt"),
            refuses(2,
                    "evt stats: p95 is neither an analysis nor a file; analyses: summary, overview, cpu, threads, "
                    "latency, gc, spans, "
                    "calls, stacks, counts, share, usage, locks, stops, counters, heap, overhead, events\n"));
  EXPECT_EQ(run("evt spans x.evt"), refuses(2, "evt: there is no command spans; try evt stats spans TRACE\n"));
  EXPECT_EQ(run("evt stats none.evt"), refuses(3, "evt stats: cannot open none.evt: No such file or directory\n"));
}

TEST_F(Hints, ExamplesKnowHelp) {
  const std::string of_parfib = "parfib: usage: parfib [-n N] [-c CUTOFF] [-w WORKERS] [-o FILE|none] [-t TALLY]\n";
  for (const auto& [program, usage] :
       std::vector<std::pair<std::string, std::string>>{{"mandelbrot", "usage: mandelbrot FILE\n"},
                                                        {"hello", "usage: hello [FILE]\n"},
                                                        {"interpreter", "usage: interpreter PROGRAM [TRACE]\n"},
                                                        {"parfib", of_parfib}}) {
    EXPECT_EQ(run(program + " --help"), prints(usage));
    EXPECT_EQ(run(program + " --other"), refuses(2, usage));
  }
  EXPECT_EQ(run("ls"), prints(""));
}

}  // namespace
}  // namespace evt::testing
