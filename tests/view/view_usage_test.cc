// What evt view refuses, and what it reports.
#include <gmock/gmock.h>

#include "view_test.h"

namespace evt::testing {
namespace {

class ViewUsage : public View {
 protected:
  ViewUsage() { given_cpus(); }
};

TEST_F(ViewUsage, ChoosesForPicturesAlone) {
  for (const auto& [option, needs] : {std::pair<std::string, std::string>("--from 0", "--text or -o"),
                                      {"--to 1", "--text or -o"},
                                      {"--rows cpus", "--text or -o"},
                                      {"--width 84mm", "-o"},
                                      {"--bw", "-o"},
                                      {"--color never", "--text"}}) {
    EXPECT_EQ(run("evt view " + option + " cpus.evt"),
              refuses(2, "evt view: " + option.substr(0, option.find(' ')) + ": needs " + needs + "\n"));
  }
}

TEST_F(ViewUsage, ServesNoPageBesideAPicture) {
  EXPECT_EQ(run("evt view --no-open --text cpus.evt").status, 2);
  EXPECT_EQ(run("evt view --idle 1s -o a.svg cpus.evt").status, 2);
}

TEST_F(ViewUsage, ServesUntilNothingAsksForThePage) {
  const Outcome served = run("evt view --no-open --idle 100ms cpus.evt");
  EXPECT_EQ(served.status, 0);
  EXPECT_THAT(served.out, ::testing::MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#k=[0-9a-f]{32}\n"));
  EXPECT_EQ(served.err, "ended after 100 ms without a request\n");
}

TEST_F(ViewUsage, ServesNothingWhereTheAddressCannotBePrinted) {
  EXPECT_EQ(run("evt view --no-open cpus.evt > /dev/full"),
            refuses(3, "evt view: cannot write standard output: No space left on device\n"));
}

TEST_F(ViewUsage, AllowsHostsThatHaveANameAndAPort) {
  for (const std::string host :
       {"localhost:9000", "LOCALHOST:80", "my-pc.example.org:65535", "[fe80::1]:8080", "10.0.0.1:1"}) {
    EXPECT_EQ(run("evt view --no-open --idle 1ms --allow-host " + host + " cpus.evt").status, 0) << host;
  }
  for (const std::string host : {"a b", "a b:9000", "localhost", "x:99999999", "x:0", ":9000", "fe80::1:8080", "[]:80",
                                 "http://x:80", "x:", "x:80/"}) {
    EXPECT_EQ(run("evt view --no-open --idle 1ms --allow-host '" + host + "' cpus.evt"),
              refuses(2,
                      "evt view: --allow-host: expected a name and a port from 1 to 65535, such as localhost:9000, "
                      "found " +
                          host + "\n"));
  }
}

TEST_F(ViewUsage, PutsSeveralTracesOntoOneTimelineOfThePage) {
  given_file("late.evt", trace_from_text("evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e10 "
                                         "start=1767225600.000000250 program=\"late\"\nstream 1 \"main\"\n"));
  const std::string ended = "ended after 100 ms without a request\n";
  EXPECT_EQ(run("evt view --no-open --idle 100ms cpus.evt late.evt").err,
            "evt view: late.evt: aligned by wall clock (offset 250 ns); as accurate as the two clocks\n" + ended);
  EXPECT_EQ(run("evt view --no-open --idle 100ms --separate cpus.evt late.evt").err, ended);
  EXPECT_EQ(
      run("TMPDIR=nowhere evt view --no-open --idle 100ms cpus.evt late.evt").err,
      "evt view: not on one timeline: cannot make a temporary file in nowhere: No such file or directory\n" + ended);
  EXPECT_EQ(run("mkdir tmp; TMPDIR=tmp evt view --no-open --idle 100ms cpus.evt late.evt; rmdir tmp").status, 0);
  EXPECT_EQ(run("evt view --text --separate cpus.evt late.evt").status, 2);
}

TEST_F(ViewUsage, PutsNoTracesOntoOneTimelineThatAreFarApart) {
  given_file("later.evt", trace_from_text("evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e10 "
                                          "start=1767484800.000000000 program=\"later\"\ntype 1 note\n"
                                          "stream 1 \"main\"\n0.000001000 1 note\n"));
  EXPECT_EQ(run("evt view --no-open --idle 100ms cpus.evt later.evt").err,
            "evt view: not on one timeline, nearly all of whose 72.0 h would be empty; evt merge makes it all the "
            "same\nended after 100 ms without a request\n");
}

TEST_F(ViewUsage, WantsANameOfAFormatThatItKnows) {
  EXPECT_EQ(run("evt view -o a.gif cpus.evt"),
            refuses(2,
                    "evt view: -o: expected a name in .html, .svg, .pdf or .png, found "
                    "a.gif\n"));
}

TEST_F(ViewUsage, ChoosesNothingForAPageInAFile) {
  for (const std::string option : {"--from 0", "--to 1", "--rows cpus", "--width 84mm", "--bw"}) {
    EXPECT_EQ(run("evt view " + option + " -o a.html cpus.evt"),
              refuses(2, "evt view: " + option.substr(0, option.find(' ')) +
                             ": works only with pictures, not with the page in an .html file\n"));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"cpus.evt"}));
}

TEST_F(ViewUsage, LimitsTheSizeOfAPageAlone) {
  const std::string sentence = "evt view: --detail: limits a page in a file: needs -o with a name in .html";
  EXPECT_EQ(run("evt view --detail 1M -o a.svg cpus.evt"), refuses(2, sentence + "\n"));
  EXPECT_EQ(run("evt view --detail 1M cpus.evt").status, 2);
  EXPECT_EQ(run("evt view --detail 1M --text cpus.evt").status, 2);
}

TEST_F(ViewUsage, WantsASizeOfDetail) {
  for (const std::string size : {"0", "-1", "2MB", "much"}) {
    EXPECT_EQ(run("evt view --detail=" + size + " -o a.html cpus.evt"),
              refuses(2, "evt view: --detail: expected bytes, or 10K, 10M, 1G, found " + size + "\n"));
  }
}

TEST_F(ViewUsage, MakesNoPageThatIsLargerThanItMayBe) {
  const Outcome refused = run("evt view --detail 1K -o a.html cpus.evt");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err,
              ::testing::MatchesRegex("evt view: --detail: the coarsest picture takes [0-9]+ bytes, more than 1024\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"cpus.evt"}));
}

TEST_F(ViewUsage, PutsThePageIntoAFileQuietly) {
  EXPECT_EQ(run("evt view -o a.html cpus.evt"), prints(""));
  EXPECT_EQ(run("evt view -o b.html cpus.evt && cmp a.html b.html"), prints(""));
}

TEST_F(ViewUsage, PageInAFileHasNoTextOfTheTraceAsMarkup) {
  given_trace("<img>.evt",
              "type 13 note role=mark (message text role=message)\nstream 1 \"<script>\"\n"
              "0.000000001 1 note message=\"</script><script>alert(1)</script>\"\n");
  EXPECT_EQ(run("evt view -o a.html '<img>.evt'"), prints(""));
  EXPECT_EQ(run("grep -c -e 'alert(1)' -e '<img>' a.html").out, "0\n");
  EXPECT_EQ(run("grep -o '<script' a.html | wc -l"),
            prints("3\n"));  // the answers, the packed page, and what unpacks it
}

TEST_F(ViewUsage, ReportsWhatAPageInAFileLacks) {
  EXPECT_EQ(run("evt view -o a.html cpus.evt away.evt"),
            refuses(3, "evt view: cannot open away.evt: No such file or directory\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.html", "cpus.evt"}));
  EXPECT_EQ(run("evt view -o away/a.html cpus.evt").status, 3);
}

TEST_F(ViewUsage, KnowsKindsOfRows) {
  EXPECT_EQ(run("evt view --text --rows cpus,thread cpus.evt").status, 0);
  EXPECT_EQ(
      run("evt view --text --rows treads cpus.evt"),
      refuses(2,
              "evt view: --rows: expected cpus, threads, spans, async, counters, marks, events or KIND:GLOB, found "
              "treads; did you mean threads?\n"));
}

TEST_F(ViewUsage, DrawsNoRowsThatAreOfThePageAlone) {
  for (const std::string kind : {"sparks", "objects", "tracer"}) {
    EXPECT_EQ(run("evt view --text --rows cpus," + kind + " cpus.evt"),
              refuses(2, "evt view: --rows: " + kind + ": only the page of evt view has such rows\n"));
  }
}

TEST_F(ViewUsage, NamesRowsThatAreNotThere) {
  EXPECT_EQ(run("evt view -o a.svg --rows thread:x* cpus.evt"), refuses(1, "evt view: there is no row thread:x*\n"));
  EXPECT_EQ(run("evt view -o a.svg --rows cpus,thread:x* cpus.evt"),
            refuses(1, "evt view: there is no row thread:x*\n"));
}

TEST_F(ViewUsage, DrawsNothingOfNoEvents) {
  given_trace("none.evt", "");
  EXPECT_EQ(run("evt view -o a.svg none.evt"), refuses(1, "evt view: there are no events to draw\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"cpus.evt", "none.evt"}));
}

TEST_F(ViewUsage, DrawsEventsWhereThereIsNothingElse) {
  given_trace("plain.evt",
              "type 1024 tick (n u64)\nstream 1 \"main\"\n0.000000000 1 tick n=1\n0.000000010 1 tick n=2\n");
  EXPECT_EQ(run("COLUMNS=40 LC_ALL=C evt view --text plain.evt"), prints("        |0 ns\nmain    #        #\n"));
}

TEST_F(ViewUsage, WantsTimeBetweenItsEnds) {
  EXPECT_EQ(run("evt view --text --from 2 --to 1 cpus.evt"), refuses(2, "evt view: --to: 1 is before --from 2\n"));
  EXPECT_EQ(run("evt view --text --from 500us --to=-1100us cpus.evt"),
            refuses(2, "evt view: --from and --to leave no time\n"));
}

TEST_F(ViewUsage, DrawsNothingOfATimeThatIsNotThere) {
  EXPECT_EQ(run("evt view -o a.svg --from 5 cpus.evt"),
            refuses(1,
                    "evt view: cpus.evt: --from 5 is after the end: the trace is from 0.000000000 to 0.001200000\nevt "
                    "view: there are no events to draw\n"));
}

TEST_F(ViewUsage, WantsALengthOfPaper) {
  EXPECT_EQ(run("evt view -o a.svg --width 84 cpus.evt"),
            refuses(2, "evt view: --width: expected a length such as 84mm, 17.4cm, 7in or 500pt, found 84\n"));
  EXPECT_EQ(run("evt view -o a.svg --width 1mm cpus.evt"),
            refuses(2, "evt view: --width: expected 100 to 5000 pt, found 1mm\n"));
}

TEST_F(ViewUsage, NeverReplacesItsInput) {
  EXPECT_EQ(run("ln -s cpus.evt a.svg && evt view -o a.svg cpus.evt"),
            refuses(2, "evt view: a.svg is the input cpus.evt: the output must be another file\n"));
}

TEST_F(ViewUsage, ReportsWhatCannotBeOpened) {
  EXPECT_EQ(run("evt view --text away.evt"), refuses(3, "evt view: cannot open away.evt: No such file or directory\n"));
}

}  // namespace
}  // namespace evt::testing
