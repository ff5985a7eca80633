// What is otherwise on a terminal: a pager, colours, the width of tables; and what is quiet.
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class OnATerminal : public AtTheShell {
 protected:
  OnATerminal() {
    given_trace("x.evt",
                "type 1024 tick \"what happens now and then\" (number u32) (what text)\nstream 1 \"main\"\n"
                "0.000000001 1 tick number=7 what=\"a\"\n");
  }

  // The line in a terminal of its own, as text.
  Outcome run_there(const std::string& line, const std::string& environment = "EVT_PAGER=") const {
    given_file("line", environment + " " + line);
    return run("TERM=xterm script -qec 'bash line' /dev/null < /dev/null | tr -d '\\r'; exit ${PIPESTATUS[0]}");
  }
};

const std::string kDump = "   0.000000001  main  tick number=7 what=\"a\"\n";

TEST_F(OnATerminal, OutputGoesThroughAPager) {
  const std::string loud = "   0.000000001  MAIN  TICK NUMBER=7 WHAT=\"A\"\n";
  EXPECT_EQ(run_there("evt dump --color never x.evt", "EVT_PAGER='tr a-z A-Z'"), prints(loud));
  EXPECT_EQ(run_there("evt dump --color never x.evt", "PAGER='tr a-z A-Z'"), prints(loud));
  EXPECT_EQ(run_there("evt dump --color never x.evt", "PAGER=false EVT_PAGER='tr a-z A-Z'"), prints(loud));
  EXPECT_EQ(run_there("evt dump --color never x.evt", "EVT_PAGER='cat -n | cut -c 1-6'"), prints("     1\n"));
  EXPECT_EQ(run_there("evt help", "EVT_PAGER='head -n 1'"),
            prints("Records, analyses and converts traces of what programs do.\n"));
  EXPECT_EQ(run_there("tracedump --color never x.evt", "EVT_PAGER='tr a-z A-Z'"), prints(loud));
}

TEST_F(OnATerminal, OutputGoesThroughNoPagerThatIsNotWantedOrNotThere) {
  for (const char* const environment :
       {"EVT_PAGER=", "EVT_PAGER=cat", "PAGER=cat", "EVT_PAGER=/nosuch/pager", "PAGER= EVT_PAGER=nosuchpager"}) {
    EXPECT_EQ(run_there("evt dump --color never x.evt", environment), prints(kDump)) << environment;
  }
  EXPECT_EQ(run_there("evt dump --color never --no-pager x.evt", "EVT_PAGER='tr a-z A-Z'"), prints(kDump));
}

TEST_F(OnATerminal, LessIsThePagerUnlessAnotherIsNamed) {
  if (run("less --version").status != 0) GTEST_SKIP() << "there is no less";
  EXPECT_THAT(run_there("evt dump --color never x.evt", "unset PAGER EVT_PAGER LESS;").out,
              ::testing::HasSubstr("main  tick number=7 what=\"a\""));
}

TEST_F(OnATerminal, APipeAndAFileHaveNoPager) {
  EXPECT_EQ(run("EVT_PAGER='tr a-z A-Z' evt dump x.evt"), prints(kDump));
  EXPECT_EQ(run_there("evt dump x.evt | cat", "export EVT_PAGER='tr a-z A-Z';"), prints(kDump));
}

TEST_F(OnATerminal, TheStatusIsThatOfTheCommandAndNotOfThePager) {
  EXPECT_EQ(run_there("evt dump --color never x.evt", "EVT_PAGER='cat -; false;'").status, 0);
  EXPECT_EQ(run_there("evt dump --color never nosuch.evt", "EVT_PAGER='tr a-z A-Z'"),
            (Outcome{3, "EVT DUMP: CANNOT OPEN NOSUCH.EVT: NO SUCH FILE OR DIRECTORY\n", ""}));
  EXPECT_EQ(run_there("evt dump --color never --event tock x.evt", "EVT_PAGER='tr a-z A-Z'"),
            (Outcome{1, "EVT DUMP: NO EVENT TYPE IS CALLED TOCK; DID YOU MEAN TICK?\n", ""}));
}

// Whether the shell ends before the first write, or after the last.
TEST_F(OnATerminal, APagerThatAShellCannotRunIsAnError) {
  const std::string refusal = "evt dump: the pager cannot be run: EVT_PAGER names another, --no-pager disables it\n";
  for (const char* const pager : {"exec 0<&-; sleep 0.3; exit 127", "sleep 0.3; exit 126"}) {
    EXPECT_EQ(run_there("evt dump --color never x.evt", "EVT_PAGER='" + std::string(pager) + "'"),
              (Outcome{3, refusal, ""}))
        << pager;
  }
  EXPECT_THAT(run_there("evt dump --color never x.evt", "EVT_PAGER='nosuchpager --x=\"y\"'"),
              ::testing::AllOf(::testing::Field(&Outcome::status, 3),
                               ::testing::Field(&Outcome::out, ::testing::HasSubstr(refusal))));
}

TEST_F(OnATerminal, APagerThatIsLeftEarlyEndsTheCommandQuietly) {
  std::string many = "type 1024 tick (n u32)\nstream 1 \"main\"\n";
  for (int i = 1; i <= 20000; ++i) {
    many += "0." + std::string(9 - std::to_string(i).size(), '0') + std::to_string(i) + " 1 tick n=1\n";
  }
  given_trace("many.evt", many);
  EXPECT_EQ(run_there("evt dump --color never many.evt", "EVT_PAGER='head -n 1'"),
            prints("   0.000000001  main  tick n=1\n"));
  EXPECT_EQ(run_there("evt dump --color never many.evt", "EVT_PAGER=true"), prints(""));
}

TEST_F(OnATerminal, TablesFitItsWidth) {
  EXPECT_EQ(run_there("COLUMNS=60 evt dump --types --color never x.evt"),
            prints("number  name      size  fields             description\n"
                   "  1024  tick  variable  number:u32 what:…  what happens now…\n"
                   "evt dump: strings were truncated to 60 columns; --wide shows all\n"));
  EXPECT_EQ(run("evt dump --types x.evt"),
            prints("number  name      size  fields                description\n"
                   "  1024  tick  variable  number:u32 what:text  what happens now and then\n"));
  EXPECT_EQ(run_there("COLUMNS=200 evt dump --types --color never x.evt"), run("evt dump --types x.evt"));
  EXPECT_EQ(run_there("COLUMNS=60 evt dump --types --color never --wide x.evt"), run("evt dump --types x.evt"));
  EXPECT_EQ(run("COLUMNS=60 evt dump --types x.evt"), run("evt dump --types x.evt"));
}

TEST_F(OnATerminal, HeadsOfTablesAndErrorsAreColoured) {
  const std::string plain = run("evt stats events x.evt").out;
  const std::string bold = "\x1b[1mevent  events        %  rate\x1b[0m\ntick        1  100.0 %     -\n";
  EXPECT_EQ(plain, "event  events        %  rate\ntick        1  100.0 %     -\n");
  EXPECT_EQ(run_there("evt stats events x.evt"), prints(bold));
  EXPECT_EQ(run("evt stats events --color always x.evt"), prints(bold));
  EXPECT_EQ(run("CLICOLOR_FORCE=1 evt stats events x.evt"), prints(bold));
  EXPECT_EQ(run("CLICOLOR_FORCE=0 evt stats events x.evt"), prints(plain));
  EXPECT_EQ(run("NO_COLOR=1 CLICOLOR_FORCE=1 evt stats events x.evt"), prints(plain));
  EXPECT_EQ(run_there("evt stats events x.evt", "EVT_PAGER= NO_COLOR=1"), prints(plain));
  EXPECT_EQ(run_there("evt stats events x.evt", "EVT_PAGER= TERM=dumb"), prints(plain));
  EXPECT_EQ(run_there("evt stats events --color never x.evt"), prints(plain));
  EXPECT_EQ(run_there("evt stats events x.evt", "EVT_PAGER='tr a-z A-Z'").out.substr(0, 9), "\x1b[1MEVENT");
  EXPECT_EQ(run("CLICOLOR_FORCE=1 evt check nosuch.evt"),
            refuses(3, "\x1b[31mevt check: \x1b[0mcannot open nosuch.evt: No such file or directory\n"));
}

TEST_F(OnATerminal, GetsNoBinaryForm) {
  const std::string refused = "evt convert: will not write a binary trace onto a terminal: name a file with -o\n";
  for (const char* const form : {"evt", "perfetto", "rowbinary --table streams"}) {
    EXPECT_EQ(run_there(std::string("evt convert --color never x.evt --format ") + form), (Outcome{3, refused, ""}))
        << form;
    EXPECT_EQ(run(std::string("evt convert x.evt --format ") + form + " | wc -c | grep -c '^0$'").out, "0\n") << form;
  }
}

TEST_F(OnATerminal, QuietLeavesOutNotesAndKeepsErrorsAndTheStatus) {
  EXPECT_EQ(run("evt dump -q --event tock x.evt"), refuses(1, ""));
  EXPECT_EQ(run("evt dump --quiet nosuch.evt"),
            refuses(3, "evt dump: cannot open nosuch.evt: No such file or directory\n"));
  EXPECT_EQ(run("evt stats -q gc x.evt").status, run("evt stats gc x.evt").status);
  EXPECT_EQ(run("evt stats -q gc x.evt").err, "");
  EXPECT_EQ(run("evt stats gc -q x.evt").err, "");
  EXPECT_EQ(run("head -c 200 x.evt > cut.evt; evt check -q cut.evt").err, "");
  EXPECT_EQ(run("evt check -q cut.evt").status, 1);
  EXPECT_EQ(run("evt cut -q x.evt -o y.evt && evt dump y.evt"), prints(kDump));
}

// The interval of a difference says more than how many runs it is from.
TEST_F(OnATerminal, DifferencesOfRunsKeepTheirIntervals) {
  for (int i = 0; i < 6; ++i) {
    given_trace((i < 3 ? "a" : "b") + std::to_string(i) + ".evt",
                "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
                "stream 1 \"main\"\n0.100 1 span.begin name=\"load\"\n0.1" +
                    std::to_string(i < 3 ? 10 + i : 20 + i) + " 1 span.end\n");
  }
  EXPECT_EQ(run_there("COLUMNS=80 evt stats diff spans --table spans --sort % --top 1 --color never a*.evt -- b*.evt"),
            prints("name  column   before    after   change      low     high        %  significant\n"
                   "load  sum     11.0 ms  24.0 ms  13.0 ms  10.7 ms  15.3 ms  118.2 %  yes\n"
                   "evt stats: left out to fit 80 columns: before runs, after runs, before deviation, after deviation; "
                   "--columns all shows them\n"));
}

// The default terminal has 80 columns.
TEST_F(OnATerminal, TablesLeaveOutTheColumnsThatAreLeastNeeded) {
  given_trace("s.evt",
              "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
              "stream 1 \"main\"\n0.1 1 span.begin name=\"POST /checkout\"\n0.2 1 span.end\n");
  EXPECT_EQ(run_there("COLUMNS=80 evt stats spans --table spans --color never s.evt"),
            prints("name            count     sum    self  median     p90     p95     p99     max\n"
                   "POST /checkout      1  100 ms  100 ms  100 ms  100 ms  100 ms  100 ms  100 ms\n"
                   "evt stats: left out to fit 80 columns: trimmed mean, p99.9, min; --columns all shows them\n"));
  EXPECT_EQ(run_there("COLUMNS=80 evt stats spans --table spans --sort min --color never s.evt 2>/dev/null"),
            prints("name            count     sum    self     min  median     p90     p99     max\n"
                   "POST /checkout      1  100 ms  100 ms  100 ms  100 ms  100 ms  100 ms  100 ms\n"));
  EXPECT_EQ(
      run_there("COLUMNS=40 evt stats spans --table spans --color never s.evt"),
      prints(
          "name            count     sum    self\n"
          "POST /checkout      1  100 ms  100 ms\n"
          "evt stats: left out to fit 40 columns: trimmed mean, p99.9, min, p95, p90, max, p99, median; --columns all "
          "shows them\n"));
  EXPECT_EQ(run_there("COLUMNS=80 evt stats spans --columns all --table spans --color never s.evt").out.find("left"),
            std::string::npos);
}

// Texts are shortened before the last number goes.
TEST_F(OnATerminal, TablesKeepANumber) {
  given_trace("locked.evt",
              "type 1024 call role=callBegin (function text role=function) (object u64 role=object) (kind text "
              "role=resource)\n"
              "type 1025 back role=callEnd\n"
              "type 1026 name role=objectName (object u64 role=object) (name text role=name)\n"
              "type 1027 release role=lockRelease (object u64 role=object)\n"
              "stream 1 \"writer of orders\" thread=1\nstream 2 \"b\" thread=2\n"
              "0.0 1 name object=7 name=\"shop.4711:orders_of_today\"\n0.0 1 name object=8 name=\"shop/orders.log\"\n"
              "1.0 1 call function=\"write\" object=8 kind=\"file\"\n"
              "1.0 2 call function=\"lock\" object=7 kind=\"lock\"\n"
              "4.0 1 back\n4.0 1 release object=7\n4.0 2 back\n");
  EXPECT_EQ(run_there("COLUMNS=60 evt stats locks --table holders --color never locked.evt"),
            prints("lock          thread  name          in     object          time\n"
                   "shop.4711:o…       1  writer of o…  write  shop/orders…  3.00 s\n"
                   "evt stats: left out to fit 60 columns: %; --columns all shows them\n"
                   "evt stats: strings were truncated to 60 columns; --wide shows all\n"));
}

}  // namespace
}  // namespace evt::testing
