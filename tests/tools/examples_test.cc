// What the example programs tell about themselves, with tracing on and off.
#include "tools/at_the_shell.h"

namespace evt::testing {
namespace {

class Examples : public AtTheShell {
 protected:
  // How many events the program reports as recorded: of "... s, 5 events recorded", the 5.
  static std::string recorded(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::string& out = outcome.out;
    const std::size_t end = out.find(" events recorded, trace opened and closed in ");
    EXPECT_NE(end, std::string::npos) << out;
    const std::size_t begin = out.rfind(' ', end - 1) + 1;
    return out.substr(begin, end - begin);
  }
};

TEST_F(Examples, TheInterpreterSaysThatItCannotCompact) {
  const Outcome outcome =
      run("EVTRACE=vm.evt,compact interpreter '" EVT_SOURCE_FOLDER "/examples/interpreter/lists.asm' > out");
  EXPECT_EQ(outcome.err, "interpreter: EVTRACE: compact needs libevtrace-compact, which this program does not link\n");
  EXPECT_EQ(outcome.status, 0) << "it runs all the same";
}

TEST_F(Examples, ParsortSortsWithoutTracingUnlessAskedTo) {
  const Outcome outcome = run("parsort -n 20000 -c 100 -r 2 -w 3");
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "sorted 20000 numbers, 2 of 2 times");
  EXPECT_EQ(recorded(outcome), "0");
  EXPECT_EQ(recorded(run("parsort -n 20000 -c 100 -w 3 -o none")), "0");
  EXPECT_THAT(files(), ::testing::IsEmpty());
}

TEST_F(Examples, ParsortSortsWhateverTheCutoffAndTheNumberOfNumbers) {
  for (const char* arguments : {"-n 0", "-n 1 -c 1", "-n 2 -c 1", "-n 3 -c 1 -w 1", "-n 5000 -c 1"}) {
    EXPECT_EQ(run(std::string("parsort ") + arguments).status, 0) << arguments;
  }
}

TEST_F(Examples, ATraceOfParsortHasTheEventsThatItTellsOf) {
  const std::string events = recorded(run("parsort -n 20000 -c 100 -r 2 -w 3 -o sort.evt"));
  EXPECT_EQ(run("evt dump --count sort.evt"), prints(events + "\n"));
  const Outcome dump = run("tracedump sort.evt");
  EXPECT_EQ(dump.status, 0);
  EXPECT_EQ(dump.err, "");
  EXPECT_THAT(dump.out, ::testing::ContainsRegex("worker 0  spark.create spark=[0-9]+\n"));
}

TEST_F(Examples, ATraceOfParfibHasTheEventsThatItTellsOf) {
  const std::string events = recorded(run("parfib -n 20 -c 8 -w 3 -o fib.evt"));
  EXPECT_EQ(run("evt dump --count fib.evt"), prints(events + "\n"));
  EXPECT_EQ(recorded(run("parfib -n 20 -c 8 -w 3 -o none")), "0");
}

TEST_F(Examples, ParsortRefusesWhatMakesNoSense) {
  const std::string usage =
      "parsort: usage: parsort [-n N] [-c CUTOFF] [-r REPEATS] [-w WORKERS] [-o FILE|none] [-t TALLY]\n";
  EXPECT_EQ(run("parsort -x"), refuses(2, usage));
  EXPECT_EQ(run("parsort -r x"), refuses(2, "parsort: -r takes a number from 0 to 1000000, not 'x'\n" + usage));
  EXPECT_EQ(run("parsort -o missing/sort.evt"),
            refuses(1, "parsort: cannot write missing/sort.evt: No such file or directory\n"));
}

TEST_F(Examples, DropHalfKeepsEverySecondEvent) {
  given_trace("a.evt",
              "type 1024 tick (n u8)\nstream 1 \"a\"\n0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n"
              "0.000000002 1 !lost count=7 cause=ring_full duration=0.000000000\n0.000000003 1 tick n=3\n");
  EXPECT_EQ(
      run("drop_half a.evt b.evt && evt dump --csv b.evt 2>&1"),
      prints("ns,stream,event,n,rest\r\n1,a,tick,1,\r\n2,a,!lost,,count=7 cause=ring_full duration=0\r\n3,a,tick,3,\r\n"
             "evt dump: b.evt: 7 events of stream 1 \"a\" lost: ring_full\n"));
  EXPECT_EQ(run("drop_half a.evt"), refuses(2, "usage: drop_half IN.evt OUT.evt\n"));
}

TEST_F(Examples, DropHalfSaysWhatItsTraceWasMadeFrom) {
  given_trace("a.evt", "type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n");
  EXPECT_EQ(run("drop_half a.evt b.evt && evt dump --header b.evt | grep ^origin"),
            prints("origin    00010203-0405-4607-8809-0a0b0c0d0e0f\n"));
  EXPECT_EQ(run("evt dump --canonical b.evt | evt convert - -o c.evt && evt dump --canonical b.evt >b.txt && "
                "evt dump --canonical c.evt | cmp - b.txt && grep -o 'origins=.*' b.txt"),
            prints("origins=[0x000102030405460788090a0b0c0d0e0f]\n"));
}

const std::string kLists = "'" EVT_SOURCE_FOLDER "/examples/interpreter/lists.asm'";

TEST_F(Examples, InterpreterTellsOfCallsAndCollections) {
  EXPECT_EQ(run("interpreter " + kLists + " vm.evt"), prints("20100\n"));
  EXPECT_EQ(run("evt dump --canonical --limit 2 vm.evt | grep -o 'vm.call function=.*'"),
            prints("vm.call function=\"main\" depth=1\nvm.call function=\"repeat\" depth=2\n"));
  EXPECT_EQ(run("evt dump --count --event vm.call --where function=sum vm.evt"), prints("201\n"));
  EXPECT_EQ(run("evt dump --count --event vm.call vm.evt; evt dump --count --event vm.return vm.evt"),
            prints("6262\n6262\n"));
  EXPECT_EQ(run("evt dump --event vm.gc_end vm.evt | grep -o 'live.*'"), prints("live=96 freed=4000\n"));
}

// One of a thousand instructions: 30 lists of 200 * 11 + 6 each are made, and one is added up by 200 * 14 + 6.
TEST_F(Examples, InterpreterSamplesItsOwnStacks) {
  EXPECT_EQ(run("interpreter " + kLists + " vm.evt"), prints("20100\n"));
  EXPECT_EQ(run("evt stats stacks --sort samples --columns name,samples vm.evt | tail -n +5"),
            prints("name    samples\n"
                   "range        66\n"
                   "sum           3\n"
                   "main          0\n"
                   "repeat        0\n"));
  EXPECT_NE(run("evt stats stacks --by line vm.evt").out.find("\nrepeat:53 "), std::string::npos);
}

TEST_F(Examples, InterpreterIsTracedWhereTheEnvironmentSaysSo) {
  EXPECT_EQ(run("EVTRACE=vm.evt,types=vm.gc* interpreter " + kLists + " && evt dump --count vm.evt"),
            prints("20100\n2\n"));
  EXPECT_EQ(run("interpreter " + kLists), prints("20100\n"));
}

TEST_F(Examples, ShopTakesNoOptionForAFile) {
  const std::string usage = "usage: shop FILE [fixed]\n";
  EXPECT_EQ(run("shop --help"), prints(usage));
  EXPECT_EQ(run("shop -h"), prints(usage));
  EXPECT_EQ(run("shop --fixed"), refuses(2, usage));
  EXPECT_EQ(run("shop --fixed fixed"), refuses(2, usage));
  EXPECT_THAT(files(), ::testing::IsEmpty());
}

TEST_F(Examples, InterpreterNamesTheLineThatItDoesNotUnderstand) {
  given_file("bad.asm", "fun main 0\n  push 1\n  fly\n");
  EXPECT_EQ(run("interpreter bad.asm"), refuses(2, "interpreter: bad.asm: line 3 makes no sense\n"));
  given_file("endless.asm", "fun main 0\n  call main\n");
  EXPECT_EQ(run("interpreter endless.asm vm.evt"), refuses(1, "interpreter: too many calls\n"));
}

}  // namespace
}  // namespace evt::testing
