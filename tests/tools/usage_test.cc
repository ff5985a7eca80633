// How the command line describes itself, and what it refuses.
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
    EXPECT_THAT(outcome.err, ::testing::StartsWith("evt")) << line;
  }
};

TEST_F(Usage, HelpOfEvtNamesItsSubcommandsAndShowsAnExample) {
  const Outcome help = run("evt --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("dump "));
  EXPECT_THAT(help.out, HasSubstr("convert "));
  EXPECT_THAT(help.out,
              HasSubstr("\nExamples: evt run -o sort.evt sort -u names.txt\n          evt dump app.evt | head\n"));
}

TEST_F(Usage, HelpOfDumpShowsAnExampleAndTheExitStatuses) {
  const Outcome help = run("evt dump --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nExamples: evt dump app.evt | head\n"));
  EXPECT_THAT(
      help.out,
      HasSubstr(
          "\nExit status:\n"
          "  0  everything was read\n"
          "  1  the trace is damaged or truncated (the rest was printed), or a filter or a\n     time matches nothing\n"
          "  2  usage error\n"
          "  3  no trace could be read, or the output could not be written\n"));
}

TEST_F(Usage, HelpOfTracedumpIsThatOfDump) {
  const Outcome help = run("tracedump -h");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("Usage: tracedump [OPTIONS] file...\n"));
  for (const char* option :
       {"--canonical", "--json", "--csv", "--count", "--types", "--streams", "--header", "--utc", "--relative",
        "--limit, --first N", "--from TIME", "--to TIME", "--stream GLOB", "--event GLOB", "--where CONDITION"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string(" ") + option));
  }
  EXPECT_THAT(help.out, HasSubstr("\nExit status:\n  0  everything was read\n"));
}

TEST_F(Usage, HelpOfConvertShowsAnExampleAndTheExitStatuses) {
  const Outcome help = run("evt convert --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nExamples: evt convert case.txt -o case.evt\n"));
  EXPECT_THAT(help.out, HasSubstr("\nExit status:\n"
                                  "  0  everything was converted\n"
                                  "  1  the trace is damaged or truncated (the rest was converted), or a filter,\n     "
                                  "--table or a time matches nothing\n"
                                  "  2  usage error, such as the input as output\n"
                                  "  3  nothing could be read, or the output could not be written\n"));
}

TEST_F(Usage, VersionIsThatOfTheProgramTheLibraryAndTheFormat) {
  const std::string version = "evt " EVT_VERSION " (library " EVT_VERSION ", format " EVT_FORMAT_NAME ")\n";
  EXPECT_EQ(run("evt --version"), prints(version));
  EXPECT_EQ(run("tracedump --version"), prints(version));
}

TEST_F(Usage, AFileIsNeeded) {
  expect_wrong("evt dump", "evt dump: no file given; usage: evt dump [OPTIONS] file...\n");
  expect_wrong("tracedump", "evt dump: no file given; usage: tracedump [OPTIONS] file...\n");
  expect_wrong("evt convert", "evt convert: no input given; usage: evt convert [OPTIONS] input...\n");
  expect_wrong("evt cut x.evt", "evt cut: no --output given; usage: evt cut [OPTIONS] input\n");
}

TEST_F(Usage, OneFileIsEnough) {
  expect_wrong("evt convert x.evt y.evt", "y.evt");
  expect_wrong("evt dump --canonical x.evt x.evt", "--canonical takes one trace");
}

TEST_F(Usage, AFilterThatMakesNoSenseIsRefused) {
  expect_wrong("evt dump --from noon x.evt", "expected 1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z, found noon");
  expect_wrong("evt dump --to 2026-13-01 x.evt", "found 2026-13-01");
  expect_wrong("evt dump --to 1.5y x.evt", "found 1.5y");
  expect_wrong("evt dump --where thread x.evt",
               "--where: column 7 of thread: expected one of = != < <= > >= ~ !~, found the end\n");
  expect_wrong("evt dump --where =5 x.evt",
               "--where: column 1 of =5: expected a comparison such as depth>10, found =\n");
  expect_wrong("evt dump --color alwys x.evt",
               "--color: expected auto, always or never, found alwys; did you mean always?\n");
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
  for (const char* form : {"--canonical", "--csv"}) {
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
  expect_wrong("evt frobnicate x.evt", "evt: expected a command, found frobnicate; evt help lists them\n");
}

TEST_F(Usage, ASubcommandOrAnOptionThatIsMisspelledIsGuessed) {
  expect_wrong("evt dumb x.evt", "found dumb; did you mean dump?\n");
  expect_wrong("evt --verison", "evt: expected a command, found --verison; did you mean --version?\n");
  expect_wrong("evt dump --josn x.evt", "evt dump: there is no option --josn; did you mean --json?\n");
  expect_wrong("evt dump --form=1s x.evt",
               "evt dump: there is no option --form=1s; did you mean --format or --from?\n");
  expect_wrong("tracedump --josn x.evt", "evt dump: there is no option --josn; did you mean --json?\n");
}

TEST_F(Usage, NumbersAreNotNegative) {
  expect_wrong("evt stats --top -1 x.evt", "--top: expected a number of rows, found -1\n");
  expect_wrong("evt stats --top many x.evt", "--top: expected a number of rows, found many\n");
  expect_wrong("evt dump --limit 18446744073709551616 x.evt", "--limit: expected a number of events, found 184");
}

TEST_F(Usage, APercentageIsANumber) {
  for (const char* percent : {"ten", "-1", "nan", "inf", "10%"}) {
    EXPECT_EQ(run(std::string("evt stats diff --fail-above ") + percent + " x.evt x.evt"),
              refuses(2, std::string("evt stats: --fail-above: expected a percentage like 10 or 2.5, found ") +
                             percent + "\n"));
  }
}

TEST_F(Usage, WhatIsWrongIsOneSentence) {
  EXPECT_EQ(run("evt dump --canonical x.evt x.evt"), refuses(2, "evt dump: --canonical takes one trace\n"));
  EXPECT_EQ(run("evt merge --offset y.evt=1s x.evt -o m.evt"),
            refuses(2, "evt merge: --offset: y.evt is not an input; did you mean x.evt?\n"));
  EXPECT_EQ(run("evt check --repair m.evt x.evt x.evt"), refuses(2, "evt check: --repair takes one trace\n"));
}

TEST_F(Usage, AnAnswerThatCannotBeWrittenIsAnError) {
  for (const char* question :
       {"", "--help", "--version", "--manual dump", "--completion", "dump --help", "help environment"}) {
    EXPECT_EQ(run(std::string("evt ") + question + " >&-"),
              refuses(3, "evt: cannot write standard output: Bad file descriptor\n"));
    EXPECT_EQ(run(std::string("evt ") + question + " > /dev/full"),
              refuses(3, "evt: cannot write standard output: No space left on device\n"));
  }
}

TEST_F(Usage, AnOptionNeedsItsValueAndAFlagTakesNone) {
  expect_wrong("evt convert x.evt -o", "evt convert: --output: expected FILE, found nothing\n");
  expect_wrong("evt dump x.evt --limit", "evt dump: --limit: expected N, found nothing\n");
  expect_wrong("evt dump --json=maybe x.evt", "evt dump: --json: takes no value\n");
  expect_wrong("evt dump --limit 1 --limit 2 x.evt", "evt dump: --limit: expected once, found 2 times\n");
}

TEST_F(Usage, AFlagThatHasAValueIsNeitherIgnoredNorTheOpposite) {
  for (const char* const line : {"dump --count=5 x.evt", "dump --json=false x.evt", "grep --count=0 tick x.evt",
                                 "cut --columns=3 x.evt -o y.evt", "convert --rows=no x.evt -o y.evt",
                                 "check --recover=7 x.evt", "list --remove=0", "stats --csv=0 x.evt",
                                 "stats cpu --raw=2 x.evt", "view --text=off x.evt", "run --no-sched=1 true"}) {
    const std::string words = line;
    const std::size_t at = words.find("--");
    const std::string flag = words.substr(at, words.find('=') - at);
    EXPECT_EQ(run("evt " + words),
              refuses(2, "evt " + words.substr(0, words.find(' ')) + ": " + flag + ": takes no value\n"));
  }
  EXPECT_EQ(run("tracedump --utc=0 x.evt"), refuses(2, "evt dump: --utc: takes no value\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"x.evt"}));
}

TEST_F(Usage, ToTakesOneFormAndOneTime) {
  EXPECT_EQ(run("evt convert --format json --format csv x.evt"),
            refuses(2, "evt convert: --format: expected once, found 2 times\n"));
  EXPECT_EQ(run("evt convert --to json x.evt"),
            refuses(2, "evt convert: --to: expected a time; --format json chooses the form\n"));
}

TEST_F(Usage, WrongUsageLeavesNoFile) {
  run("evt convert x.evt -o y.txt --frob");
  EXPECT_EQ(files(), (std::vector<std::string>{"x.evt"}));
}

}  // namespace
}  // namespace evt::testing
