// evt convert: which form becomes which, and where it goes.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kLines =
    "type 1024 tick (n u8)\n"
    "stream 1 \"m\"\n"
    "0.000000001 1 tick n=1\n"
    "0.000000002 1 tick n=2\n";

class Convert : public AtTheShell {
 protected:
  Convert() { given_text("x.txt", kLines); }

  const std::string text_ = std::string(kFirstLines) + std::string(kLines);
};

TEST_F(Convert, ATextBecomesATraceAndATraceTheSameText) {
  EXPECT_EQ(run("evt convert x.txt -o x.evt && evt convert x.evt -o y.txt"), prints(""));
  EXPECT_EQ(content_of("x.evt"), trace_from_text(kLines));
  EXPECT_EQ(content_of("y.txt"), text_);
  EXPECT_EQ(files(), (std::vector<std::string>{"x.evt", "x.txt", "y.txt"}));
}

TEST_F(Convert, StandardOutputIsTheOutputIfNoneIsNamed) {
  EXPECT_EQ(run("evt convert x.txt | evt convert -"), prints(text_));
  EXPECT_EQ(run("evt convert x.txt > x.evt && evt convert x.evt > y.txt"), prints(""));
  EXPECT_EQ(content_of("y.txt"), text_);
}

TEST_F(Convert, AMinusIsStandardInputOrOutput) {
  EXPECT_EQ(run("cat x.txt | evt convert - -o - | cat | evt convert - -o - | cat"), prints(text_));
  EXPECT_EQ(run("evt convert - --output x.evt < x.txt && evt convert - < x.evt"), prints(text_));
}

TEST_F(Convert, ALargeTraceGoesThroughPipesBothWays) {
  std::string lines =
      "type 1024 say (what text)\n"
      "stream 1 \"m\"\n";
  for (int i = 10'000; i < 30'000; ++i) {
    lines += "0.0000" + std::to_string(i) + " 1 say what=\"this is number " + std::to_string(i) + "\"\n";
  }
  given_text("big.txt", lines);
  EXPECT_EQ(run("cat big.txt | evt convert - | tee big.evt | evt convert - | cmp - big.txt"), prints(""));
  EXPECT_EQ(run("evt convert big.evt | cmp - big.txt"), prints(""));
}

TEST_F(Convert, ShortInputsComeThroughAPipeInPieces) {
  EXPECT_EQ(run("(printf evt; sleep 0.05; tail -c +4 x.txt) | evt convert - | evt dump --count -"), prints("2\n"));
  EXPECT_EQ(run("evt convert x.txt -o x.evt; (head -c 3 x.evt; sleep 0.05; tail -c +4 x.evt) | evt convert -"),
            prints(text_));
}

TEST_F(Convert, TablesOfASessionAreMadeOfOneTrace) {
  EXPECT_EQ(
      run("evt convert x.txt -o x.evt && cp x.evt y.evt && evt convert x.evt y.evt -o t.parquet/"),
      refuses(3,
              "evt convert: y.evt has a session of x.evt, too, whose tables it would replace: convert both as one "
              "trace, that of `cat x.evt y.evt`\n"));
  EXPECT_EQ(run("ls t.parquet"), prints("table=sessions\ntable=streams\ntable=tick\ntable=types\n"));
}

// A file system takes 255 bytes.
TEST_F(Convert, TablesOfTypesWithLongNamesHaveShorterOnes) {
  const std::string name(300, 'a');
  given_text("long.txt", "type 1024 " + name + "\ntype 1025 " + name + "b\nstream 1 \"m\"\n" + "0.000000001 1 " + name +
                             "\n0.000000002 1 " + name + "b\n");
  const std::string front = "table=" + std::string(224, 'a') + "~";
  EXPECT_EQ(run("evt convert long.txt -o long.evt && evt convert long.evt -o t.parquet/ && ls t.parquet | grep '~'"),
            prints(front + "758036ffb9df157a\n" + front + "87f28c88d610d7c8\n"));
}

TEST_F(Convert, AnExistingOutputIsReplacedWhenTheNewOneIsComplete) {
  given_file("y.txt", std::string(2 * text_.size(), 'x'));
  EXPECT_EQ(run("evt convert x.txt -o x.evt && evt convert x.evt -o y.txt"), prints(""));
  EXPECT_EQ(content_of("y.txt"), text_);
}

TEST_F(Convert, AnExistingOutputStaysWhenTheTextIsWrong) {
  given_file("x.evt", "what was there before");
  given_text("wrong.txt", "frob\n");
  EXPECT_EQ(run("evt convert wrong.txt -o x.evt").status, 3);
  EXPECT_EQ(content_of("x.evt"), "what was there before");
  EXPECT_EQ(files(), (std::vector<std::string>{"wrong.txt", "x.evt", "x.txt"}));
}

TEST_F(Convert, AnExistingOutputStaysWhenTheInputIsNoTrace) {
  given_file("y.txt", "what was there before");
  given_file("junk", "junk");
  EXPECT_EQ(run("evt convert junk -o y.txt"),
            refuses(3, "evt convert: junk is not a trace: it begins with plain text\n"));
  EXPECT_EQ(content_of("y.txt"), "what was there before");
}

TEST_F(Convert, AFileCannotTakeItsOwnPlace) {
  for (const char* output : {"f", "./f", "../$(basename $PWD)/f", "link", "hard"}) {
    run("cp x.txt f; ln -s f link; ln f hard");
    const Outcome outcome = run(std::string("evt convert f -o ") + output);
    EXPECT_EQ(outcome.status, 2) << output;
    EXPECT_THAT(outcome.err, ::testing::EndsWith(": the output must be another file\n"));
    EXPECT_EQ(content_of("f"), text_) << output;
    EXPECT_EQ(run("rm f link hard"), prints(""));
  }
}

TEST_F(Convert, StandardInputAndOutputMayBeNoOneFileEither) {
  const std::string more = ": the output must be another file\n";
  EXPECT_EQ(run("evt convert - -o x.txt < x.txt"), refuses(2, "evt convert: x.txt is the input standard input" + more));
  EXPECT_EQ(run("evt convert x.txt >> x.txt"), refuses(2, "evt convert: standard output is the input x.txt" + more));
  EXPECT_EQ(content_of("x.txt"), text_);
}

TEST_F(Convert, TheSuffixSaysWhatIsMade) {
  EXPECT_EQ(run("evt convert x.txt -o x.evt && evt convert x.evt -o y.txt && evt convert x.evt -o y.jsonl &&"
                " evt convert x.evt -o y.csv && evt convert x.evt -o Y.EVT"),
            prints(""));
  EXPECT_EQ(content_of("y.txt"), text_);
  EXPECT_EQ(run("evt dump --json x.evt | cmp - y.jsonl && evt dump --csv x.evt | cmp - y.csv"), prints(""));
  EXPECT_EQ(run("evt dump x.evt > want && evt dump Y.EVT | cmp - want && evt convert --columns x.evt | cmp - Y.EVT"),
            prints(""));
}

TEST_F(Convert, WithoutASuffixToSaysWhatIsMade) {
  EXPECT_EQ(
      run("evt convert x.txt --format evt -o x.new && evt convert x.new --format text -o x.old && cmp x.old x.txt"),
      prints(""));
  EXPECT_EQ(run("evt convert x.new --format trace | evt convert --format json - | cmp - <(evt dump --json x.new)"),
            prints(""));
  EXPECT_EQ(run("evt convert x.new --format csv -o y && evt dump --csv x.new | cmp - y"), prints(""));
}

TEST_F(Convert, ATraceWithoutEventsIsJsonOfNoLines) {
  given_trace("e.evt", "");
  EXPECT_EQ(run("evt convert e.evt -o e.jsonl && wc -c < e.jsonl"), prints("0\n"));
}

TEST_F(Convert, ASuffixThatIsNotKnownIsRefused) {
  EXPECT_EQ(
      run("evt convert x.txt -o x.trace"),
      refuses(2,
              "evt convert: --output: expected a name that ends in one of .evt, .txt, .jsonl, .csv, .ctf, .parquet, "
              ".speedscope.json, .json, "
              ".pftrace, .perfetto-trace, .folded, .pb.gz, .vcd, or --format, found x.trace\n"));
  EXPECT_EQ(run("evt convert x.txt -o x.evt --format text"),
            refuses(2, "evt convert: --format: x.evt is not a name for text\n"));
  EXPECT_EQ(
      run("evt convert x.txt --format jsno"),
      refuses(
          2,
          "evt convert: --format: expected evt, text, json, csv, ctf, parquet, clickhouse-ddl, "
          "clickhouse-insert, rowbinary, speedscope, chrome, perfetto, folded, pprof or vcd, found jsno; did you mean "
          "json?\n"));
  EXPECT_EQ(run("evt convert x.txt -o x.svg"),
            refuses(2, "evt convert: --output: pictures are made by evt view -o x.svg\n"));
  EXPECT_EQ(run("evt convert x.txt x.pftrace"),
            refuses(2, "evt convert: expected one trace, found x.pftrace too; write -o x.pftrace\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"x.txt"});
}

TEST_F(Convert, ATextBecomesATraceAlone) {
  for (const char* output : {"y.txt", "y.json", "y.csv"}) {
    EXPECT_EQ(run(std::string("evt convert x.txt -o ") + output),
              refuses(2, "evt convert: x.txt is the text form of a trace, which becomes a trace first\n"));
  }
  EXPECT_EQ(run("evt convert --rows x.txt -o y.evt"),
            refuses(2,
                    "evt convert: x.txt is the text form of a trace, which becomes a trace first, without --columns "
                    "and --rows\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"x.txt"});
}

TEST_F(Convert, OnlyATraceHasColumnsOrRows) {
  const std::string more = "works only if the output is a trace\n";
  EXPECT_EQ(run("evt convert --columns x.txt -o y.txt"), refuses(2, "evt convert: --columns: " + more));
  EXPECT_EQ(run("evt convert --rows x.txt --format csv"), refuses(2, "evt convert: --rows: " + more));
}

TEST_F(Convert, AnOutputThatIsReplacedKeepsItsPermissions) {
  EXPECT_EQ(run("umask 022; touch x.evt; chmod 600 x.evt; evt convert x.txt -o x.evt && stat -c %a x.evt"),
            prints("600\n"));
  EXPECT_EQ(run("umask 077; chmod 664 x.evt; evt convert x.txt -o x.evt && stat -c %a x.evt"), prints("664\n"));
}

TEST_F(Convert, ALinkAsOutputStaysAndWhatItLeadsToIsReplaced) {
  EXPECT_EQ(run("mkdir there; touch there/old.evt; ln -s there/old.evt link; ln -s link far\n"
                "evt convert x.txt -o far && readlink far link && cmp link there/old.evt"),
            prints("link\nthere/old.evt\n"));
  EXPECT_EQ(content_of("there/old.evt"), trace_from_text(kLines));
  EXPECT_EQ(run("ls there"), prints("old.evt\n"));
}

TEST_F(Convert, ALinkToNothingYetMakesWhatItLeadsTo) {
  EXPECT_EQ(run("mkdir there; ln -s there/new.evt link; evt convert x.txt -o link && ls there && readlink link"),
            prints("new.evt\nthere/new.evt\n"));
}

TEST_F(Convert, LinksInACircleAreNoOutput) {
  EXPECT_EQ(run("ln -s b a; ln -s a b; evt convert x.txt -o a"),
            refuses(3, "evt convert: cannot write a: Too many levels of symbolic links\n"));
}

TEST_F(Convert, WhatCanBeReadOfACutTraceIsConverted) {
  given_text("cut.txt", std::string(kLines) + "truncated\n");
  EXPECT_EQ(run("evt convert cut.txt -o cut.evt"), prints(""));
  EXPECT_EQ(run("evt convert cut.evt -o y.txt"),
            refuses(1, "evt convert: cut.evt: the session of test is truncated: its end is missing\n"));
  EXPECT_EQ(content_of("y.txt"), text_ + "truncated\n");
}

TEST_F(Convert, LossesAreNamedAndAreNoFailure) {
  given_trace("x.evt", "stream 1 \"m\"\n0.000000001 1 !lost count=2 cause=sink duration=0.000000000\n");
  EXPECT_EQ(run("evt convert x.evt -o y.txt"),
            refuses(0, "evt convert: x.evt: 2 events of stream 1 \"m\" lost: sink\n"));
}

TEST_F(Convert, ATextOfTheRightBeginningOnlyIsStillAText) {
  given_file("short.txt", "evtrace tex");
  EXPECT_EQ(run("evt convert short.txt"),
            refuses(3, "evt convert: short.txt is not a trace: it begins with plain text\n"));
  given_file("version.txt", "evtrace text");
  EXPECT_EQ(run("evt convert version.txt").status, 3);
}

TEST_F(Convert, ATraceOfARealProgramKeepsItsText) {
  EXPECT_EQ(run("hello h.evt && evt convert h.evt -o h.txt && evt convert h.txt | evt convert - | diff h.txt -"),
            prints(""));
  for (const char* program : {"parfib -n 18 -w 3", "parsort -n 5000 -w 3"}) {
    EXPECT_EQ(run(std::string(program) + " -o p.evt > /dev/null && evt convert p.evt -o p.txt && evt convert p.txt | "
                                         "evt convert - | diff p.txt -"),
              prints(""));
  }
}

}  // namespace
}  // namespace evt::testing
