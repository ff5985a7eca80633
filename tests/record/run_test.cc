// evt run leaves a program as it is: its output, its exit status, its signals.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "recorded.h"
#include "tests/support/sanitizer.h"

namespace evt::testing {
namespace {

class Run : public Recorded {};

TEST_F(Run, HasTheProgramsOutputAndExitStatus) {
  for (const int status : {0, 1, 42, 255})
    EXPECT_EQ(record(fmt::format("known exit {}", status)), (Outcome{status, "", ""}));
  EXPECT_EQ(record("known files"), prints("done\n"));
  EXPECT_EQ(record("cat", "--calls all").status, 0);
  EXPECT_EQ(run("printf 'a\\nb\\n' | evt run -o t.evt -- cat 2>/dev/null"), prints("a\nb\n"));
}

TEST_F(Run, EndsAsASignalEndedTheProgram) {
  EXPECT_EQ(record("known die 9").status, 128 + 9);
  EXPECT_NE(report().find("signal 9 (Killed)"), std::string::npos) << report();
  EXPECT_EQ(record("known die 6").status, 128 + 6);
  EXPECT_EQ(record("known die 15").status, 128 + 15);
}

TEST_F(Run, StatesHowTheProgramEnded) {
  const auto exit_of = [&](const std::string& trace) { return run("evt stats " + trace + " | grep ^exit").out; };
  record("known exit 3");
  EXPECT_EQ(exit_of("t.evt"), "exit       status 3\n");
  EXPECT_EQ(run("evt cut --anonymous t.evt -o without.evt; evt stats without.evt | grep -c ^exit").out, "0\n");
  ASSERT_EQ(run("mv t.evt first.evt").status, 0);
  record("known die 9");
  EXPECT_EQ(exit_of("t.evt"), "exit       signal 9 (Killed)\n");
  ASSERT_EQ(run("evt merge first.evt t.evt -o both.evt 2>/dev/null").status, 0);
  EXPECT_EQ(exit_of("both.evt"), "exit       status 3, signal 9 (Killed)\n");
}

TEST_F(Run, PassesSignalsOn) {
  const Outcome outcome =
      run("mkfifo f; evt run -o t.evt -- known wait >f 2>/dev/null & exec 3<f; read line <&3; kill -TERM $!; wait $!; "
          "echo $line $?");
  EXPECT_EQ(outcome.out, "ready 7\n") << outcome;
}

TEST_F(Run, LeavesOneTraceUnderTheNameOfProgramAndProcess) {
  EXPECT_EQ(run("evt run known exit 0 2>/dev/null; ls | sed 's/[0-9][0-9]*/PID/'"), prints("known.PID.evt\n"));
}

TEST_F(Run, LeavesATraceThatIsItsOwners) {
  EXPECT_EQ(run("umask 0; evt run -o t.evt true 2>/dev/null; stat -c %a t.evt"), prints("600\n"));
  EXPECT_EQ(run("chmod 644 t.evt; evt run -o t.evt true 2>/dev/null; stat -c %a t.evt"), prints("644\n"))
      << "a file that is replaced keeps its mode";
}

TEST_F(Run, TakesTheArgumentsOfTheProgramForItsOwn) {
  EXPECT_EQ(run("evt run -o t.evt echo -o x --calls 2>/dev/null"), prints("-o x --calls\n"));
  EXPECT_EQ(run("evt run -o t.evt -- echo -- -n 2>/dev/null"), prints("-- -n\n"));
}

TEST_F(Run, ReportsWhatCannotBeExecuted) {
  EXPECT_EQ(run("evt run nonesuch"), refuses(127, "evt run: nonesuch: No such file or directory\n"));
  given_file("text", "no program");
  EXPECT_EQ(run("evt run ./text"), refuses(126, "evt run: ./text: Permission denied\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"text"}) << "no folder stays";
}

TEST_F(Run, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(run("evt run --calls file true").err,
            "evt run: --calls: expected files, sockets, waiting, threads, processes, memory, all or none, found file; "
            "did you mean "
            "files?\n");
  EXPECT_EQ(run("evt run -o - true").status, 2);
  EXPECT_EQ(run("evt run -o x.json true").status, 2);
  EXPECT_EQ(run("evt run --report usag true").status, 2);
  EXPECT_EQ(run("evt run").status, 2);
}

TEST_F(Run, StartsNothingWhereItsSessionsCannotBeWritten) {
  EXPECT_EQ(run("evt run -o no/t.evt -- touch started 2>&1; ls"),
            prints("evt run: cannot write no/t.evt: the folder no does not exist\n"));
  EXPECT_EQ(run("evt run -o no/t.evt -- true").status, 125);
  EXPECT_EQ(run("mkdir d && evt run -o d -- touch ran; echo $?; ls").out, "125\nd\n");
}

// An evt whose library was left out: asked for calls, it runs nothing; else it records what it can, and notes the rest.
TEST_F(Run, RefusesToRecordCallsWithoutItsLibrary) {
  ASSERT_EQ(run("cp \"$(command -v evt)\" evt-alone").status, 0);
  const std::string lacks = "libevtrace-preload.so is not installed with this evt: calls cannot be recorded\n";
  for (const char* const option : {"--count", "--count=exact", "--all-calls", "--all-calls=read*", "--calls files"}) {
    EXPECT_EQ(run(fmt::format("./evt-alone run {} -o t.evt -- touch ran", option)), refuses(125, "evt run: " + lacks))
        << option;
  }
  EXPECT_EQ(files(), std::vector<std::string>{"evt-alone"}) << "nothing ran";
  EXPECT_EQ(run("./evt-alone run -o t.evt -- sh -c 'exit 7' 2>report").status, 7);
  EXPECT_NE(report().find("evt run: " + lacks), std::string::npos) << report();
  EXPECT_EQ(run("./evt-alone run --calls none -o t.evt -- true 2>report").status, 0);
  EXPECT_EQ(report().find("libevtrace-preload.so"), std::string::npos) << report();
}

// Before the program runs, for minutes perhaps.
TEST_F(Run, RefusesAnOutputThatCannotBeReadAgain) {
  run("mkfifo f");
  const std::string expected = ": expected a file or no such name, because the summary reads the trace again; it is a ";
  EXPECT_EQ(run("evt run -o f -- touch ran"), refuses(125, "evt run: cannot write f" + expected + "pipe\n"));
  EXPECT_EQ(run("evt run -o /dev/null -- touch ran"),
            refuses(125, "evt run: cannot write /dev/null" + expected + "device\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"f"}) << "nothing ran";
}

// Those up to 32: the C library has the next for its threads.
TEST_F(Run, HandsDownSignalsAsTheyWere) {
  for (const std::string given : {"", "trap '' PIPE HUP INT; ", "trap '' XFSZ TERM; "}) {
    const std::string state = "grep -E 'Sig(Ign|Blk)' /proc/self/status";
    const std::string shown = " 2>/dev/null | sed 's/[0-9a-f]*\\(.\\{8\\}\\)$/\\1/'";
    EXPECT_EQ(run(given + "evt run -o t.evt " + state + shown), run(given + state + shown)) << given;
  }
}

// The numbers of a summary that are known.
TEST_F(Run, PrintsWhatTheProgramDid) {
  ASSERT_EQ(record("known files"), prints("done\n"));
  const auto has = [&](const std::string& pattern) { return run("grep -Ec '" + pattern + "' report").out == "1\n"; };
  EXPECT_TRUE(has("^end +exit status 0$")) << report();
  EXPECT_TRUE(has("^children +0$")) << report();
  EXPECT_TRUE(has("^write +100 .*(s|%)$")) << report();
  EXPECT_TRUE(has("^a +file +208 +1\\.45 kB +1\\.00 kB ")) << report();
  EXPECT_TRUE(has("^b +file +11 +0 B +70 B ")) << report();
  EXPECT_THAT(report(), ::testing::Not(::testing::HasSubstr("by other means"))) << "nearly all are seen";
  EXPECT_TRUE(has("^evt run: the trace is t.evt; evt view, evt stats and evt dump show it$")) << report();
}

TEST_F(Run, PrintsItAsJsonToo) {
  ASSERT_EQ(record("known files", "--json"), prints("done\n"));
  const std::string program =
      "import json; r = json.load(open(\"report\")); print(r[\"command\"], r[\"status\"], r[\"trace\"]);"
      "print([f for f in r[\"calls\"] if f[\"function\"] == \"write\"][0][\"calls\"])";
  EXPECT_EQ(run("python3 -c '" + program + "'"), prints("['known', 'files'] 0 t.evt\n100\n"));
}

TEST_F(Run, PrintsTheAnalysesThatWereAskedForInstead) {
  ASSERT_EQ(record("known files", "--report usage"), prints("done\n"));
  EXPECT_EQ(run("grep -c '^function ' report; grep -c elapsed report").out, "1\n0\n") << report();
}

// Its call of fflush is the last before it waits for the byte that it gets when the call was shown.
TEST_F(Run, PrintsWhatWasSoFarWhileTheProgramRuns) {
  const Outcome outcome =
      run("mkfifo f g; evt run --every 100ms -o t.evt -- known read >f <g 2>report & exec 3<f 4>g; read pid <&3; "
          "until grep -q '^evt run:   calls: .*fflush 1' report; do :; done; echo x >&4; wait $!; "
          "grep -c '^evt run: after [0-9.]* .*s: cpu [0-9.]* .*s, [0-9.]* .*s of it in the last [0-9.]* .*s$' report "
          ">count; "
          "test $(cat count) -ge 1 && grep -c '^evt run:   [12] threads\\{0,1\\}: ' report | cmp - count && "
          "grep -c '^evt run:   calls: ' report | cmp - count");
  EXPECT_EQ(outcome, prints("")) << report();
}

TEST_F(Run, RecordsOnWhereThatIsNotReadToItsEnd) {
  EXPECT_EQ(run("evt run --every 100ms -o t.evt -- known nap 2>&1 >out | head -n 1 | cut -c1-14").out,
            "evt run: after\n");
  EXPECT_EQ(calls("nanosleep"), "nanosleep,1,0\n");
}

TEST_F(Run, RefusesToPrintThatTooOften) {
  EXPECT_EQ(run("evt run --every 50ms true").err,
            "evt run: --every: expected a time like 1s, 100ms at least, found 50ms\n");
  EXPECT_EQ(run("evt run --every often true").status, 2);
}

TEST_F(Run, ReadsAFolderThatACrashLeft) {
  const Outcome outcome =
      run("mkfifo f; evt run -o t.evt -- known wait >f 2>/dev/null & exec 3<f; read line <&3; kill -KILL $!; "
          "wait $! 2>/dev/null; cd t.evt.*.sessions; "
          "pid=$(ls | sed -n 's/^\\([0-9]*\\)\\.evt$/\\1/p'); kill -TERM $pid; while kill -0 $pid 2>/dev/null; do :; "
          "done; cd ..; "
          "evt stats usage --by function --csv t.evt.*.sessions 2>/dev/null | grep -c '^puts,';"
          "for c in dump check 'convert --format text' 'cut -o c.evt' 'stats summary' 'view --text'; do "
          "evt $c t.evt.*.sessions >out 2>err && test ! -s err || { echo $c; cat err; }; done; "
          "evt merge -o m.evt t.evt.*.sessions 2>/dev/null || echo merge");
  EXPECT_EQ(outcome.out, "1\n") << outcome;
}

TEST_F(Run, NamesWhatCouldNotBeWritten) {
  run("seq 1 300000 > numbers");
  const Outcome outcome = run(
      "evt run --no-sched --calls files -o t.evt -- sh -c 'ulimit -f 200; exec sort -n numbers' 2>report >/dev/null");
  EXPECT_EQ(outcome.status, 0) << report();
  EXPECT_THAT(report(),
              ::testing::ContainsRegex(
                  "evt run: sort\\.[0-9]+: the end of its recording is lost, because it could not be written\n"));
  record("sort -n numbers");
  EXPECT_THAT(report(), ::testing::Not(::testing::HasSubstr(" lost")));
}

TEST_F(Run, StartsNothingIfItsFilesMayHaveNoBytes) {
  const Outcome outcome =
      run("{ (ulimit -f 0; evt run -q -o t.evt -- sh -c 'echo ran; exit 7'); echo status $?; } 2>&1 | cat");
  EXPECT_THAT(outcome.out, ::testing::MatchesRegex(
                               "evt run: cannot write .*/t\\.evt\\.[0-9]+\\.sessions/evt-run\\.evt: File too large\n"
                               "status 125\n"));
  EXPECT_EQ(run("ls").out, "") << "nothing is left behind";
}

// How much there is to write before the end is not always the same.
TEST_F(Run, EndsWithTheStatusOfItsProgramThoughItsFilesMayNotGrow) {
  for (const int blocks : {2, 8, 64, 1000}) {
    EXPECT_EQ(
        run(fmt::format("(ulimit -f {}; evt run -q -o t.evt -- sh -c 'echo ran; exit 7'); echo status $?", blocks)).out,
        "ran\nstatus 7\n")
        << blocks;
  }
}

// The stack of a thread has no room; that of the program has.
TEST_F(Run, EndsWithTheStatusOfItsProgramThoughThereAreNoThreadsForSamples) {
  if (kSanitizer) GTEST_SKIP() << "shadow memory needs more than is allowed";
  const Outcome outcome = run("ulimit -v 30000; exec evt run -q -o t.evt -- sh -c 'exit 7'");
  EXPECT_EQ(outcome.status, 7) << outcome;
}

TEST_F(Run, HasATableOfProcessesIfThereAreSeveral) {
  ASSERT_EQ(record("known files"), prints("done\n"));
  EXPECT_EQ(run("grep -c '^process ' report").out, "0\n");
  ASSERT_EQ(record("sh -c 'known files; known files'"), prints("done\ndone\n"));
  EXPECT_EQ(run("grep -A 9 '^process ' report | grep -cE '^known[.][0-9]+ +[0-9]+ '").out, "2\n") << report();
}

TEST_F(Run, LeavesNamesOutIfAsked) {
  ASSERT_EQ(record("known files", "--anonymous"), prints("done\n"));
  EXPECT_EQ(run("evt dump --header t.evt | grep -cE 'known|^host|^fact'").out, "0\n")
      << run("evt dump --header t.evt").out;
  EXPECT_EQ(run("grep -c 'the trace is t.evt' report").out, "1\n") << report();
}

TEST_F(Run, NumbersProcessesWithoutNames) {
  ASSERT_EQ(record("sh -c 'known files; known threads'", "--anonymous"), prints("done\n"));
  EXPECT_EQ(run("grep -o '^process [0-9]' report | sort").out, "process 1\nprocess 2\nprocess 3\n") << report();
  EXPECT_EQ(run("evt stats threads --process 'process 3' --csv t.evt | grep -o 'process [0-9]*' | sort -u").out,
            "process 3\n");
}

TEST_F(Run, NamesWhatWasReadByOtherMeans) {
  ASSERT_EQ(record("known outside"), prints(""));
  EXPECT_THAT(report(),
              ::testing::ContainsRegex("evt run: 1[.]05 MB were read and 0 B written by other means than recorded "
                                       "calls\n"));
}

TEST_F(Run, TakesWhatItReadsItselfForNoneOfThePrograms) {
  EXPECT_EQ(record("known exec-late").status, 4) << report();
  EXPECT_EQ(calls("write"), "write,100000,100000\n");
  EXPECT_THAT(report(), ::testing::Not(::testing::HasSubstr("by other means")));
}

// It sorts more sessions than are sorted in place, for which the C++ library asks for memory by an operator of its own.
TEST_F(Run, IsAsItIsUnderAnAllocatorThatHasSomeOfTheOperators) {
  const std::string preloaded = "LD_PRELOAD=$(dirname $(command -v evt))/liboperators.so ";
  EXPECT_EQ(run(preloaded + "evt --version"), run("evt --version"));
  const Outcome outcome =
      run(preloaded +
          "evt run -o t.evt -- sh -c 'i=0; while [ $i -lt 40 ]; do /bin/true; i=$((i+1)); done; exit 7' 2>report");
  EXPECT_EQ(outcome, (Outcome{7, "", ""})) << report();
  EXPECT_THAT(report(), ::testing::HasSubstr("exit status 7"));
  EXPECT_THAT(report(), ::testing::HasSubstr("evt run: the trace is t.evt; "));
  EXPECT_EQ(run("evt dump --header t.evt | grep -c '^part'").out, "42\n");
}

TEST_F(Run, EndsAsTheProgramDidWhereThereIsNoMemoryForTheSummary) {
  if (std::string_view(EVT_BUILD_FLAGS).find("sanitize") != std::string_view::npos) {
    GTEST_SKIP() << "a sanitizer has the memory, without a limit";
  }
  const Outcome outcome =
      run("EVT_MEMORY_MIB=1 evt run --calls all -o t.evt -- sh -c '"
          "dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none; exit 7' 2>report");
  EXPECT_EQ(outcome, (Outcome{7, "", ""})) << report();
  EXPECT_THAT(report(),
              ::testing::ContainsRegex("^evt run: more than 1 MiB of memory would be needed, .*; the sessions "
                                       "are in .*\\.sessions\n$"));
}

// Each call of dd has two events of some 30 bytes: 12 MB.
TEST_F(Run, WithinABudgetKeepsTheLastEvents) {
  ASSERT_EQ(record("dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none", "--keep 2M"), prints(""));
  EXPECT_LT(std::stoul(run("stat -c %s t.evt").out), 8u << 20);
  EXPECT_THAT(report(),
              ::testing::ContainsRegex(
                  "evt run: [0-9]+ events before these were not kept: calls, times and bytes are more than what is "
                  "here\n"));
  EXPECT_EQ(report().find("by other means"), std::string::npos) << report();
  EXPECT_THAT(run("evt check t.evt").err,
              ::testing::ContainsRegex("rows of its parts are not here: they were not kept\n"));
  EXPECT_EQ(run("ls").out, "report\nt.evt\n") << "no folder is left";
  // What was kept goes to the end without a gap: all but the last few calls are pairs of a read and a write.
  EXPECT_EQ(run("evt dump --event call.begin --thread dd t.evt | tail -n 20010 | head -n 20000 | "
                "grep -o 'function=\"[a-z]*\"' | sort | uniq -c | awk '{ print $1, $2 }'")
                .out,
            "10000 function=\"read\"\n10000 function=\"write\"\n");
}

TEST_F(Run, AsAFlightRecorderKeepsTheLastEvents) {
  ASSERT_EQ(record("dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none", "--flight 2M --age 1h"), prints(""));
  EXPECT_LT(std::stoul(run("stat -c %s t.evt").out), 8u << 20);
  EXPECT_THAT(report(), ::testing::ContainsRegex("evt run: [0-9]+ events before these were not kept: "));
  EXPECT_EQ(run("ls").out, "report\nt.evt\n") << "no folder is left";
  EXPECT_EQ(
      run("evt run --flight 1M -o t.evt true 2>&1"),
      (Outcome{125, "evt run: a flight recorder of 1048576 bytes is too small: expected 2097152 at least\n", ""}));
  EXPECT_EQ(run("evt run --age 5m -o t.evt true").status, 2);
  EXPECT_EQ(run("evt run --flight 2M --keep 2M -o t.evt true").status, 2);
}

// Each of eight has 2.4 MB.
TEST_F(Run, HasOneBudgetForAllProcesses) {
  const std::string each = "dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none";
  ASSERT_EQ(record("sh -c 'for i in 1 2 3 4 5 6 7 8; do " + each + "; done'", "--keep 4M"), prints(""));
  EXPECT_LT(std::stoul(run("stat -c %s t.evt").out), 8u << 20);
  EXPECT_THAT(report(),
              ::testing::ContainsRegex("evt run: nothing of [1-8] process(es)? that ended earlier was kept\n"));
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << report();
  EXPECT_EQ(run("ls").out, "report\nt.evt\n") << "no folder is left";
}

TEST_F(Run, WithABudgetThatCannotBeRecordsNothing) {
  EXPECT_EQ(
      run("evt run --rotate 64K -o t.evt true 2>&1"),
      (Outcome{125, "evt run: a file of 65536 bytes is too small: expected rotate to be 1048576 at least\n", ""}));
  EXPECT_EQ(run("evt run --keep 1M|1h -o t.evt true 2>&1").status, 127) << "a shell's pipe";
  EXPECT_EQ(run("evt run '--keep=1M|1h' -o t.evt true 2>&1"),
            (Outcome{125, "evt run: keep has to be at least two files: expected 2097152 bytes, found 1048576\n", ""}));
  EXPECT_EQ(run("evt run --rotate 1x -o t.evt true 2>&1"),
            (Outcome{2, "evt run: --rotate: expected a size or a time, or both as in 64M|1h, found 1x\n", ""}));
  EXPECT_EQ(run("evt run --keep '1G|2G' -o t.evt true 2>&1"),
            (Outcome{2, "evt run: --keep: expected a size or a time, or both as in 64M|1h, found 1G|2G\n", ""}));
  EXPECT_EQ(run("ls").out, "");
}

// A per cent sign means something in the paths of a writer.
TEST_F(Run, WritesToAnyName) {
  ASSERT_EQ(run("evt run -o '100%p %n.evt' -- known files 2>report"), prints("done\n"));
  EXPECT_EQ(run("ls *.evt").out, "100%p %n.evt\n");
  EXPECT_NE(run("evt dump --event call.begin '100%p %n.evt' | wc -l").out, "0\n");
}

}  // namespace
}  // namespace evt::testing
