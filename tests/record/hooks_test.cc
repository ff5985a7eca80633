// Imported functions are hooked: programs do what they do without, and calls are those that are known.
#include <gmock/gmock.h>

#include "recorded.h"

namespace evt::testing {
namespace {

const std::vector<std::string> kModes = {"--all-calls", "--count", "--count=exact", "--count=calls"};

class Hooks : public Recorded {
 protected:
  void SetUp() override {
    Recorded::SetUp();
    if (run("which hooked").status != 0) GTEST_SKIP() << "there are no trampolines for this machine";
  }

  // Lines FUNCTION,CALLS, in each mode.
  std::string found(const std::string& mode, const std::string& pattern) const {
    if (mode != "--all-calls") return counts(pattern);
    return run("printf '" + calls(pattern) + "' | cut -d, -f1,2").out;
  }

  void expect_same(const std::string& line) const {
    const Outcome plain = run(line + " 2>/dev/null");
    for (const std::string& mode : kModes) {
      EXPECT_EQ(run("evt run -o t.evt " + mode + " -- " + line + " 2>report"), plain) << mode << " " << report();
    }
  }

  // Runs it in each mode, and counts.
  void expect_calls(const std::string& program, const std::string& pattern, const std::string& expected) const {
    for (const std::string& mode : kModes) {
      record(program, mode);
      EXPECT_EQ(found(mode, pattern), expected) << mode << " " << program << report();
    }
  }
};

TEST_F(Hooks, LeaveAProgramAsItIs) {
  for (const char* const story :
       {"exceptions", "jumps", "coroutines", "coroutines-inside", "alternate-stack", "threads", "arguments", "frames",
        "tail-calls", "kinds", "forks", "exec", "exit", "cancelled", "many-threads"}) {
    expect_same(std::string("hooked ") + story);
  }
  expect_same("hooked plugin $(dirname $(command -v hooked))/libhooked_plugin.so");
}

TEST_F(Hooks, LeaveProgramsOfEveryBuildAsTheyAre) {
  for (const std::string build : {"hooked_now", "hooked_no_plt", "hooked_ibt"}) {
    for (const char* const story : {" arguments", " threads", " kinds"}) expect_same(build + story);
#ifdef __clang__
    // It loads the address that it calls in a loop, and what loads an address may compare it: such calls are not seen.
    if (build == "hooked_no_plt") continue;
#endif
    for (const std::string& mode : kModes) {
      record(build + " exceptions", mode == "--all-calls" ? "--all-calls=lib_*" : mode);
      EXPECT_EQ(found(mode, "lib_.*"), "lib_call,44000\nlib_throw,22000\n") << build << " " << mode;
    }
  }
}

TEST_F(Hooks, SeeCallsThatExceptionsAndJumpsLeave) {
  expect_calls("hooked exceptions", "lib_.*", "lib_call,44000\nlib_throw,22000\n");
  expect_calls("hooked jumps", "lib_.*", "lib_add,1\nlib_jump,5000\n");
  expect_calls("hooked cancelled", "lib_.*", "lib_add,1\nlib_call,1\n");
}

TEST_F(Hooks, SeeCallsOnStacksOfCoroutines) {
  expect_calls("hooked coroutines", "lib_.*", "lib_call,3000\n");
  expect_calls("hooked coroutines-inside", "lib_.*", "lib_call,3000\n");
  expect_calls("hooked alternate-stack", "lib_.*", "lib_call,3000\n");
}

TEST_F(Hooks, SeeCallsOfEachThread) {
  expect_calls("hooked threads", "lib_.*", "lib_add,8000\nlib_call,16000\nlib_throw,8000\n");
  EXPECT_EQ(run("evt stats counts --csv t.evt 2>/dev/null | grep -c '^lib_add,.*,1000,'").out, "8\n");
}

TEST_F(Hooks, SeeJumpsFromOneFunctionToAnother) {
  expect_calls("hooked tail-calls", "(lib|more)_.*", "lib_even,1000002\nmore_odd,1000001\n");
}

TEST_F(Hooks, SeeWhatALibraryImportsThatIsLoadedLater) {
  expect_calls("hooked plugin $(dirname $(command -v hooked))/libhooked_plugin.so", "more_.*", "more_add,100\n");
  EXPECT_EQ(run("evt stats counts --csv t.evt 2>/dev/null | grep ^more_add | cut -d, -f1-3").out,
            "more_add,libhooked_more.so,libhooked_plugin.so\n");
}

TEST_F(Hooks, SeeFunctionsThatAreChosenAtTheStartAndOldVersions) {
  expect_calls("hooked kinds", "lib_.*", "lib_resolved,1\nlib_versioned,2\n");
}

TEST_F(Hooks, CountWhatSignalHandlersCallInTheMiddleOfIt) {
  for (const std::string mode : {"--count", "--count=calls"}) {
    const Outcome outcome = record("hooked storm", mode);
    ASSERT_EQ(outcome.status, 0) << report();
    EXPECT_EQ(counts("lib_add|lib_call"), outcome.out) << mode;
  }
  EXPECT_EQ(record("hooked storm", "--all-calls").status, 0);
}

TEST_F(Hooks, SeeCallsOfAChildThatTheCLibraryForks) {
  expect_calls("known terminal", "write|forkpty", "forkpty,1\nwrite,1\n");
}

// The system allows some 65,000 mappings, and each thread has one for its stack. Recording has some of its own, however
// many threads there are.
TEST_F(Hooks, TakeNoMappingForEachThread) {
  const auto of_800_threads = [&](const std::string& before) {
    return std::stol(run(before + "hooked threads-at-a-time 1000").out) -
           std::stol(run(before + "hooked threads-at-a-time 200").out);
  };
  const long plain = of_800_threads("");
  std::vector<std::string> modes = kModes;
  modes.emplace_back("--calls all");
  for (const std::string& mode : modes) {
    EXPECT_LT(of_800_threads("evt run -o t.evt " + mode + " -- 2>report ") - plain, 250) << mode;
  }
}

// What a child of vfork calls in its parent's memory is counted there, and not traced.
TEST_F(Hooks, CountInChildrenFromZero) {
  for (const std::string mode : {"--count", "--count=calls"}) {
    ASSERT_EQ(record("hooked forks", mode), prints("5\n6\n"));
    EXPECT_EQ(run("evt stats counts --by thread --csv t.evt 2>/dev/null | grep ^lib_ | cut -d, -f1,6 | sort").out,
              "lib_add,10\nlib_add,3\nlib_call,10\nlib_throw,5\n")
        << mode;
  }
  ASSERT_EQ(record("hooked forks", "--all-calls"), prints("5\n6\n"));
  EXPECT_EQ(found("--all-calls", "lib_.*"), "lib_add,12\nlib_call,10\nlib_throw,5\n");
}

TEST_F(Hooks, AreNoneInChildrenThatAreNotFollowed) {
  ASSERT_EQ(record("hooked forks", "--count --no-follow-children"), prints("5\n6\n"));
  EXPECT_EQ(counts("lib_.*"), "lib_add,3\n");
  EXPECT_EQ(run("evt run --no-follow-children --count -o t.evt -- env 2>/dev/null | "
                "grep -c 'EVTRACE_RUN\\|LD_PRELOAD\\|LD_BIND_NOW'")
                .out,
            "0\n");
}

TEST_F(Hooks, LoseNothingWhereAProgramEndsInAnyWay) {
  expect_calls("hooked exec", "lib_.*", "lib_add,21\n");
  expect_calls("hooked exit", "lib_.*", "lib_add,500\n");
  expect_calls("hooked killed", "lib_.*", "lib_add,500\nlib_call,1\n");
}

TEST_F(Hooks, AreOfWhatWasAskedFor) {
  ASSERT_EQ(record("hooked threads", "--count '--all-calls=libhooked_lib.so:lib_a*,nowhere*:*,none'").status, 0);
  EXPECT_EQ(counts(".*"), "lib_add,8000\n");
  EXPECT_THAT(report(), ::testing::HasSubstr("evt run: --all-calls: no imported function matches nowhere*:*\n"
                                             "evt run: --all-calls: no imported function matches none\n"));
  ASSERT_EQ(record("hooked threads", "--all-calls=lib_throw").status, 0);
  EXPECT_EQ(calls(".*"), "lib_throw,8000,0\n");
  EXPECT_THAT(report(), ::testing::Not(::testing::HasSubstr("no imported function")));
}

TEST_F(Hooks, AreRefusedWhereTheyMakeNoSense) {
  EXPECT_EQ(run("evt run --count=time1 true").err, "evt run: --count: expected exact, calls or nothing, found time1\n");
  EXPECT_EQ(run("evt run --all-calls=a:b,:c true").err,
            "evt run: --all-calls: expected LIBRARY:FUNCTION or FUNCTION, found ':c'\n");
  EXPECT_EQ(run("evt run --all-calls --calls files true").status, 2);
  EXPECT_EQ(run("evt run --count --calls files true").status, 2);
}

// How long calls took is summed where they returned, and those that did not are counted.
TEST_F(Hooks, TimeCalls) {
  ASSERT_EQ(record("hooked threads", "--count=exact").status, 0);
  const std::string sums = "evt stats counts --by function --csv t.evt 2>/dev/null | tr -d '\\r' | awk -F, ";
  EXPECT_EQ(
      run(sums + "'$1 == \"lib_add\" { print $7 $8, ($9 > 0), ($11 <= $12), ($12 <= $13), ($13 <= $14), ($14 <= $9) }'")
          .out,
      "0 1 1 1 1 1\n")
      << run(sums + "1").out;
  EXPECT_EQ(run(sums + "'$1 == \"lib_throw\" { print $7, $9 }'").out, "8000 \n") << "not returned";
  ASSERT_EQ(record("hooked threads", "--count=calls").status, 0);
  EXPECT_EQ(run(sums + "'$1 == \"lib_add\" { print $6 \"[\" $7 $8 $9 $10 $11 $12 $13 $14 \"]\" }'").out, "8000[]\n");
}

// A million calls and one, each of some nanoseconds: those that are timed represent them all.
TEST_F(Hooks, TimeSomeOfManyShortCalls) {
  ASSERT_EQ(record("hooked tail-calls", "--count").status, 0) << report();
  EXPECT_EQ(run("evt stats counts --by function --csv t.evt 2>/dev/null | awk -F, '$1 == \"more_odd\" { "
                "print $6, $7, ($8 > 1000 && $8 < $6 / 2), ($9 > 0 && $10 > 0) }'")
                .out,
            "1000001 0 1 1\n");
  EXPECT_EQ(run("evt dump --json t.evt 2>/dev/null | python3 -c '\n"
                "import json, sys\n"
                "for line in sys.stdin:\n"
                "  event = json.loads(line)\n"
                "  fields = event.get(\"fields\", event)\n"
                "  if fields.get(\"function\") == \"more_odd\":\n"
                "    print(0.9 < sum(fields[\"times\"]) / 1000001 < 1.1)'")
                .out,
            "True\n");
}

TEST_F(Hooks, SumThreadsThatHaveEnded) {
  for (const std::string mode : {"--count", "--count=calls"}) {
    ASSERT_EQ(record("hooked many-threads", mode), prints(""));
    EXPECT_EQ(counts("lib_add"), "lib_add,1000\n");
    EXPECT_EQ(
        run("evt stats counts --csv t.evt 2>/dev/null | awk -F, '$1 == \"lib_add\" { print $6 }' | sort | uniq -c").out,
        "     65 10\n      1 350\n")
        << "the last ones, and all before";
  }
}

TEST_F(Hooks, DoNotEndAProgramThatHasNoRoomForTheirCounts) {
  EXPECT_EQ(run("ulimit -f 100; evt run --no-sched --count -o t.evt -- hooked exceptions 2>report"),
            prints("caught 22000\n"));
  EXPECT_THAT(report(), ::testing::HasSubstr(".0.calls: there was no room for all calls that were counted\n"));
}

TEST_F(Hooks, ArePrintedAtTheEnd) {
  ASSERT_EQ(record("hooked threads", "--count=calls --all-calls=lib_*").status, 0);
  EXPECT_THAT(report(), ::testing::HasSubstr("function   library           calls\n"
                                             "lib_call   libhooked_lib.so  16000\n"
                                             "lib_add    libhooked_lib.so   8000\n"
                                             "lib_throw  libhooked_lib.so   8000\n"));
  EXPECT_THAT(report(), ::testing::HasSubstr("evt run: 32000 calls counted\n"));
  ASSERT_EQ(record("hooked threads", "--count=calls --all-calls=lib_* --json").status, 0);
  EXPECT_EQ(run("python3 -c 'import json; r = json.load(open(\"report\")); "
                "print([(f[\"function\"], f[\"calls\"]) for f in r[\"counts\"]])'"),
            prints("[('lib_call', 16000), ('lib_add', 8000), ('lib_throw', 8000)]\n"));
}

TEST_F(Hooks, AreReadFromAFolderThatACrashLeft) {
  const Outcome outcome =
      run("mkfifo f; evt run --count -o t.evt -- known wait >f 2>/dev/null & exec 3<f; read line <&3; kill -KILL $!; "
          "wait $! 2>/dev/null; cd t.evt.*.sessions; "
          "pid=$(ls | sed -n 's/^\\([0-9]*\\)\\.0\\.calls$/\\1/p'); kill -TERM $pid; "
          "while kill -0 $pid 2>/dev/null; do :; done; cd ..; "
          "evt stats counts --csv t.evt.*.sessions | grep '^puts,' | cut -d, -f1-3,6");
  EXPECT_EQ(outcome.out, "puts,libc.so.6,known,1\n") << outcome;
}

// Programs that were not made for this. Each prints what it must print, in every mode.
TEST_F(Hooks, LeaveProgramsOfOthersAsTheyAre) {
  given_file("lines", run("seq 1 3000").out);
  ASSERT_EQ(run("git init -q repository && cd repository && cp ../lines . && git add lines && "
                "git -c user.name=a -c user.email=a@b.c commit -qm first")
                .status,
            0);
  for (const char* const line :
       {"xz -9 -k -c lines", "xz -T2 -c lines", "sort -r lines", "git -C repository log --stat --format=%s",
        "sqlite3 :memory: 'create table t(a); insert into t values (1), (2), (3); select sum(a) from t'",
        "/usr/bin/python3 -c 'import json, hashlib, threading; print(hashlib.md5(json.dumps([1, "
        "2]).encode()).hexdigest())'",
        "/usr/bin/python3 -c 'import sys; sys.exit(3)'", "sh -c 'echo a | tr a b; false'"}) {
    const std::string program = std::string(line).substr(0, std::string(line).find(' '));
    if (run("which " + program).status == 0) expect_same(line);
  }
}

}  // namespace
}  // namespace evt::testing
