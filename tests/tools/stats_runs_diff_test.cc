// evt stats diff of several runs on each side. The figures of Welch's test are those of scipy (welch_test.cc).
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kRunTypes =
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
    "type 2 thread.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 9 span.begin role=spanBegin (name text role=name)\n"
    "type 10 span.end role=spanEnd\n"
    "stream 1 \"main\"\n";

class StatsRunsDiff : public AtTheShell {
 protected:
  // A span of so many milliseconds.
  void given_span(const std::string& file, int ms) const {
    given_trace(file, std::string(kRunTypes) + "0.100 1 span.begin name=\"load\"\n0." + std::to_string(100 + ms) +
                          " 1 span.end\n");
  }
  void given_spans(const std::string& side, const std::vector<int>& lengths) const {
    for (std::size_t i = 0; i < lengths.size(); ++i) given_span(side + std::to_string(i) + ".evt", lengths[i]);
  }
  // Threads of these numbers, each running for so many milliseconds.
  void given_threads(const std::string& file, const std::vector<std::pair<int, int>>& threads) const {
    std::string text(kRunTypes);
    int now = 100;
    for (const auto& [thread, ms] : threads) {
      const std::string number = std::to_string(thread);
      text += "0." + std::to_string(now) + " 1 thread.run thread=" + number + " cpu=0\n";
      text += "0." + std::to_string(now += ms) + " 1 thread.stop thread=" + number + "\n";
    }
    given_trace(file, text);
  }
  Outcome sums(const std::string& options) const {
    return run("evt stats diff spans --raw " + options + " | grep -E '^name|^load  *sum'");
  }
};

TEST_F(StatsRunsDiff, HasMeansDeviationsAndTheIntervalOfTheirDifference) {
  given_spans("a", {10, 12, 11});
  given_spans("b", {14, 15, 13});
  EXPECT_EQ(
      run("evt stats diff spans --table spans --sort % --top 1 a*.evt -- b*.evt"),
      (Outcome{0,
               "name  column   before  before deviation    after  after deviation   change     low     high       "
               "%  significant  before runs  after runs\n"
               "load  sum     11.0 ms           1.00 ms  14.0 ms          1.00 ms  3.00 ms  733 us  5.27 ms  27.3 "
               "%  yes                    3           3\n",
               ""}));
}

TEST_F(StatsRunsDiff, DoesNotCallChanceADifference) {
  given_spans("a", {100, 110, 120});
  given_spans("b", {130, 150, 170});
  EXPECT_EQ(
      run("evt stats diff spans --table spans --csv --sort % --top 1 a*.evt -- b*.evt | tr -d '\\r'"),
      prints("name,column,before,before_deviation,after,after_deviation,change,low,high,percent,significant,before_"
             "runs,after_runs\n"
             "load,sum_ns,110000000,10000000,150000000,20000000,40000000,-1553995.031825,81553995.031825,36.363636,"
             "no,3,3\n"));
  EXPECT_EQ(run("evt stats diff spans --significant a*.evt -- b*.evt"),
            (Outcome{0, "", "evt stats: spans: no significant difference\n"}));
}

TEST_F(StatsRunsDiff, IsJson) {
  given_spans("a", {10, 12});
  given_spans("b", {20, 20});
  EXPECT_EQ(run("evt stats diff spans --table spans --json --sort % --top 1 a*.evt -- b*.evt"),
            prints("{\"before\":[\"a0.evt\",\"a1.evt\"],\"after\":[\"b0.evt\",\"b1.evt\"],\"sessions\":[{\"spans\":{"
                   "\"spans\":[{\"name\":\"load\",\"column\":\"sum_ns\",\"before\":11000000,\"before_deviation\":"
                   "1414213.562373,\"after\":20000000,\"after_deviation\":0,\"change\":9000000,\"low\":-3706204.736175,"
                   "\"high\":21706204.736175,\"percent\":81.818182,\"significant\":\"no\",\"before_runs\":2,"
                   "\"after_runs\":2}],\"notes\":[]}}]}\n"));
}

// Each run has its own numbers of threads, and the same threads in the same order: one of 10 ms and one of 50 ms.
TEST_F(StatsRunsDiff, MatchesThreadsByOrderNotByNumber) {
  given_threads("a0.evt", {{71, 10}, {72, 50}});
  given_threads("a1.evt", {{98, 10}, {102, 50}});
  given_threads("b0.evt", {{72, 20}, {73, 50}});
  given_threads("b1.evt", {{71, 20}, {500, 50}});
  EXPECT_EQ(run("evt stats diff cpu --raw --columns before,after,significant a?.evt -- b?.evt"),
            prints("thread  column        before     after  significant\n"
                   "    72  running_ns  10000000  20000000  yes\n"
                   "    72  current_ns  10000000  20000000  yes\n"));
}

// The number of the thread that waited for the longest is no amount.
TEST_F(StatsRunsDiff, ComparesNoNumbersOfThreads) {
  const auto given_delay = [&](const std::string& file, int thread, int ms) {
    const std::string number = std::to_string(thread);
    given_trace(file,
                "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
                "type 6 thread.wake role=threadWake (thread u64 role=thread)\nstream 1 \"main\"\n"
                "0.100 1 thread.wake thread=" +
                    number + "\n0." + std::to_string(100 + ms) + " 1 thread.run thread=" + number + " cpu=0\n");
  };
  given_delay("a0.evt", 10, 5);
  given_delay("a1.evt", 11, 5);
  given_delay("b0.evt", 20, 5);
  given_delay("b1.evt", 21, 5);
  EXPECT_EQ(run("evt stats diff latency a?.evt -- b?.evt"), (Outcome{0, "", "evt stats: latency: no difference\n"}));
}

TEST_F(StatsRunsDiff, CountsTheRunsThatHaveARow) {
  given_spans("a", {10, 12, 11});
  given_spans("b", {14, 15});
  given_trace("b2.evt", std::string(kRunTypes) + "0.1 1 span.begin name=\"save\"\n0.2 1 span.end\n");
  EXPECT_EQ(
      run("evt stats diff spans --table spans --columns before,after,'before runs','after runs' --top 1 a*.evt -- "
          "b*.evt"),
      (Outcome{0,
               "name  column   before    after  before runs  after runs\n"
               "load  sum     11.0 ms  14.5 ms            3           2\n",
               "evt stats: spans: 1 row only in runs after: spans save\n"}));
}

TEST_F(StatsRunsDiff, TakesPatternsOfNamesInQuotes) {
  given_spans("a", {10, 12, 11});
  given_spans("b", {14, 15, 13});
  EXPECT_EQ(sums("'a*.evt' -- 'b*.evt'"), sums("a0.evt a1.evt a2.evt -- b0.evt b1.evt b2.evt"));
  EXPECT_EQ(run("evt stats diff spans 'a*.evt' -- 'c*.evt'"), refuses(2, "evt stats: no file matches c*.evt\n"));
}

TEST_F(StatsRunsDiff, IsThatOfTwoTracesIfEachSideHasOne) {
  given_span("a.evt", 10);
  given_span("b.evt", 14);
  EXPECT_EQ(run("evt stats diff spans a.evt -- b.evt"), run("evt stats diff spans a.evt b.evt"));
}

TEST_F(StatsRunsDiff, SaysThatOneRunHasNoDeviation) {
  given_span("a.evt", 10);
  given_spans("b", {14, 15});
  EXPECT_EQ(run("evt stats diff spans --table spans --top 1 --columns before,after,'after deviation',significant a.evt "
                "-- b*.evt"),
            (Outcome{0,
                     "name  column   before    after  after deviation  significant\n"
                     "load  sum     10.0 ms  14.5 ms           707 us  -\n",
                     "evt stats: significance needs two runs on each side\n"}));
  EXPECT_EQ(run("evt stats diff spans --significant a.evt -- b*.evt"),
            refuses(2, "evt stats: --significant: expected two runs or more on each side, found 1 and 2\n"));
  EXPECT_EQ(run("evt stats diff spans --significant a.evt b0.evt"),
            refuses(2, "evt stats: --significant: expected two runs or more on each side, found 1 and 1\n"));
}

TEST_F(StatsRunsDiff, RefusesASideWithoutTraces) {
  given_spans("a", {10, 12, 11});
  EXPECT_EQ(run("evt stats diff spans a*.evt --"), refuses(2, "evt stats: expected traces after --, found none\n"));
  EXPECT_EQ(run("evt stats diff spans -- a*.evt"), refuses(2, "evt stats: expected traces before --, found none\n"));
  EXPECT_EQ(run("evt stats diff spans a0.evt -- a1.evt -- a2.evt"),
            refuses(2, "evt stats: expected one -- between the traces before and after, found 2\n"));
  EXPECT_EQ(run("evt stats --significant a0.evt"), refuses(2, "evt stats: --significant: works only with diff\n"));
}

// Of the change of a mean, if it is significant.
TEST_F(StatsRunsDiff, FailsAboveALimit) {
  given_spans("a", {10, 12, 11});
  given_spans("b", {14, 15, 13});
  given_spans("c", {10, 60, 20});
  EXPECT_EQ(run("evt stats diff spans --table spans --fail-above 20 a*.evt -- b*.evt > out"),
            (Outcome{1, "",
                     "evt stats: 10 significant changes of more than 20 %, the largest by 27.3 %: spans load: sum\n"}));
  EXPECT_EQ(run("evt stats diff spans --table spans --fail-above 20 a*.evt -- c*.evt > out").status, 0);
}

// Numbers may be what things are called.
TEST_F(StatsRunsDiff, ComparesWhatIsCalledTheSame) {
  const std::string types = "type 1024 put role=counter (name text role=name) (bytes u64 role=value)\nstream 1 \"a\"\n";
  const auto given = [&](const std::string& file, const std::string& first) {
    given_trace(file, types + first + "0.0 1 put name=\"shard:2\" bytes=1000\n1.0 1 put name=\"shard:2\" bytes=1000\n");
  };
  for (const char* const file : {"a1.evt", "a2.evt"}) given(file, "0.0 1 put name=\"shard:1\" bytes=10\n");
  for (const char* const file : {"b1.evt", "b2.evt"}) given(file, "");
  EXPECT_EQ(
      run("evt stats diff counters a?.evt -- b?.evt"),
      (Outcome{0,
               "counter  stream  name  column  before  before deviation  after  after deviation  change  low  high  "
               "%  significant  before runs  after runs\n"
               "shard:1       1  a     events       1                 0      -                -       -    -     -  "
               "-  -                      2           0\n",
               "evt stats: counters: 1 row only in runs before: counters shard:1 1 a\n"}));
}

TEST_F(StatsRunsDiff, DoesNotCallRoundingADifference) {
  const std::string text =
      "type 1024 put role=counter (name text role=name) (share f64 role=value)\nstream 1 \"a\"\n"
      "0.0 1 put name=\"x\" share=0.1\n";
  for (int i = 0; i < 10; ++i) given_trace("a" + std::to_string(i) + ".evt", text);
  for (int i = 0; i < 3; ++i) given_trace("b" + std::to_string(i) + ".evt", text);
  EXPECT_EQ(run("evt stats diff counters a?.evt -- b?.evt"), (Outcome{0, "", "evt stats: counters: no difference\n"}));
}

TEST_F(StatsRunsDiff, CannotFailByOneRun) {
  given_spans("a", {10});
  given_spans("b", {14, 15});
  EXPECT_EQ(run("evt stats diff spans --fail-above 1 a0.evt -- b0.evt b1.evt"),
            refuses(2, "evt stats: --fail-above: expected two runs or more on each side, found 1 and 2\n"));
  EXPECT_EQ(run("evt stats diff overview a0.evt b0.evt"),
            refuses(2, "evt stats: diff compares tables of one analysis: name one that overview lists\n"));
}

}  // namespace
}  // namespace evt::testing
