// How the command describes itself to man and to a shell.
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Manual : public AtTheShell {};

TEST_F(Manual, OfACommandHasItsOptionsExamplesAndExitStatuses) {
  EXPECT_EQ(run("evt --manual check"),
            prints(".TH EVT-CHECK 1 \"\" \"evtrace 0.1.0\" \"User Commands\"\n"
                   ".SH NAME\n"
                   "evt\\-check \\- say whether a trace is whole, and recover what a killed program left\n"
                   ".SH SYNOPSIS\n"
                   "\\fBevt check\\fR [\\fIOPTION\\fR]... \\fIfile\\fR... \n"
                   ".SH OPTIONS\n"
                   ".TP\n"
                   "\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"
                   "Print this help message and exit\n"
                   ".TP\n"
                   "\\fIfile\\fR\n"
                   "the traces; \\- is standard input\n"
                   ".TP\n"
                   "\\fB\\-\\-recover\\fR\n"
                   "put what the ring of a killed program still holds into its trace, and remove the ring\n"
                   ".TP\n"
                   "\\fB\\-\\-ring\\fR \\fIRING\\fR\n"
                   "with \\-\\-recover, for a copy of a trace: read this ring, a name or a path as evt list shows it, "
                   "though it belongs to another file; it stays\n"
                   ".TP\n"
                   "\\fB\\-\\-repair\\fR \\fIFILE\\fR\n"
                   "write all that can be read to this file, as a trace that is whole (.evt); \\- is standard output\n"
                   ".TP\n"
                   "\\fB\\-\\-salvage\\fR\n"
                   "look for blocks everywhere, in files that are no traces any more; what is found may be of old "
                   "ones\n"
                   ".TP\n"
                   "\\fB\\-\\-json\\fR\n"
                   "one JSON object a trace instead of lines for people\n"
                   ".TP\n"
                   "\\fB\\-\\-json\\-safe\\fR\n"
                   "with \\-\\-json: whole numbers beyond 2^53, which other programs round, as texts\n"
                   ".TP\n"
                   "\\fB\\-\\-no\\-rings\\fR\n"
                   "read files alone, and not the shared memory of programs that were killed or still run\n"
                   ".SH EXAMPLES\n"
                   ".nf\n"
                   "evt check \\-\\-recover app.evt\n"
                   "evt check \\-\\-recover \\-\\-ring evtrace\\-1000\\-1a2b copy.evt\n"
                   "evt check \\-\\-salvage \\-\\-repair whole.evt disk.img\n"
                   ".fi\n"
                   ".SH EXIT STATUS\n"
                   "0 all that was written can be read; 1 a trace is damaged or truncated, or its writer still\n"
                   "runs and nothing could be recovered yet; 2 wrong usage; 3 no trace could be read, or a file not "
                   "written.\n"
                   ".fi\n"
                   ".SH SEE ALSO\n"
                   "\\fBevt\\fR(1)\n"));
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
  EXPECT_THAT(page.out, HasSubstr("one element is enough.\n.fi\n.SH EXAMPLES\n"));
}

TEST_F(Manual, IsMadeForCommandsThatExist) {
  EXPECT_EQ(run("evt --manual watch"), (Outcome{2, "",
                                                "--manual: expected evt or a subcommand, found watch\n"
                                                "Run with --help for more information.\n"}));
}

class Completion : public AtTheShell {
 protected:
  // What bash offers for a command line whose last word is being typed.
  Outcome offered(const std::string& line) const {
    return run("source <(evt --completion bash); COMP_WORDS=(" + line +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _evt; " + "printf '%s\\n' \"${COMPREPLY[@]}\"");
  }
};

TEST_F(Completion, OffersSubcommands) { EXPECT_EQ(offered("evt c"), prints("convert\ncheck\ncut\n")); }

TEST_F(Completion, OffersTheOptionsOfASubcommand) {
  EXPECT_EQ(offered("evt dump --c"), prints("--canonical\n--csv\n--count\n--color\n"));
  EXPECT_EQ(offered("tracedump --r"), prints("--relative\n"));
}

TEST_F(Completion, IsForBashUnlessAnotherShellIsNamed) {
  EXPECT_EQ(run("evt --completion bash > said && evt --completion | cmp - said"), prints(""));
  EXPECT_EQ(run("evt --completion zsh | head -1"), prints("#compdef evt tracedump\n"));
}

TEST_F(Completion, IsForShellsThatAreKnown) {
  const std::string more = "\nRun with --help for more information.\n";
  EXPECT_EQ(run("evt --completion fish"), refuses(2, "--completion: expected bash or zsh, found fish" + more));
  EXPECT_EQ(run("evt --completion=fish"), refuses(2, "--completion: expected bash or zsh, found fish" + more));
  EXPECT_EQ(run("evt --completion dump"), refuses(2, "--completion: expected bash or zsh, found dump" + more));
}

// In zsh itself, whose own functions print here what they are given.
TEST_F(Completion, OffersTheSameInZsh) {
  if (run("zsh -c true").status != 0) GTEST_SKIP() << "there is no zsh";
  const auto offered_in_zsh = [&](const std::string& line) {
    return run(
        "evt --completion zsh > _evt; zsh -fc 'compadd() { shift; print -l -- $@ }; _files() { print files };"
        " compdef() { }; source ./_evt; words=(" +
        line + "); CURRENT=${#words}; _evt'");
  };
  EXPECT_EQ(
      offered_in_zsh("evt c"),
      prints("run\ndump\nconvert\ncheck\nlist\nmerge\ncut\nstats\nview\n--help\n--manual\n--completion\n--version\n"));
  EXPECT_EQ(offered_in_zsh("evt dump --c"), run("evt dump --help | grep -oE '^  (-h,)?--[a-z-]+' | grep -oE '[-]-.*'"));
  EXPECT_EQ(offered_in_zsh("tracedump --c").out, offered_in_zsh("evt dump --c").out);
  EXPECT_EQ(offered_in_zsh("evt dump --color a"), prints("auto\nalways\nnever\n"));
  EXPECT_EQ(offered_in_zsh("evt dump app"), prints("files\n"));
}

TEST_F(Completion, InZshIsAlsoAFileOfItsOwn) {
  if (run("zsh -c true").status != 0) GTEST_SKIP() << "there is no zsh";
  EXPECT_EQ(run("evt --completion zsh > _evt; zsh -fc 'compadd() { shift; print -l -- $@ }; fpath=($PWD $fpath);"
                " autoload -U _evt; words=(evt dump --color a); CURRENT=4; _evt'"),
            prints("auto\nalways\nnever\n"));
}

TEST_F(Completion, OffersValuesAndFiles) {
  given_file("app.evt", "");
  EXPECT_EQ(offered("evt dump --color a"), prints("auto\nalways\n"));
  EXPECT_EQ(offered("evt dump ap"), prints("app.evt\n"));
}

}  // namespace
}  // namespace evt::testing
