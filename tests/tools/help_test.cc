// What evt prints about itself: pages of help, and the letters of options.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Help : public AtTheShell {
 protected:
  Help() {
    given_trace("x.evt",
                "type 1024 tick (n u32)\ntype 1025 tock (n u32)\nstream 1 \"main\"\nstream 2 \"other\"\n"
                "0.001000000 1 tick n=1\n0.002000000 1 tick n=1\n0.003000000 2 tick n=1\n0.004000000 1 tock n=1\n");
  }

  // evt itself, its commands and the analyses of stats, as they are called behind `evt help`.
  std::vector<std::string> topics() const {
    std::vector<std::string> all = {"", "environment"};
    for (const std::string parent : {"", "stats "}) {
      std::istringstream names(run("evt complete 2 evt help; exit 0").out);
      if (!parent.empty()) names.str(run("evt complete 3 evt help stats").out);
      for (std::string line; std::getline(names, line);) {
        const std::string name = line.substr(0, line.find('\t'));
        if (name != "environment") all.push_back(parent + name);
      }
    }
    return all;
  }
};

TEST_F(Help, IsWhatEvtAlonePrints) {
  const Outcome help = run("evt --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out,
              ::testing::StartsWith("Records, analyses and converts traces of what programs do.\n"
                                    "Usage: evt [OPTIONS] COMMAND\n"
                                    "\n"
                                    "Commands:\n"
                                    "  run                     record a program and print where its time went\n"
                                    "  dump                    print a trace as text\n"));
  EXPECT_EQ(run("evt"), help);
  EXPECT_EQ(run("evt help"), help);
  EXPECT_EQ(run("evt -h"), help);
}

TEST_F(Help, HasAPageForEachCommandAndAnalysis) {
  EXPECT_EQ(run("evt help dump"), run("evt dump --help"));
  EXPECT_EQ(run("evt help stats cpu"), run("evt stats cpu --help"));
  EXPECT_EQ(topics().size(), 2u + 17u + 19u);
  for (const std::string& topic : topics()) {
    const Outcome page = run("evt help " + topic);
    EXPECT_EQ(page.status, 0) << topic;
    EXPECT_EQ(page.err, "") << topic;
  }
}

TEST_F(Help, GroupsOptionsAndEndsWithExamples) {
  EXPECT_EQ(run("evt help list"),
            prints("list the rings of running and killed programs\n"
                   "Usage: evt list [OPTIONS] [name...]\n"
                   "\n"
                   "Arguments:\n"
                   "  name...                 only these rings, by file (with or without folder),\n"
                   "                          session or trace\n"
                   "\n"
                   "Options:\n"
                   "      --remove            remove rings of dead programs that have no trace file;\n"
                   "                          NAME also removes rings that still hold events. Rings\n"
                   "                          of living programs are never removed\n"
                   "      --all               with --remove: also remove rings of unknown traces,\n"
                   "                          and other files there\n"
                   "\n"
                   "Output:\n"
                   "  -j, --json              print one JSON object per ring\n"
                   "      --json-safe         with --json: print integers beyond 2^53 as strings,\n"
                   "                          because other programs round them\n"
                   "      --color auto|always|never\n"
                   "                          use colours: auto (the default: on a terminal), always\n"
                   "                          or never\n"
                   "      --wide              do not truncate strings in tables to the terminal\n"
                   "                          width\n"
                   "      --no-pager          do not use a pager on a terminal\n"
                   "\n"
                   "General:\n"
                   "  -h, --help              print this help\n"
                   "  -q, --quiet             suppress notes and progress; errors and exit status\n"
                   "                          are unchanged\n"
                   "\n"
                   "kept shows how far back from the last event the trace is complete. budget is\n"
                   "what the session may keep, written as in EVTRACE: 64M|5m. Programs with other\n"
                   "mounts, such as containers, are listed if you may look into them. Every command\n"
                   "takes the session or pid:1234 as the name of its trace; evt snapshot copies it.\n"
                   "\n"
                   "Examples: evt list\n"
                   "          evt list --remove\n"
                   "          evt list --remove app.evt\n"
                   "\n"
                   "Exit status:\n"
                   "  0  listed, even if there is no ring\n"
                   "  1  a name has no ring, or a ring could not be removed\n"
                   "  2  usage error\n"
                   "  3  the list could not be written\n"));
}

// But for the output of examples, which is as the command prints it.
TEST_F(Help, FitsInto80Columns) {
  for (const std::string& topic : topics()) {
    std::istringstream page(run("evt help " + topic).out);
    bool is_output = false;
    for (std::string line; std::getline(page, line);) {
      is_output = line.starts_with("  $ ") || (is_output && (line.empty() || line[0] == ' '));
      if (is_output) continue;
      EXPECT_LE(line.size(), 80u) << topic << ": " << line;
    }
  }
}

TEST_F(Help, HasOneMeaningForEachLetter) {
  std::map<std::string, std::set<std::string>> names;
  for (const std::string& topic : topics()) {
    std::istringstream page(run("evt help " + topic).out);
    for (std::string line; std::getline(page, line);) {
      if (line.size() < 8 || !line.starts_with("  -") || line[4] != ',') continue;
      names[line.substr(2, 2)].insert(line.substr(6, line.find_first_of(" ,", 6) - 6));
    }
  }
  const std::map<std::string, std::set<std::string>> expected = {
      {"-V", {"--version"}},        {"-e", {"--event"}},       {"-f", {"--from"}},
      {"-h", {"--help"}},           {"-i", {"--ignore-case"}}, {"-j", {"--json"}},
      {"-n", {"--limit", "--top"}}, {"-o", {"--output"}},      {"-q", {"--quiet"}},
      {"-s", {"--stream"}},         {"-t", {"--to"}},          {"-w", {"--where"}}};
  EXPECT_EQ(names, expected);
}

TEST_F(Help, LettersAreTakenAsNamesAre) {
  EXPECT_EQ(run("evt dump -jn1 -e tick -s main -f 1500us -t 1s -w n=1 x.evt"),
            run("evt dump --json --limit 1 --event tick --stream main --from 1500us --to 1s --where n=1 x.evt"));
  EXPECT_EQ(run("evt dump -n1 -e tick -s main -f 1500us -t 1s -w n=1 x.evt"),
            prints("   0.002000000  main   tick n=1\n"));
  EXPECT_EQ(run("evt stats events -n 1 -j x.evt"), run("evt stats events --top 1 --json x.evt"));
  EXPECT_EQ(run("evt stats -n 1 events x.evt"), run("evt stats events --top 1 x.evt"));
  EXPECT_EQ(run("evt -V"), run("evt --version"));
  EXPECT_EQ(run("tracedump -V"), run("evt --version"));
}

TEST_F(Help, IsOfferedForWhatIsNear) {
  EXPECT_EQ(run("evt help dumb"), refuses(2, "evt help: there is no help about dumb; did you mean dump?\n"));
  EXPECT_EQ(run("evt help stats cpus"), refuses(2, "evt help: there is no help about cpus; did you mean cpu?\n"));
  EXPECT_EQ(run("evt help dump cpu"), refuses(2, "evt help: there is no help about cpu\n"));
}

TEST_F(Help, OfTheEnvironmentHasEveryVariableThatIsRead) {
  const std::string page = run("evt help environment").out;
  std::istringstream names(
      run("cd " EVT_SOURCE_FOLDER
          " && grep -rhoE '(getenv|variable|variable_called)\\(\"[A-Z_]+\"' tools format-spec libtrace-* "
          "--include=*.cc --include=*.c --include=*.h | grep -oE '[A-Z_]{2,}' | sort -u")
          .out);
  std::size_t count = 0;
  for (std::string name; std::getline(names, name); ++count) EXPECT_THAT(page, ::testing::HasSubstr(name));
  EXPECT_GE(count, 20u);
}

TEST_F(Help, ManualHasTheEnvironmentOfTheCommand) {
  const std::string view = run("evt --manual view").out;
  EXPECT_THAT(view, ::testing::HasSubstr(".SH ENVIRONMENT\n"));
  EXPECT_THAT(view, ::testing::HasSubstr(".TP\n\\fBBROWSER\\fR\n"));
  EXPECT_THAT(run("evt --manual dump").out, ::testing::Not(::testing::HasSubstr("BROWSER")));
  EXPECT_THAT(run("evt --manual stats-cpu").out, ::testing::HasSubstr("\\fB$XDG_CACHE_HOME/evtrace\\fR\n"));
}

TEST(Evt, LoadsNoLibraryForTls) {
  EXPECT_EQ(run("ldd \"$(command -v evt)\" | grep -E 'gnutls|openssl|p11-kit|unistring'"), (Outcome{1, "", ""}));
}

}  // namespace
}  // namespace evt::testing
