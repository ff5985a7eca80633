// How the command describes itself to man and to a shell.
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Manual : public AtTheShell {};

TEST_F(Manual, OfACommandHasItsOptionsExamplesAndExitStatuses) {
  const Outcome page = run("evt --manual check");
  EXPECT_EQ(page.status, 0);
  // What evt reads of the environment and which files it uses is in a table of its own.
  const std::size_t end = page.out.find(".SH ENVIRONMENT\n");
  EXPECT_EQ(page.out.substr(0, end),
            ".TH EVT-CHECK 1 \"\" \"evtrace 1.0.0\" \"User Commands\"\n"
            ".SH NAME\n"
            "evt\\-check \\- check that a trace is intact, and recover what a killed program left\n"
            ".SH SYNOPSIS\n"
            "\\fBevt check\\fR [\\fIOPTION\\fR]... \\fIfile\\fR...\n"
            ".SH OPTIONS\n"
            ".TP\n"
            "\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"
            "print this help\n"
            ".TP\n"
            "\\fIfile\\fR\n"
            "the traces; \\- is standard input\n"
            ".TP\n"
            "\\fB\\-\\-recover\\fR\n"
            "put what the ring of a killed program still holds into its trace, and remove the ring\n"
            ".TP\n"
            "\\fB\\-\\-ring\\fR \\fIRING\\fR\n"
            "with \\-\\-recover, for a copy of a trace: read this ring (a name or path from evt list) of another file, "
            "and keep it\n"
            ".TP\n"
            "\\fB\\-\\-repair\\fR \\fIFILE\\fR\n"
            "write everything readable to this file, as a valid trace (.evt); \\- is standard output\n"
            ".TP\n"
            "\\fB\\-\\-salvage\\fR\n"
            "scan the whole file for blocks (disk images, wrecked files); may find remnants of older traces\n"
            ".TP\n"
            "\\fB\\-\\-strict\\fR\n"
            "also report data that can be read but violates the format (for authors of writers)\n"
            ".TP\n"
            "\\fB\\-j\\fR, \\fB\\-\\-json\\fR\n"
            "print one JSON object per trace\n"
            ".TP\n"
            "\\fB\\-\\-json\\-safe\\fR\n"
            "with \\-\\-json: print integers beyond 2^53 as strings, because other programs round them\n"
            ".TP\n"
            "\\fB\\-\\-no\\-rings\\fR\n"
            "ignore the shared memory of running or killed programs\n"
            ".TP\n"
            "\\fB\\-\\-color\\fR \\fIauto|always|never\\fR\n"
            "use colours: auto (the default: on a terminal), always or never\n"
            ".TP\n"
            "\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\n"
            "suppress notes and progress; errors and exit status are unchanged\n"
            ".SH EXAMPLES\n"
            ".nf\n"
            "evt check app.evt\n"
            "evt check \\-\\-recover app.evt\n"
            "evt check \\-\\-recover \\-\\-ring evtrace\\-1000\\-00000000001a2b3c.ring copy.evt\n"
            "evt check \\-\\-salvage \\-\\-repair whole.evt disk.img\n"
            "evt check \\-\\-strict mine.evt\n"
            ".fi\n"
            ".SH EXIT STATUS\n"
            ".nf\n"
            "0  everything that was written can be read\n"
            "1  a trace is damaged or truncated, or its writer still runs and\n"
            "   nothing could be recovered yet, or \\-\\-strict found something\n"
            "2  usage error\n"
            "3  no trace could be read, or a file could not be written\n"
            ".fi\n");
  EXPECT_THAT(page.out,
              ::testing::EndsWith(".SH SEE ALSO\n\\fBevt\\fR(1),\n\\fBevtrace\\fR(3),\n\\fBevtrace\\fR(5)\n"));
}

TEST_F(Manual, OfEvtNamesThePagesOfItsSubcommands) {
  const Outcome page = run("evt --manual evt");
  EXPECT_EQ(page.status, 0);
  for (const char* name : {"dump", "convert", "check"}) {
    EXPECT_THAT(page.out, HasSubstr(std::string("\\fBevt\\-") + name + "\\fR(1)\n"));
  }
}

TEST_F(Manual, OfDumpSaysWhatConditionsAre) {
  const Outcome page = run("evt --manual dump");
  EXPECT_EQ(page.status, 0);
  EXPECT_THAT(page.out, HasSubstr("\n.SH CONDITIONS\n.nf\n\\-\\-where takes comparisons, joined by and, or, not"));
  EXPECT_THAT(page.out, HasSubstr("\n  role:amount   a field by its role\n"));
  EXPECT_THAT(page.out, HasSubstr("one matching element is enough.\n.fi\n.SH EXAMPLES\n"));
}

TEST_F(Manual, IsMadeForCommandsThatExist) {
  EXPECT_EQ(run("evt --manual watch"), refuses(2, "evt: --manual: expected evt or a command, found watch\n"));
}

// Pages that are written by hand.
class Pages : public AtTheShell {};

TEST_F(Pages, ShowWithoutAWarning) {
  for (const char* const command : {"evt", "dump", "stats-spans", "run", "help"}) {
    EXPECT_EQ(run(std::string("evt --manual ") + command + " | groff -t -Tutf8 -rLL=78n -man -ww -z"), prints(""));
  }
  for (const char* const page : {"evtrace.3", "evtrace.5"}) {
    EXPECT_EQ(run(std::string("groff -t -Tutf8 -rLL=78n -man -ww -z " EVT_SOURCE_FOLDER "/docs/man/") + page),
              prints(""));
  }
}

TEST_F(Pages, HaveAnExampleThatCompiles) {
  EXPECT_EQ(run("sed -n '/^\\.\\\\\" \\[example\\]/,/^\\.fi/p' " EVT_SOURCE_FOLDER
                "/docs/man/evtrace.3 | grep -v '^\\.' | sed 's/\\\\e/\\\\/g; s/\\\\-/-/g' > example.c && grep -c main "
                "example.c && "
                "cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I" EVT_SOURCE_FOLDER
                "/format-spec/include -I" EVT_SOURCE_FOLDER "/libtrace-write/include example.c"),
            prints("1\n"));
}

TEST_F(Pages, HaveTheMagicOfTheFormat) {
  EXPECT_EQ(run("man -l " EVT_SOURCE_FOLDER "/docs/man/evtrace.5 | grep -c '89 45 56 54 0d 0a 1a 0a'"), prints("1\n"));
}

}  // namespace
}  // namespace evt::testing
