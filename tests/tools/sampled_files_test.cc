// Files of samples of other programs at the shell: folded stacks, profiles of pprof, the text of `perf script`.
#include <fmt/format.h>

#include "at_the_shell.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

class SampledFiles : public AtTheShell {
 protected:
  void given_samples() const {
    given_trace("s.evt",
                "type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
                "(weight u64 role=weight unit=nanoseconds)\n"
                "string 1 \"main\"\nstring 2 \"parse\"\nstring 3 \"a;b\"\nstream 1 \"a\"\n"
                "0.1 1 sample thread=7 stack=[\"parse\" \"main\"] weight=30\n"
                "0.2 1 sample thread=7 stack=[\"parse\" \"main\"] weight=11\n"
                "0.3 1 sample thread=8 stack=[\"a;b\" \"main\"] weight=20\n"
                "0.4 1 sample thread=7 stack=[\"main\"] weight=12\n");
  }
};

TEST_F(SampledFiles, WhatEvtWroteHasTheSameTable) {
  given_samples();
  run("evt convert -q s.evt -o s.folded && evt convert -q s.evt -o s.pb.gz");
  EXPECT_EQ(run("evt stats stacks --table stacks --csv s.evt | cut -d, -f1-6"),
            prints("name,samples,sum_ns,sum_percent,self_ns,self_percent\n"
                   "parse,2,41,56.164384,41,56.164384\n"
                   "a;b,1,20,27.39726,20,27.39726\n"
                   "main,1,73,100,12,16.438356\n"));
  // A profile has the sum of the weights of a stack: all but the error is the same.
  EXPECT_EQ(
      run("evt stats stacks --csv s.evt | cut -d, -f1-6 | cmp - <(evt stats stacks --csv s.pb.gz | cut -d, -f1-6)"),
      prints(""));
  EXPECT_EQ(run("evt stats stacks --fold s.evt | cmp - <(evt stats stacks -q --fold s.folded)"), prints(""));
  EXPECT_EQ(run("evt convert -q --format folded s.folded | cmp - s.folded"), prints(""));
  EXPECT_EQ(run("evt stats diff stacks --fail-above 0 s.evt s.pb.gz"),
            refuses(0, "evt stats: stacks: no difference\n"));
}

TEST_F(SampledFiles, NumbersOfSamplesThatFoldedStacksDoNotStateAreUnknown) {
  given_file("s.folded", "a;main;parse 41\na;main 12\n");
  constexpr const char* kNotes =
      "evt stats: s.folded: the trace does not record how many samples there were: no error is shown\n"
      "evt stats: s.folded: folded stacks state no unit: their numbers are read as nanoseconds\n";
  EXPECT_EQ(run("evt stats stacks --csv s.folded | tr -d '\\r'"),
            (Outcome{0,
                     "sampled_ns,samples,paths\n53,,2\n\n"
                     "name,samples,sum_ns,sum_percent,self_ns,self_percent,error_percent\n"
                     "parse,,41,77.358491,41,77.358491,\n"
                     "main,,53,100,12,22.641509,\n",
                     kNotes}));
  run("evt convert -q s.folded -o s.pb.gz && evt convert -q s.folded -o s.evt && evt cut -q s.evt -o cut.evt");
  EXPECT_EQ(run("evt check s.evt").status, 0);
  for (const char* const file : {"s.pb.gz", "s.evt", "cut.evt"}) {
    EXPECT_EQ(run(std::string("evt stats stacks -q --csv s.folded | cmp - <(evt stats stacks -q --csv ") + file + ")"),
              prints(""))
        << file;
  }
}

// By hand: 100 sqrt(0.5 0.5 / 4) of four samples of 10; where their weights are 60, 20 and 20, they tell as much as
// 100^2 / (60^2 + 20^2 + 20^2) = 2.27 of one weight: 100 sqrt(0.6 0.4 / 2.27).
TEST_F(SampledFiles, ErrorsAreLargerWhereSamplesDifferInWeight) {
  const auto errors = [this](std::initializer_list<std::pair<const char*, int>> samples) {
    std::string text =
        "type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
        "(weight u64 role=weight unit=nanoseconds)\n"
        "string 1 \"main\"\nstring 2 \"parse\"\nstream 1 \"main\"\n";
    for (const auto& [function, weight] : samples) {
      text += fmt::format("0.1 1 sample thread=1 stack=[\"{}\"] weight={}\n", function, weight);
    }
    given_trace("w.evt", text);
    return run("evt stats stacks --table stacks --csv w.evt | cut -d, -f1,7 | tr -d '\\r'").out;
  };
  EXPECT_EQ(errors({{"parse", 10}, {"parse", 10}, {"main", 10}, {"main", 10}}),
            "name,error_percent\nmain,25\nparse,25\n");
  EXPECT_EQ(errors({{"parse", 60}, {"main", 20}, {"main", 20}}),
            "name,error_percent\nparse,32.496154\nmain,32.496154\n");
}

TEST_F(SampledFiles, StacksThatWereNotCopiedAsAWholeAreSaid) {
  const auto notes = [this](int truncated) {
    given_trace("t.evt", fmt::format("type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
                                     "(weight u64 role=weight unit=nanoseconds)\n"
                                     "string 1 \"[truncated]\"\nstream 1 \"a\"\n"
                                     "0.1 1 sample thread=7 stack=[\"sort\" \"[truncated]\"] weight={}\n"
                                     "0.2 1 sample thread=7 stack=[\"sort\" \"main\"] weight={}\n",
                                     truncated, 100 - truncated));
    return run("evt stats stacks t.evt 2>&1 >/dev/null").out;
  };
  EXPECT_EQ(notes(70),
            "evt stats: t.evt: 70 % of the sampled time has incomplete stacks: the callers beyond are [truncated]\n");
  EXPECT_EQ(notes(9), "");
}

TEST_F(SampledFiles, StacksOfWaitsAreWrittenWhereNoProcessorTimeWasSampled) {
  given_trace("w.evt",
              "type 1 wait role=sample (thread u64 role=thread) (stack interned[] role=stack) "
              "(waited u64 role=duration unit=nanoseconds)\n"
              "string 1 \"main\"\nstring 2 \"lock\"\nstream 1 \"a\"\n"
              "0.1 1 wait thread=7 stack=[\"lock\" \"main\"] waited=30\n"
              "0.2 1 wait thread=7 stack=[\"lock\" \"main\"] waited=11\n");
  EXPECT_EQ(run("evt convert w.evt --format folded"), prints("thread 7;main;lock 41\n"));
  EXPECT_EQ(run("evt convert w.evt --format folded --weight samples"),
            (Outcome{0, "", "evt convert: nothing is written: no sample of processor time has a stack\n"}));
  EXPECT_EQ(run("evt convert w.evt --format folded --weight wall"),
            (Outcome{0, "", "evt convert: nothing is written: no span and no call has such a weight\n"}));
  EXPECT_EQ(run("evt convert w.evt -o w.pb.gz && "
                "evt stats stacks --waiting --csv w.evt | cmp - <(evt stats stacks --waiting --csv w.pb.gz)"),
            prints(""));
  given_samples();
  EXPECT_EQ(run("evt convert s.evt --format folded --weight waiting"),
            (Outcome{0, "", "evt convert: nothing is written: no wait has a stack\n"}));
}

TEST_F(SampledFiles, EveryCommandTakesThem) {
  given_file("p.txt",
             "burn 17/19 5.000001: 30 cpu-clock:u: \n\t11ae inner+0x3d (/bin/burn)\n\t11fa main+0x1 (/bin/burn)\n");
  EXPECT_EQ(run("evt stats stacks --table stacks --csv p.txt | cut -d, -f1-3"),
            prints("name,samples,sum_ns\ninner,1,30\nmain,0,30\n"));
  EXPECT_EQ(run("gzip -k p.txt && evt convert p.txt.gz -o p.evt && evt dump --types p.evt | grep -c perf.cpu-clock:u"),
            prints("1\n"));
  EXPECT_EQ(run("cat p.txt | evt convert --format folded -"), prints("burn;main;inner 30\n"));
  EXPECT_EQ(run("evt convert - < p.txt | evt dump --count -"), prints("1\n"));
  EXPECT_EQ(run("evt convert p.txt -o p.pb.gz && evt dump --count p.pb.gz"), prints("1\n"));
}

TEST_F(SampledFiles, ALineThatIsNoneIsNamedWithItsNumber) {
  given_file("x.folded", "a;b 1\na;c\n");
  EXPECT_EQ(run("evt convert x.folded --format folded"),
            (Outcome{1, "a;b 1\n",
                     "evt convert: x.folded: 1 event of stream 1 \"a\" lost: damage\n"
                     "evt convert: x.folded: 4 bytes from offset 6 ignored: no sample: line 2 does not end in a space "
                     "and a whole number below 2^64\n"
                     "evt convert: x.folded: folded stacks state no unit: their numbers are read as nanoseconds\n"}));
}

TEST_F(SampledFiles, StacksOfAnyNumberTakeBoundedMemory) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  std::string lines;
  for (int i = 0; i < 600'000; ++i) lines += "main;a_name_of_" + std::to_string(i) + ";inner 1\n";
  given_file("x.folded", lines);
  EXPECT_LT(peak_of("stats stacks x.folded"), 200 << 10);
  EXPECT_EQ(run("evt check -q x.folded").status, 1);
}

}  // namespace
}  // namespace evt::testing
