// What becomes of each option in each mode of each command: it has an effect, or it is refused. And no question about
// nothing is answered with silence and 0.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

const std::string kItsTimes = ": the trace is from 0.000000000 to 0.004000000\n";

// A line of shell, and what comes of it.
struct Cell {
  std::string line;
  int status;
  std::string err;
};

class Options : public AtTheShell {
 protected:
  // Three events in 4 ms.
  Options() {
    given_trace("x.evt",
                "type 1024 tick (n u32)\ntype 1025 say (what text)\nstream 1 \"main\"\nstream 2 \"other\"\n"
                "0.001000000 1 tick n=1\n0.002000000 2 tick n=2\n0.004000000 1 say what=\"hi\"\n");
    given_text("x.txt", "type 1024 tick (n u32)\nstream 1 \"main\"\n0.001000000 1 tick n=1\n");
  }

  // What is refused prints nothing and leaves no file behind.
  void expect(const std::vector<Cell>& cells) const {
    const auto before = files();
    for (const Cell& cell : cells) {
      const Outcome outcome = run(cell.line);
      EXPECT_EQ(outcome.status, cell.status) << cell.line << "\n" << outcome;
      EXPECT_EQ(outcome.err, cell.err) << cell.line;
      if (cell.status < 2) continue;
      EXPECT_EQ(outcome.out, "") << cell.line;
      EXPECT_EQ(files(), before) << cell.line;
    }
  }
};

TEST_F(Options, AnOutputIsNoInputByWhateverName) {
  EXPECT_EQ(run("mkdir d; ln x.evt d/hard.evt; ln -s ../x.evt d/link.evt; ln -s link.evt d/far.evt"), prints(""));
  const std::string before = content_of("x.evt");
  const std::pair<const char*, const char*> commands[] = {{"convert", "evt convert --columns x.evt -o "},
                                                          {"cut", "evt cut x.evt -o "},
                                                          {"merge", "evt merge x.evt -o "},
                                                          {"check", "evt check x.evt --repair "}};
  for (const auto& [name, line] : commands) {
    for (const char* const output : {"./x.evt", "d/../x.evt", "d/hard.evt", "d/link.evt", "d/far.evt"}) {
      expect({{std::string(line) + output, 2,
               fmt::format("evt {}: {} is the input x.evt: the output must be another file\n", name, output)}});
    }
    expect({{std::string(line) + "x.evt", 2,
             fmt::format("evt {}: x.evt is the input: the output must be another file\n", name)},
            {std::string(line) + "- >> x.evt", 2,
             fmt::format("evt {}: standard output is the input x.evt: the output must be another file\n", name)}});
  }
  for (const char* const command : {"dump", "stats", "check"}) {
    expect({{fmt::format("evt {} x.evt >> d/link.evt", command), 2,
             fmt::format("evt {}: standard output is the input x.evt: the output must be another file\n", command)},
            {fmt::format("evt {} - < x.evt >> x.evt", command), 2,
             fmt::format("evt {}: standard output is the input standard input: the output must be another file\n",
                         command)}});
  }
  expect({{"evt cut - -o x.evt < x.evt", 2,
           "evt cut: x.evt is the input standard input: the output must be another file\n"}});
  EXPECT_EQ(content_of("x.evt"), before);
  EXPECT_EQ(run("cut -f1 < /dev/null; evt dump --count x.evt > /dev/null"), prints("")) << "a device keeps nothing";
}

TEST_F(Options, ATraceIsMadeUnderTheNameOfATrace) {
  for (const char* const name : {"y.txt", "y.json", "y.csv", "y.dat", "d.evt/y.eventlog", "y.evt.gz"}) {
    const std::string why =
        fmt::format(": expected a name that ends in .evt, because the output is a trace, found {}\n", name);
    expect({{fmt::format("evt cut x.evt -o {}", name), 2, "evt cut: --output" + why},
            {fmt::format("evt cut --split-size 1K x.evt -o {}", name), 2, "evt cut: --output" + why},
            {fmt::format("evt merge x.evt -o {}", name), 2, "evt merge: --output" + why},
            {fmt::format("evt check x.evt --repair {}", name), 2, "evt check: --repair" + why}});
  }
  for (const char* const name : {"y.dat", "y.eventlog", "y.evt.gz"}) {
    expect({{fmt::format("evt convert x.evt -o {}", name), 2,
             fmt::format(
                 "evt convert: --output: expected a name that ends in one of .evt, .txt, .jsonl, .csv, .ctf, .parquet, "
                 ".speedscope.json, "
                 ".json, .pftrace, .perfetto-trace, .folded, .pb.gz, .vcd, or --format, found {}\n",
                 name)}});
  }
  for (const char* const name : {"a.evt", "A.EVT", "d.x/plain", ".hidden", "plain"}) {
    EXPECT_EQ(run(fmt::format("mkdir -p d.x; evt cut x.evt -o {} && evt dump --count {}", name, name)), prints("3\n"));
  }
}

TEST_F(Options, OfDumpAreOfItsModes) {
  const std::vector<std::string> filters = {"--from 2ms", "--to 1ms", "--stream main", "--event tick", "--where n=1"};
  const std::map<std::string, std::vector<std::string>> refused = {
      {"", {}},
      {"--canonical", {"--json", "--csv", "--count", "--types", "--streams", "--header", "--utc", "--relative"}},
      {"--json", {"--csv", "--count", "--relative"}},
      {"--csv", {"--count", "--types", "--streams", "--header", "--relative"}},
      {"--count", {"--types", "--streams", "--header", "--utc", "--relative"}},
      {"--types", {"--utc", "--relative", "--zone UTC", "--limit 1"}},
      {"--streams", {"--utc", "--relative", "--zone UTC", "--limit 1"}},
      {"--header", {"--utc", "--relative", "--zone UTC", "--limit 1"}}};
  for (const auto& [mode, options] : refused) {
    std::vector<std::string> all = options;
    const bool is_table = mode == "--types" || mode == "--streams" || mode == "--header";
    if (is_table) all.insert(all.end(), filters.begin(), filters.end());
    for (const std::string& option : all) {
      const std::string name = option.substr(0, option.find(' '));
      const Outcome outcome = run(fmt::format("evt dump {} {} x.evt", mode, option));
      EXPECT_EQ(outcome.status, 2) << mode << " " << option;
      EXPECT_EQ(outcome.out, "") << mode << " " << option;
      // Which of the two excludes the other is CLI11's choice.
      EXPECT_THAT(outcome.err, ::testing::AnyOf("evt dump: " + mode + " excludes " + name + "\n",
                                                "evt dump: " + name + " excludes " + mode + "\n"));
    }
    if (is_table) continue;
    for (const std::string& filter : filters) {
      EXPECT_EQ(run(fmt::format("evt dump {} {} x.evt | cmp -s - <(evt dump {} x.evt)", mode, filter, mode)).status, 1)
          << mode << " " << filter << " has no effect";
    }
    EXPECT_EQ(run(fmt::format("evt dump {} --limit 1 x.evt | cmp -s - <(evt dump {} x.evt)", mode, mode)).status, 1);
  }
  for (const char* const mode : {"", "--json", "--csv"}) {
    EXPECT_EQ(run(fmt::format("evt dump {} --utc x.evt | cmp -s - <(evt dump {} x.evt)", mode, mode)).status, 1);
  }
}

// Errors have colours where the output has none.
TEST_F(Options, OfColourAreOfEachMode) {
  for (const char* const line : {"dump --canonical", "dump --json", "dump --csv", "dump --format '{n}'", "dump --count",
                                 "grep --count tick", "grep --json tick"}) {
    EXPECT_EQ(run(fmt::format("evt {} --color always x.evt", line)), run(fmt::format("evt {} x.evt", line))) << line;
    const std::string command = std::string(line).substr(0, 4);
    EXPECT_EQ(run(fmt::format("evt {} --color always nosuch.evt", line)),
              refuses(3, "\x1b[31mevt " + command + ": \x1b[0mcannot open nosuch.evt: No such file or directory\n"));
  }
}

// Which analyses know which options, by their documentation.
TEST_F(Options, OfStatsAreOfTheAnalysesThatKnowThem) {
  const std::vector<std::string> analyses = {"summary", "overview", "cpu",    "threads",  "latency", "gc",
                                             "spans",   "calls",    "stacks", "counts",   "share",   "usage",
                                             "locks",   "counters", "heap",   "overhead", "events"};
  const std::map<std::string, std::vector<std::string>> known = {
      {"--by thread", {"cpu", "threads", "gc", "spans", "calls", "stacks", "counts", "usage"}},
      {"--callers f", {"calls", "stacks"}},
      {"--callees f", {"calls", "stacks"}},
      {"--fold", {"calls", "stacks"}},
      {"--percentile 75", {"spans"}},
      {"--from-event a --to-event b --longest 3", {"latency"}},
      {"--longest 3", {"latency", "gc", "spans"}},
      {"--model phase", {"share"}},
      {"--compare-models", {"share"}},
      {"--limit disk=1M/s", {"usage"}},
      {"--subtract", {"spans", "calls", "usage"}}};
  const std::map<std::string, std::string> other_rows = {{"gc", "reason"}, {"threads", "process"}};
  const auto listed = [](const std::vector<std::string>& names) {
    std::string text = names[0];
    for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " and ") + names[i];
    return text;
  };
  for (const auto& [option, knowing] : known) {
    const std::string name = option.substr(0, option.find(' '));
    for (const std::string& analysis : analyses) {
      const std::string line = fmt::format("evt stats {} {} x.evt", analysis, option);
      const auto other = other_rows.find(analysis);
      if (other != other_rows.end() && name == "--by") {
        expect({{line, 2,
                 fmt::format("evt stats: --by: expected one of {} for {}, found thread\n", other->second, analysis)}});
        EXPECT_LE(run(fmt::format("evt stats {} --by {} x.evt", analysis, other->second)).status, 1);
        continue;
      }
      if (analysis == "latency" && option == "--longest 3") {
        expect({{line, 2, "evt stats: --longest: works only on pairs: expected --from-event and --to-event\n"}});
        continue;
      }
      if (std::find(knowing.begin(), knowing.end(), analysis) != knowing.end()) {
        EXPECT_LE(run(line).status, 1) << line;
        continue;
      }
      expect({{line, 2, fmt::format("evt stats: {}: works with {}, not with {}\n", name, listed(knowing), analysis)}});
    }
  }
}

TEST_F(Options, OfStatsThatDependOnOthersAreRefusedWithoutThem) {
  const std::string cost = "evt stats: --cost: works with overhead, or with spans, calls and usage plus --subtract\n";
  expect({{"evt stats spans --cost 25 x.evt", 2, cost},
          {"evt stats usage --cost 25 x.evt", 2, cost},
          {"evt stats cpu --cost 25 x.evt", 2,
           "evt stats: --cost: works with spans, calls, usage and overhead, not with cpu\n"},
          {"evt stats --by thread x.evt", 2,
           "evt stats: --by: works with cpu, threads, gc, spans, calls, stacks, counts and usage, not with overview\n"},
          {"evt stats gc,events --by thread x.evt", 2,
           "evt stats: --by: works with cpu, threads, gc, spans, calls, stacks, counts and usage, not with events\n"},
          {"evt stats usage --by cpu x.evt", 2,
           "evt stats: --by: expected one of function object thread resource function,object for usage, found cpu\n"},
          {"evt stats share --model phase --compare-models x.evt", 2, "evt stats: --model excludes --compare-models\n"},
          {"evt stats share --model best x.evt", 2,
           "evt stats: --model: expected running, existing or phase, found best\n"},
          {"evt stats --raw --json x.evt", 2, "evt stats: --json excludes --raw\n"},
          {"evt stats --raw --csv x.evt", 2, "evt stats: --csv excludes --raw\n"},
          {"evt stats --json --csv x.evt", 2, "evt stats: --json excludes --csv\n"},
          {"evt stats --fail-above 5 x.evt", 2, "evt stats: --fail-above: works only with diff\n"},
          {"evt stats --at 1ms --from 1ms x.evt", 2, "evt stats: --at excludes --from\n"}});
  // Several analyses have the options that all of them know.
  EXPECT_LE(run("evt stats spans,overhead --cost 25 x.evt").status, 1);
  EXPECT_LE(run("evt stats cpu,spans --by thread x.evt").status, 1);
  expect({{"evt stats cpu,gc --by cpu x.evt", 2, "evt stats: --by: expected one of reason for gc, found cpu\n"}});
}

// What they promise is kept by what does so anyway.
TEST_F(Options, ThatForbidSomethingAreTakenEverywhere) {
  for (const char* const analysis : {"summary", "overhead --cost 1", "events"}) {
    EXPECT_EQ(run(fmt::format("evt stats {} --no-checkpoints x.evt", analysis)).status, 0) << analysis;
  }
  EXPECT_EQ(run("evt cut --no-state x.evt -o y.evt"), prints(""));
}

TEST_F(Options, OfOtherCommandsAreRefusedWhereTheyCannotBeUsed) {
  expect(
      {{"evt convert --columns x.evt -o y.json", 2, "evt convert: --columns: works only if the output is a trace\n"},
       {"evt convert --rows --format text x.evt", 2, "evt convert: --rows: works only if the output is a trace\n"},
       {"evt convert --rows --columns x.evt -o y.evt", 2, "evt convert: --columns excludes --rows\n"},
       {"evt cut --rows --columns x.evt -o y.evt", 2, "evt cut: --columns excludes --rows\n"},
       {"evt cut --split-every 1s --split-size 1K x.evt -o y.evt", 2, "evt cut: --split-size excludes --split-every\n"},
       {"evt cut --split-size 1K x.evt -o -", 2, "evt cut: --output: several files need a name\n"},
       {"evt merge --sync-on tick,say x.evt -o y.evt", 2, "evt merge: --sync-on: needs two traces or more\n"},
       {"evt check --json --repair - x.evt", 2,
        "evt check: --json: standard output takes the trace that --repair writes\n"}});
}

TEST_F(Options, ATimeOutsideOfTheTraceIsSaidWithTheTimesThatItHas) {
  const std::vector<std::pair<std::string, std::string>> asked = {
      {"--from 5s", "--from 5s is after the end" + kItsTimes},
      {"--from 5s --to 6s", "--from 5s is after the end" + kItsTimes},
      {"--to=-1s", "--to -1s is before the start" + kItsTimes},
      {"--from=-1ms --to 1ms", "--from -1ms is later than --to 1ms" + kItsTimes},
      {"--from 2026-01-01T00:00:01Z",
       "--from 2026-01-01T00:00:01Z is after the end: the trace is from 2026-01-01 00:00:00.000000000 UTC to "
       "2026-01-01 00:00:00.004000000 UTC\n"}};
  for (const auto& [options, why] : asked) {
    for (const char* const mode : {"", "--json", "--csv", "--canonical", "--count"}) {
      expect({{fmt::format("evt dump {} {} x.evt", mode, options), 1, "evt dump: " + why}});
    }
    expect({{fmt::format("evt cut {} x.evt -o y.evt", options), 1, "evt cut: " + why}});
    expect({{fmt::format("evt stats summary {} x.evt", options), 1,
             "evt stats: x.evt: losses, streams and clocks are those of the whole session\nevt stats: " + why}});
    for (const char* const analysis : {"events", "events --json", "events --csv", "events --every 1ms"}) {
      expect({{fmt::format("evt stats {} {} x.evt", analysis, options), 1, "evt stats: " + why}});
    }
  }
  expect({{"evt stats events --at 5s x.evt", 1, "evt stats: x.evt: --at 5s is outside" + kItsTimes},
          {"evt stats events --at=-5s x.evt", 1, "evt stats: x.evt: --at -5s is outside" + kItsTimes}});
}

TEST_F(Options, TimesThatAreTheWrongWayRoundAreRefusedWhereTheTraceIsNotNeededToSeeIt) {
  const std::pair<const char*, const char*> asked[] = {
      {"--from 5s --to 1s", "1s is before --from 5s"},
      {"--to 1s --from 5s", "1s is before --from 5s"},
      {"--from=-1s --to=-2s", "-2s is before --from -1s"},
      {"--from 2026-01-02 --to 2026-01-01", "2026-01-01 is before --from 2026-01-02"}};
  for (const auto& [options, why] : asked) {
    expect({{fmt::format("evt dump {} x.evt", options), 2, fmt::format("evt dump: --to: {}\n", why)},
            {fmt::format("evt stats {} x.evt", options), 2, fmt::format("evt stats: --to: {}\n", why)},
            {fmt::format("evt cut {} x.evt -o y.evt", options), 2, fmt::format("evt cut: --to: {}\n", why)}});
  }
}

TEST_F(Options, ATimeOfATraceWithoutSessionsIsNeitherInsideNorOutside) {
  given_file("cut.evt", content_of("x.evt").substr(0, 100));
  const std::string cut = run("evt dump cut.evt").err;
  expect({{"evt dump --from 5s cut.evt", 1, cut}, {"evt dump --from=-5s --to 1s cut.evt", 1, cut}});
}

TEST_F(Options, ATimeInsideOfTheTraceMayHaveNoEvents) {
  expect({{"evt dump --from 2500us --to 3ms x.evt", 0, ""},
          {"evt dump --to 0 x.evt", 0, ""},
          {"evt dump --from 4ms x.evt", 0, ""},
          {"evt stats events --from 2500us --to 3ms x.evt", 1,
           "evt stats: x.evt: nothing counted here lies in the requested time\n"}});
}

TEST_F(Options, ATimeThatOneOfSeveralTracesHasIsThere) {
  given_trace("y.evt", "type 1024 tick (n u32)\nstream 1 \"main\"\n9.000000000 1 tick n=1\n");
  expect({{"evt dump --from 5s x.evt y.evt", 0, ""},
          {"evt dump --from 10s x.evt y.evt", 1,
           "evt dump: --from 10s is after the end: the traces are from 0.000000000 to 9.000000000\n"},
          {"evt stats events --from 5s x.evt y.evt", 1, "evt stats: x.evt: --from 5s is after the end" + kItsTimes}});
}

TEST_F(Options, NamesThatAreNotThereAreSaidWithNearOnes) {
  for (const char* const command : {"dump", "dump --count", "stats events", "cut -o y.evt"}) {
    const std::string name = std::string(command).substr(0, std::string(command).find(' '));
    const auto line = [&](const char* option) { return fmt::format("evt {} {} x.evt", command, option); };
    expect({{line("--stream mian"), 1, fmt::format("evt {}: no stream is called mian; did you mean main?\n", name)},
            {line("--stream '#9'"), 1, fmt::format("evt {}: no stream is called #9\n", name)},
            {line("--event tikc"), 1, fmt::format("evt {}: no event type is called tikc; did you mean tick?\n", name)},
            {line("--event 'x*'"), 1, fmt::format("evt {}: no event type is called x*\n", name)}});
  }
  expect({{"evt cut --thread 7 x.evt -o y.evt", 1, "evt cut: no thread is called 7; there are main, other\n"},
          {"evt cut --part a.evt x.evt -o y.evt", 1, "evt cut: --part a.evt: the trace was not merged from others\n"},
          {"evt stats events --sort evens x.evt", 2,
           "evt stats: no table has a column evens; did you mean event or events?\n"}});
}

TEST_F(Options, AnAnalysisThatIsNotKnownOrComesTooLateIsNoFileThatIsMissing) {
  const std::string near = "evt stats: cpus is neither an analysis nor a file; did you mean cpu?\n";
  expect(
      {{"evt stats cpus x.evt", 2, near},
       {"evt stats diff cpus x.evt x.evt", 2, near},
       {"evt stats cpu,shares x.evt", 2, "evt stats: shares is neither an analysis nor a file; did you mean share?\n"},
       {"evt stats x.evt cpu", 2, "evt stats: cpu is an analysis, which comes before the traces\n"},
       {"evt stats nosuch.evt", 3, "evt stats: cannot open nosuch.evt: No such file or directory\n"}});
  EXPECT_EQ(run("cp x.evt cpus; evt stats events --csv cpus | wc -l"), prints("3\n"));
}

// As of a variable of the shell that is not set.
TEST_F(Options, AnEmptyWordIsRefusedUnlessItMayBeAText) {
  const std::string name = ": expected a name, found an empty string\n";
  expect(
      {{"evt ''", 2, "evt: expected a command, found an empty string; evt help lists them\n"},
       {"evt dump ''", 2, "evt dump" + name},
       {"tracedump x.evt ''", 2, "evt dump" + name},
       {"evt sql x.evt ''", 2, "evt sql" + name},
       {"evt dump --limit '' x.evt", 2, "evt dump: --limit: expected N, found an empty string\n"},
       {"evt dump --limit= x.evt", 2, "evt dump: --limit: expected N, found an empty string\n"},
       {"evt stats cpu --sort '' x.evt", 2, "evt stats: --sort: expected COLUMN, found an empty string\n"},
       {"evt view -o '' x.evt", 2, "evt view: -o: expected FILE, found an empty string\n"},
       {"evt check --repair '' x.evt", 2, "evt check: --repair: expected FILE, found an empty string\n"},
       {"evt run -o '' true", 2, "evt run: -o: expected FILE, found an empty string\n"},
       {"evt dump --stream '' x.evt", 1, "evt dump: no stream is called \"\"\n"},
       {"evt dump --event '' x.evt", 1, "evt dump: no event type is called \"\"\n"},
       {"evt grep '' x.evt", 0, ""},
       {"evt stats cpu, x.evt", 2,
        "evt stats: \"\" is no analysis; there are summary, overview, cpu, threads, latency, gc, spans, calls, stacks, "
        "counts, share, "
        "usage, locks, "
        "stops, counters, heap, overhead, events\n"}});
}

TEST_F(Options, AnInputTooManyIsRefused) {
  const std::string twice = ": expected - once, because standard input ends, found it twice\n";
  const std::string more = "evt cut: expected no more words, found x.evt\n";
  const std::string tables =
      "evt convert: expected one, found x.evt too; several become tables (.parquet), or one trace by evt merge\n";
  expect({{"evt convert x.evt x.evt", 2, tables},
          {"evt cut x.evt x.evt -o y.evt", 2, more},
          {"evt dump --canonical x.evt x.evt", 2, "evt dump: --canonical takes one trace\n"},
          {"evt check --repair y.evt x.evt x.evt", 2, "evt check: --repair takes one trace\n"},
          {"evt dump - - < x.evt", 2, "evt dump" + twice},
          {"evt stats - - < x.evt", 2, "evt stats" + twice},
          {"evt check - - < x.evt", 2, "evt check" + twice},
          {"evt merge - - -o y.evt < x.evt", 2, "evt merge" + twice},
          {"evt stats diff - - < x.evt", 2, "evt stats: expected one of the traces to be a file, found - twice\n"}});
}

TEST_F(Options, AMinusIsStandardInputAndOutputOfEveryCommand) {
  EXPECT_EQ(run("evt dump --count - < x.evt"), prints("3\n"));
  EXPECT_EQ(run("evt stats events --csv - < x.evt | wc -l"), prints("3\n"));
  EXPECT_EQ(run("evt check - < x.evt"), prints("standard input: session of test, 3 events, 0 lost: closed\n"));
  for (const char* const command : {"convert --rows - -o -", "cut - -o -", "merge - -o -", "check - --repair -"}) {
    EXPECT_EQ(run(fmt::format("evt {} < x.evt | evt dump --count -", command)), prints("3\n")) << command;
  }
}

TEST_F(Options, AStandardOutputThatIsClosedIsAnErrorOfEveryCommand) {
  for (const char* const line :
       {"dump x.evt", "dump --count x.evt", "dump --types x.evt", "dump --json x.evt", "stats x.evt",
        "stats events --csv x.evt", "check x.evt", "check --json x.evt", "convert x.evt", "convert x.txt",
        "convert --format json x.evt", "convert --rows x.evt", "cut x.evt -o -", "merge x.evt -o -",
        "check x.evt --repair -"}) {
    const std::string command = std::string(line).substr(0, std::string(line).find(' '));
    expect({{fmt::format("evt {} >&-", line), 3,
             fmt::format("evt {}: cannot write standard output: Bad file descriptor\n", command)}});
  }
}

}  // namespace
}  // namespace evt::testing
