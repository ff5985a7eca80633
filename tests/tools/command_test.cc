// What starts programs for tests: a line that needs no shell has the same outcome as in one.
#include "support/command.h"

#include <gtest/gtest.h>

#include "support/folder.h"
#include "support/shell_words.h"

namespace evt::testing {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, ArePartedByBlanksAndKeptByQuotes) {
  EXPECT_EQ(shell_words(""), Words{});
  EXPECT_EQ(shell_words(" evt  dump\t-t json a.evt "), (Words{"evt", "dump", "-t", "json", "a.evt"}));
  EXPECT_EQ(shell_words("evt --where 'a > \"b\" && $c' -o\"a b\".csv ''"),
            (Words{"evt", "--where", "a > \"b\" && $c", "-oa b.csv", ""}));
}

TEST(ShellWords, AreNoneOfALineWithOtherSyntax) {
  for (const std::string line : {"a | b", "a && b",    "a; b",   "a < b",       "a > b", "(a)",  "a $b",  "a \"$b\"",
                                 "a `b`", "a \"`b`\"", "a \\ b", "a \"b\\\"\"", "a *",   "a ?",  "a [b]", "a {b,c}",
                                 "a ~",   "# a",       "! a",    "a\nb",        "a 'b",  "a \"b"}) {
    EXPECT_EQ(shell_words(line), std::nullopt) << line;
  }
}

TEST(Command, HasTheOutcomeThatAShellHasOfIt) {
  const Folder folder;
  for (const std::string line : {"evt --version", "evt check none.evt", "evt dump --count ''",
                                 "evt convert - --format json", "evt grep 'a b' none.evt", "evt", "evt none"}) {
    for (const std::string input : {"", "evt text 1\n"}) {
      EXPECT_EQ(run(line, folder.path(), input), run(line + ";", folder.path(), input)) << line;
    }
  }
}

TEST(Command, FindsNoFolderThatIsNotThere) {
  EXPECT_EQ(run("evt --version", "/none"), (Outcome{125, "", "no folder /none\n"}));
}

TEST(Command, IsEndedWithAllThatItStartedWhenItsTimeIsOver) {
  const Folder folder;
  EXPECT_EQ(run("sleep 1000 & echo $! > id; wait", folder.path(), "", 1), (Outcome{124, "", ""}));
  EXPECT_EQ(run("while kill -0 $(cat id); do sleep 0.1; done 2>/dev/null", folder.path()), (Outcome{0, "", ""}));
}

}  // namespace
}  // namespace evt::testing
