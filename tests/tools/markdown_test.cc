// --markdown: tables as GitHub has them, for pull requests.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTypes =
    "type 9 span.begin role=spanBegin (name text role=name)\n"
    "type 10 span.end role=spanEnd\n"
    "type 1024 tick\n"
    "stream 1 \"main\" thread=70\n";

class Markdown : public AtTheShell {
 protected:
  Markdown() {
    given_trace("a.evt", std::string(kTypes) + "0.1 1 span.begin name=\"draw\"\n0.25 1 span.end\n0.3 1 tick\n");
  }
};

TEST_F(Markdown, NumbersAreToTheRightAndTablesHaveALineBetween) {
  EXPECT_EQ(run("evt stats spans --markdown --columns count,sum,length a.evt"),
            prints("| name | count | sum |\n"
                   "| --- | ---: | ---: |\n"
                   "| draw | 1 | 150 ms |\n"
                   "\n"
                   "| name | kind | which | length |\n"
                   "| --- | --- | --- | ---: |\n"
                   "| draw | span | max | 150 ms |\n"));
}

TEST_F(Markdown, FactsHaveAnEmptyHeadAndSeveralAnalysesHaveHeadings) {
  EXPECT_EQ(run("evt stats share,events --markdown --table share --top 1 a.evt 2> notes | head -n 8"),
            prints("### share\n"
                   "\n"
                   "| name | kind | times | active | serial | parallel | parallelism | share | % |\n"
                   "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
                   "| draw | span | 1 | 150 ms | 150 ms | 0 ns | 1.00 | 150 ms | 75.0 % |\n"
                   "\n"
                   "### events\n"
                   "\n"));
  EXPECT_EQ(run("evt stats share --markdown --table time a.evt 2> notes | head -n 4"),
            prints("|  |  |\n"
                   "| --- | --- |\n"
                   "| model | running: threads with an open span or call |\n"
                   "| wall | 200 ms |\n"));
}

TEST_F(Markdown, CharactersThatItWouldTakeForItsOwnAreEscaped) {
  given_trace("b.evt", std::string(kTypes) +
                           "0.1 1 span.begin name=\"a|b *c* <x> `y` [z] __init__ snake_case\"\n0.2 1 span.end\n");
  EXPECT_EQ(run("evt stats spans --markdown --table spans --columns count b.evt"),
            prints("| name | count |\n"
                   "| --- | ---: |\n"
                   "| a\\|b \\*c\\* \\<x> \\`y\\` \\[z] \\_\\_init\\_\\_ snake_case | 1 |\n"));
}

TEST_F(Markdown, ShowsAssertionsAndCausesToo) {
  EXPECT_EQ(run("evt test --markdown 'max(span:draw) < 100ms' a.evt"),
            (Outcome{1,
                     "| held | value | assertion |\n"
                     "| --- | --- | --- |\n"
                     "| no | 150 ms | max(span:draw) \\< 100ms |\n",
                     ""}));
  EXPECT_EQ(run("evt why --markdown a.evt draw 2> notes"),
            prints("draw of main took 150 ms, from 0.100000000 s (the slowest of 1)\n"
                   "\n"
                   "| time | share | what |\n"
                   "| ---: | ---: | --- |\n"
                   "| 150 ms | 100.0 % | running or waiting: draw |\n"));
}

TEST_F(Markdown, IsOneFormAmongOthers) {
  EXPECT_EQ(run("evt stats --csv --markdown a.evt"), refuses(2, "evt stats: --csv excludes --markdown\n"));
  EXPECT_EQ(run("evt stats spans --fold --markdown a.evt"),
            refuses(2, "evt stats: --fold: works with calls and stacks, not with spans\n"));
  EXPECT_EQ(run("evt stats --json spans --markdown a.evt"), refuses(2, "evt stats: --json excludes --markdown\n"));
  EXPECT_EQ(run("evt test --json --markdown 'lost = 0' a.evt"), refuses(2, "evt test: --json excludes --markdown\n"));
}

}  // namespace
}  // namespace evt::testing
