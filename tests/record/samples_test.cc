// Which code took the time, of programs whose shares are known.
#include <evt/trace.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "recorded.h"

namespace evt::testing {
namespace {

class Samples : public Recorded {
 protected:
  // Timers of user time run by the kernel's ticks, which find little of a program's time where others run between them.
  Samples() { setpriority(PRIO_PROCESS, 0, -20); }
  ~Samples() override { setpriority(PRIO_PROCESS, 0, 0); }

  struct Share {
    double self = 0;
    double total = 0;
  };

  void record_burning(const std::string& program, const std::string& words) {
    ASSERT_EQ(record(program + " " + words, "--samples 997 --calls none --samples-by " + by_), prints(""));
    if (report().find("perf_event_open") != std::string::npos) GTEST_SKIP() << report();
  }
  // One that prints what it does by itself; its cpu time is all in burn(). Returns the notes of the run.
  std::string record_profiled(const std::string& words) {
    EXPECT_EQ(record("profiled " + words, "--calls none --samples-by signal"), run("profiled " + words)) << report();
    return run("grep '^evt run: ' report | grep -v '^evt run: the trace is ' | sed 's/[0-9.]* m*s of/N ms of/'").out;
  }
  double total_of(const std::string& function) const {
    const std::map<std::string, Share> found = shares();
    const auto share = found.find(function);
    return share == found.end() ? 0 : share->second.total;
  }
  // By function, in percent.
  std::map<std::string, Share> shares(const std::string& options = "") const {
    std::istringstream lines(run("evt stats stacks --csv " + options +
                                 " t.evt 2>/dev/null | tr -d '\r' | awk -F, '/^$/ { header = 0; next } "
                                 "!header { delete at; for (i = 1; i <= NF; ++i) at[$i] = i; header = 1; next } "
                                 "at[\"name\"] { print $at[\"name\"], $at[\"self_percent\"], $at[\"sum_percent\"] }'")
                                 .out);
    std::map<std::string, Share> found;
    std::string name;
    for (Share share; lines >> name >> share.self >> share.total;) found[name] = share;
    return found;
  }
  // Those of a program's `own` functions that the trace says are inlined, in order.
  std::string inlined_functions(const std::set<std::string>& own) const {
    std::set<std::string> names;
    const auto trace = Trace::open(path_of("t.evt"));
    for (const Session& session : trace->sessions()) {
      for (const auto& [id, text] : session.strings) {
        const std::optional<SharedRow> row = session.row({id});
        const auto inlined = row ? row->value(Role::kInlined) : std::nullopt;
        const auto function = row ? row->value(Role::kFunction) : std::nullopt;
        if (!inlined || inlined->as_unsigned() == 0) continue;
        const std::string name(*session.text({static_cast<std::uint32_t>(function->as_unsigned())}));
        // A sample may be of the loader, whose inlined functions are known where its debug information is installed.
        if (own.contains(name)) names.insert(name + "\n");
      }
    }
    std::string all;
    for (const std::string& name : names) all += name;
    return all;
  }
  // The number of samples of equal weight that carry the same information: beside other programs weights differ.
  double effective_samples() const {
    double sum = 0;
    double squares = 0;
    auto trace = Trace::open(path_of("t.evt"));
    Events events = trace->events();
    while (const Event* const event = events.next()) {
      if (event->type().role() != Role::kSample || event->type().field(Role::kDuration) != nullptr) continue;
      const auto weight = static_cast<double>(event->number(Role::kWeight).value_or(0));
      sum += weight;
      squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0;
  }
  // Within four standard deviations of a binomial: of a hundred such shares, three would be too few once in a while.
  static void expect_share(double percent, double expected, double samples) {
    const double deviation = 100 * std::sqrt(expected / 100 * (1 - expected / 100) / samples);
    EXPECT_NEAR(percent, expected, 4 * deviation + 1);
  }
  void expect_known_shares() const {
    const std::map<std::string, Share> found = shares();
    const double samples = effective_samples();
    ASSERT_GT(samples, 20) << run("evt stats stacks t.evt").out;
    for (const auto& [name, expected] : {std::pair("half", 50), {"third", 30}, {"little", 15}, {"tiny", 5}}) {
      SCOPED_TRACE(name);
      const auto at = found.find(name);
      expect_share(at == found.end() ? 0 : at->second.total, expected, samples);
    }
    expect_share(found.at("inner").total, 80, samples);
    EXPECT_GT(found.at("outer").total, 97);
    EXPECT_LT(found.at("outer").self, 1);
  }

  std::string by_ = "either";
};

// By each of those who can take them.
class SamplesBy : public Samples, public ::testing::WithParamInterface<const char*> {
 protected:
  SamplesBy() { by_ = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Each, SamplesBy, ::testing::Values("perf", "signal"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(SamplesBy, OfAProgramHaveTheSharesThatItSpends) {
  record_burning("burning", "plain 800");
  expect_known_shares();
}

TEST_P(SamplesBy, StandForTheTimeThatTheProgramRan) {
  record_burning("burning", "plain 800");
  const std::string sampled_ns = run("evt stats stacks --csv t.evt 2>/dev/null | sed -n '2s/,.*//p' | tr -d '\r'").out;
  EXPECT_NEAR(std::stod("0" + sampled_ns), 800e6, 80e6) << run("evt stats stacks t.evt").out;
}

TEST_P(SamplesBy, OfAThreadOfAChildAndOfTheNextProgramAreNamedToo) {
  for (const char* const how : {"thread", "fork", "exec"}) {
    SCOPED_TRACE(how);
    record_burning("burning", std::string(how) + " 600");
    expect_known_shares();
  }
}

TEST_P(SamplesBy, NeedNoFramePointersAndNoSymbolsOfCallersToFindThem) {
  record_burning("burning_without", "plain 800");
  expect_known_shares();
}

TEST_P(SamplesBy, OfAStrippedProgramNameFunctionsByWhereTheyBegin) {
  record_burning("burning_stripped", "plain 800");
  double four = 0;
  for (const auto& [name, share] : shares()) {
    if (name.starts_with("burning_stripped+0x")) four += share.self;
  }
  EXPECT_GT(four, 90) << run("evt stats stacks t.evt").out;
}

TEST_P(SamplesBy, OfADeepStackEndWhereItsCopyDoes) {
  record_burning("burning", "deep 400");
  const std::map<std::string, Share> found = shares();
  ASSERT_TRUE(found.contains("[truncated]")) << run("evt stats stacks t.evt").out;
  EXPECT_GT(found.at("[truncated]").total, 95);
  EXPECT_GT(found.at("deep").total, 95);
  const std::string said = "% of the sampled time has incomplete stacks: the callers beyond are .truncated.";
  EXPECT_EQ(run("grep -c '^evt run: [0-9]* " + said + "$' report"), prints("1\n")) << report();
}

TEST_P(SamplesBy, OfTheKernelsOwnCodeReachMain) {
  record_burning("burning", "clock 400");
  const std::map<std::string, Share> found = shares();
  EXPECT_FALSE(found.contains("[vdso]"));
  EXPECT_GT(found.at("read_clock").total, 97) << run("evt stats stacks t.evt").out;
  EXPECT_GT(found.at("main").total, 97) << run("evt stats stacks t.evt").out;
}

TEST_P(SamplesBy, OfCodeThatARuntimeMakesHaveItsNames) {
  if (run("made 1").status == 77) GTEST_SKIP() << "the program makes code of x86-64 only";
  record_burning("made", "400");
  const std::map<std::string, Share> found = shares();
  for (const char* const name : {"made_inner:1", "made_outer", "run_made", "main"}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(found.contains(name)) << run("evt stats stacks t.evt").out;
    EXPECT_GT(found.at(name).total, 95) << run("evt stats stacks t.evt").out;
  }
  EXPECT_GT(found.at("made_inner:1").self, 95);
  EXPECT_EQ(run("evt stats stacks --by module --csv t.evt | grep -c '^.jit.,'").out, "1\n");
}

TEST_P(SamplesBy, OfInlinedFunctionsAreTheirOwn) {
  record_burning("inlined", "400");
  const std::map<std::string, Share> found = shares();
  for (const char* const name : {"innermost", "between", "outermost", "main"}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(found.contains(name)) << run("evt stats stacks t.evt").out;
    EXPECT_GT(found.at(name).total, 95) << run("evt stats stacks t.evt").out;
  }
  EXPECT_GT(found.at("innermost").self, 95);
  // By the line of each call.
  const std::map<std::string, Share> lines = shares("--by line");
  ASSERT_TRUE(lines.contains("between:102") && lines.contains("between:103"))
      << run("evt stats stacks --by line t.evt").out;
  expect_share(lines.at("between:102").total, 66.7, effective_samples());
  EXPECT_EQ(inlined_functions({"innermost", "between", "outermost", "main"}), "between\ninnermost\n");
}

TEST_F(Samples, AreInTheSummaryOfARun) {
  record_burning("burning", "plain 400");
  EXPECT_NE(report().find("half"), std::string::npos) << report();
}

TEST_F(Samples, AreTakenByASignalWhereTheSystemRefusesPerfEvents) {
  ASSERT_EQ(run("refuse_perf evt run -o t.evt --calls none -- burning plain 800 2>report"), prints(""));
  EXPECT_EQ(report().find("running code"), std::string::npos) << report();
  expect_known_shares();
}

TEST_F(Samples, AreNotTakenWhereTheSystemRefusesThem) {
  ASSERT_EQ(run("refuse_perf evt run -o t.evt --calls none --samples-by perf -- burning plain 50 2>report"),
            prints(""));
  EXPECT_NE(report().find("the system refuses samples of running code (perf_event_open: Operation not permitted): it "
                          "is unknown which code took the time"),
            std::string::npos)
      << report();
}

TEST_F(Samples, OfAStaticProgramNeedPerfEvents) {
  if (run("which known_static").status != 0) GTEST_SKIP() << "there is no static C library";
  ASSERT_EQ(run("cp $(which known_static) . && refuse_perf evt run -o t.evt --calls none -- ./known_static files "
                "2>report"),
            prints("done\n"));
  EXPECT_NE(report().find("evt run: the system refuses samples of running code (perf_event_open: Operation not "
                          "permitted), and a signal cannot take them because ./known_static is statically linked: it "
                          "is unknown which code took the time\n"),
            std::string::npos)
      << report();
}

TEST_F(Samples, EndWhereAProgramTakesTheirSignal) {
  EXPECT_EQ(record_profiled("handle"),
            "evt run: SIGPROF was taken by 1 program: code there was not sampled afterwards\n");
  EXPECT_GT(total_of("burn_before"), 90);
  EXPECT_EQ(total_of("burn_after"), 0);
}

TEST_F(Samples, GoOnWhereAProgramGivesEachSignalItsDefaultAction) {
  EXPECT_EQ(record_profiled("reset"), "");
  EXPECT_GT(total_of("burn_after"), 90);
}

TEST_F(Samples, AreNotTakenOfThreadsThatBlockTheirSignal) {
  EXPECT_EQ(record_profiled("block"), "evt run: SIGPROF was blocked by 2 threads: N ms of cpu time was not sampled\n");
  EXPECT_EQ(total_of("burn_blocked"), 0);
  EXPECT_GT(total_of("burn_before"), 0);
  EXPECT_GT(total_of("burn_after"), 0);
}

TEST_F(Samples, ThatHadNoRoomAreMissingStacks) {
  EXPECT_EQ(record_profiled("lose"),
            "evt run: 5 stacks lost (5 ring_full): the shares of code and of waits are those of the other stacks\n");
}

// Whoever has the trace later is told, by every command.
TEST_F(Samples, ThatAreMissingAreFactsOfTheTrace) {
  record_profiled("block");
  EXPECT_EQ(run("evt dump --header t.evt | grep -o 'evt.run.threads_blocking_sigprof.*'").out,
            "evt.run.threads_blocking_sigprof=\"2\"\n");
  for (const char* const command : {"check", "stats stacks", "stats threads"}) {
    EXPECT_EQ(run(std::string("evt ") + command + " t.evt 2>&1 | grep SIGPROF | sed 's/[0-9.]* m*s of/N ms of/'").out,
              "evt " + std::string(command).substr(0, std::string(command).find(' ')) +
                  ": t.evt: SIGPROF was blocked by 2 threads: N ms of cpu time was not sampled\n");
  }
  EXPECT_EQ(run("evt check --json t.evt | grep -c '\"key\":\"evt.run.threads_blocking_sigprof\",\"value\":\"2\"'").out,
            "1\n");
}

TEST_F(Samples, LeaveRoomForHandlersOfTheProgram) {
  EXPECT_EQ(record_profiled("handlers"),
            "evt run: SIGPROF was blocked by 1 thread: N ms of cpu time was not sampled\n");
}

TEST_F(Samples, EndWhereTheProgramTakesTheSignalByAnOldName) {
  EXPECT_EQ(record_profiled("old"), "evt run: SIGPROF was taken by 1 program: code there was not sampled afterwards\n");
}

TEST_F(Samples, InterruptNoCallOfTheSystem) { EXPECT_EQ(record_profiled("interrupt"), ""); }

TEST_F(Samples, OfAStackThatEndsInFrontOfNothingAreTaken) {
  EXPECT_EQ(record_profiled("coroutine"), "");
  EXPECT_GT(total_of("burn"), 90);
}

TEST_F(Samples, OfManyShortThreadsAreTaken) {
  EXPECT_EQ(record_profiled("many"), "");
  EXPECT_GT(total_of("burn_little"), 90);
}

TEST_F(Samples, DoNotReachTheNextProgramOfAProcess) {
  EXPECT_EQ(record_profiled("execute 100"), "");
  EXPECT_GT(total_of("burn"), 90);
}

TEST_F(Samples, LeaveTheirSignalToThoseWhoSendItToAProgram) {
  record_profiled("kill");
  EXPECT_EQ(record("profiled kill", "--calls none --samples-by signal").status, 128 + SIGPROF);
}

TEST_F(Samples, OfLibrariesThatAreLoadedAndUnloadedHaveTheirNames) {
  EXPECT_EQ(record_profiled("plug"), "");
  EXPECT_GT(total_of("plugged_first"), 0);
  EXPECT_GT(total_of("plugged_second"), 0);
  EXPECT_EQ(run("evt stats stacks --by module --csv t.evt | grep -c plugged").out, "2\n");
}

TEST_F(Samples, AreAskedForBySourcesThatThereAre) {
  EXPECT_EQ(run("evt run --samples-by luck -- true"),
            refuses(2, "evt run: --samples-by: expected perf, signal or either; found luck\n"));
}

}  // namespace
}  // namespace evt::testing
