// What the command line says of itself, and what it refuses.
#include <evt/evt.h>
#include <evt/format.h>
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Usage : public AtTheShell {
 protected:
  Usage() { given_trace("x.evt", ""); }

  // Status 2, nothing printed, and the culprit named.
  void expect_wrong(const std::string& line, const std::string& culprit) const {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_THAT(outcome.err, HasSubstr(culprit)) << line;
    EXPECT_THAT(outcome.err, HasSubstr("Run with --help for more information.\n")) << line;
  }
};

TEST_F(Usage, HelpOfEvtNamesItsSubcommandsAndShowsAnExample) {
  const Outcome help = run("evt --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("dump "));
  EXPECT_THAT(help.out, HasSubstr("convert "));
  EXPECT_THAT(help.out, HasSubstr("\nExample: evt dump app.evt | head\n"));
}

TEST_F(Usage, HelpOfDumpShowsAnExampleAndTheExitStatuses) {
  const Outcome help = run("evt dump --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nExamples: evt dump app.evt | head\n"));
  EXPECT_THAT(
      help.out,
      HasSubstr("\nExit status: 0 all was read; 1 the trace is damaged or cut, the rest was printed, or a filter\n"
                "names nothing that is there; 2 wrong usage; 3 no trace could be read, or the output not "
                "written.\n"));
}

TEST_F(Usage, HelpOfTracedumpIsThatOfDump) {
  const Outcome help = run("tracedump -h");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("Usage: tracedump [OPTIONS] file...\n"));
  for (const char* option :
       {"--canonical", "--json", "--csv", "--count", "--types", "--streams", "--header", "--utc", "--relative",
        "--limit N", "--from TIME", "--to TIME", "--stream GLOB", "--event GLOB", "--where TEST"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("  ") + option));
  }
  EXPECT_THAT(help.out, HasSubstr("\nExit status: 0 all was read;"));
}

TEST_F(Usage, HelpOfConvertShowsAnExampleAndTheExitStatuses) {
  const Outcome help = run("evt convert --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nExample: evt convert case.txt -o case.evt\n"));
  EXPECT_THAT(help.out, HasSubstr("\nExit status: 0 all was converted; 1 the trace is damaged or cut, the rest was "
                                  "converted;\n2 wrong usage; 3 nothing could be read, or the output not written.\n"));
}

TEST_F(Usage, VersionIsThatOfTheProgramTheLibraryAndTheFormat) {
  const std::string version = "evt " EVT_VERSION " (library " EVT_VERSION ", format " EVT_FORMAT_NAME ")\n";
  EXPECT_EQ(run("evt --version"), prints(version));
  EXPECT_EQ(run("tracedump --version"), prints(version));
}

TEST_F(Usage, ASubcommandIsNeeded) { expect_wrong("evt", "subcommand"); }

TEST_F(Usage, AFileIsNeeded) {
  expect_wrong("evt dump", "file");
  expect_wrong("tracedump", "file");
  expect_wrong("evt convert", "input");
}

TEST_F(Usage, OneFileIsEnough) {
  expect_wrong("evt convert x.evt y.evt", "y.evt");
  expect_wrong("evt dump --canonical x.evt x.evt", "--canonical takes one trace");
}

TEST_F(Usage, AFilterThatMakesNoSenseIsRefused) {
  expect_wrong("evt dump --from noon x.evt", "expected 1.5, 200ms, -2s or 2026-11-21T22:48:09Z, found noon");
  expect_wrong("evt dump --to 2026-13-01 x.evt", "found 2026-13-01");
  expect_wrong("evt dump --to 1.5h x.evt", "found 1.5h");
  expect_wrong("evt dump --where thread x.evt", "expected FIELD=VALUE, or != < <= > >= ~ instead of =, found thread");
  expect_wrong("evt dump --where =5 x.evt", "found =5");
  expect_wrong("evt dump --color blue x.evt", "blue");
  expect_wrong("evt dump --utc --relative x.evt", "--utc");
}

TEST_F(Usage, AnUnknownOptionIsNamed) {
  expect_wrong("evt --frob", "--frob");
  expect_wrong("evt dump --frob x.evt", "--frob");
  expect_wrong("tracedump --frob x.evt", "--frob");
  expect_wrong("evt convert --frob x.evt", "--frob");
}

TEST_F(Usage, TwoAnswersAtATimeAreRefused) {
  for (const char* table : {"--types", "--streams", "--header", "--canonical"}) {
    expect_wrong(std::string("evt dump --count ") + table + " x.evt", "--count");
  }
  for (const char* form : {"--canonical", "--json", "--csv"}) {
    for (const char* table : {"--types", "--streams", "--header"}) {
      expect_wrong(std::string("evt dump ") + form + " " + table + " x.evt", form);
    }
  }
  expect_wrong("evt dump --csv --json x.evt", "--json");
}

TEST_F(Usage, ALimitIsANumber) {
  expect_wrong("evt dump --limit many x.evt", "many");
  expect_wrong("evt dump x.evt --limit", "--limit");
}

TEST_F(Usage, ALimitIsNotNegative) {
  expect_wrong("evt dump --limit -1 x.evt", "--limit: expected a number of events, found -1\n");
}

TEST_F(Usage, AnUnknownSubcommandIsNamed) {
  expect_wrong("evt frobnicate x.evt",
               "expected a subcommand, dump, convert, check, merge, cut or stats; found frobnicate\n");
}

TEST_F(Usage, AnOutputNeedsItsName) { expect_wrong("evt convert x.evt -o", "--output"); }

TEST_F(Usage, WrongUsageLeavesNoFile) {
  run("evt convert x.evt -o y.txt --frob");
  EXPECT_EQ(files(), (std::vector<std::string>{"x.evt"}));
}

}  // namespace
}  // namespace evt::testing
