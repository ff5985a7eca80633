// A program is stopped: evt run has when and for how long, once, and statistics take it out where it delayed something.
#include <fmt/core.h>

#include <cstdlib>

#include "recorded.h"

namespace evt::testing {
namespace {

constexpr double kSecond = 1e9;
constexpr const char* kLate = "a thread ran for a while when it was to be stopped: the machine is busy";

class Stops : public Recorded {
 protected:
  // Of processes $pid, the program, and $evt. A stop is over before the next only if evt run has looked meanwhile: it
  // sleeps between two looks, and rarely else.
  static constexpr const char* kFunctions =
      "state() { sed 's/.*) \\(.\\).*/\\1/' /proc/$1/stat; }\n"
      "until_in() { until evt dump t.evt.*.sessions/$pid.evt 2>/dev/null | grep -q '\"'$1'\"'; do :; done; "
      "until_state $pid S; }\n"
      "until_state() { until [ \"$(state $1)\" = $2 ]; do :; done; }\n"
      "sleeps() { grep ^voluntary /proc/$evt/status | cut -f2; }\n"
      "until_look() { n=$(($(sleeps) + 4)); until [ $(sleeps) -ge $n ]; do :; done; }\n"
      "stop() { kill -STOP $pid; until_state $pid T; until_look; }\n"
      "stop_for_a_second() { stop; sleep 1; kill -CONT $pid; }\n";

  // Runs a program that prints its number, under evt run, with `then` when it has; then its input gets a byte.
  Outcome record_stopped(const std::string& program, const std::string& then, const std::string& before = "",
                         const std::string& options = "") const {
    return run(
        fmt::format("{}mkfifo f g; {} evt run -o t.evt {} -- {} >f <g 2>report & evt=$!; exec 3<f 4>g; "
                    "read pid <&3; {}; trap '' PIPE; echo x >&4; wait $evt",
                    kFunctions, before, options, program, then));
  }
  bool is_refused() const { return report().find("perf_event_open") != std::string::npos; }
  bool has_run_delays() const { return run("test -r /proc/self/schedstat").status == 0; }

  // The first cell of a column of a table of JSON, in the rows for which `where` is true.
  double cell(const std::string& analysis, const std::string& table, const std::string& column,
              const std::string& where = "True") const {
    const std::string program = fmt::format(
        "import json; t = json.load(open(\"json\"))[\"sessions\"][0][\"{}\"][\"{}\"]\n"
        "print([r[\"{}\"] for r in (t if isinstance(t, list) else [t]) if {}][0])",
        analysis, table, column, where);
    const Outcome found =
        run("evt stats " + analysis + " --json t.evt >json 2>err; python3 -c '" + program + "' || cat err");
    EXPECT_EQ(found.status, 0) << found;
    return std::strtod(found.out.c_str(), nullptr);
  }
  double time_in(const std::string& what) const {
    return cell("usage", "time", "time_ns", "r[\"what\"] == \"" + what + "\"");
  }
  // What awk prints at the stop, by rules for the lines of a dump before it, and for those of the same moment: there
  // threads stop to run.
  std::string at_the_stop(const std::string& rules, const std::string& print) const {
    return run("pid=$(evt dump --event run.process_stopped t.evt | sed -n 's/.*process=\\([0-9]*\\) "
               ".*signal.*/\\1/p'); evt dump t.evt | awk 'at != \"\" && $1 > at + 0.00001 { exit } " +
               rules + " /run.process_stopped .*signal/ { at = $1 } END { " + print + " }'")
        .out;
  }
  // Why the main thread did not run in the stop.
  std::string last_switch_out() const {
    return at_the_stop("/run.switch_out .*thread='$pid' / { reason = substr($NF, 8) }", "print reason");
  }
  // Threads that wait are woken to be stopped. On a busy machine one may run for longer than is taken for that (1 ms),
  // or in two parts, before it is.
  bool are_stopped_as_soon_as_they_are_woken() const {
    return at_the_stop(
               "/run.switch_in / { since[$5] = $1 } "
               "/run.switch_out / { late[$5] = why[$5] !~ /blocked/ || $1 - since[$5] >= 0.001; why[$5] = $NF }",
               "for (thread in late) count += late[thread]; print count + 0") == "0\n";
  }
  // CAUSE and process of each. What the machine stops by itself is not of the test.
  std::string stops() const {
    return run("evt stats stops --csv t.evt 2>/dev/null | sed 's/\\r//' | awk -F, '/^stop,/ { listed = 1; next } "
               "listed && $6 != \"pause\" { print $6, $2 }' | sed 's/[0-9][0-9]*$/PID/'")
        .out;
  }
};

TEST_F(Stops, AreRecordedOnceWithTheirLength) {
  ASSERT_EQ(record_stopped("known nap", "stop_for_a_second").status, 0) << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
  EXPECT_EQ(run("evt dump --event '*stopped' t.evt | grep -cv pause").out, "1\n");
  EXPECT_EQ(run("evt dump --event process.stopped t.evt").out, "");
  EXPECT_GE(cell("stops", "stopped", "stopped_ns"), kSecond / 2);
  EXPECT_LE(cell("stops", "stopped", "stopped_ns"), cell("stops", "stopped", "time_ns"));
}

TEST_F(Stops, AreInTheSummaryIfThereWereAny) {
  ASSERT_EQ(record_stopped("known nap", "stop; kill -CONT $pid").status, 0) << report();
  EXPECT_EQ(run("grep -Ec '^(stops +1|stopped +[0-9.]+ .?s)$' report"), prints("2\n")) << report();
  ASSERT_EQ(record("known exit 0").status, 0);
  EXPECT_EQ(run("grep -c '^stop' report").out, "0\n") << report();
}

TEST_F(Stops, AreRecordedEachTime) {
  ASSERT_EQ(
      record_stopped("known read", "for i in 1 2 3 4 5; do stop; kill -CONT $pid; until_state $pid S; until_look; done")
          .status,
      0)
      << report();
  EXPECT_EQ(stops(), "signal known.PID\nsignal known.PID\nsignal known.PID\nsignal known.PID\nsignal known.PID\n");
}

// It would have slept anyway.
TEST_F(Stops, AreNotTakenOutOfASleep) {
  ASSERT_EQ(record_stopped("known nap", "until_in nanosleep; stop_for_a_second").status, 0) << report();
  if (!is_refused() && !are_stopped_as_soon_as_they_are_woken()) GTEST_SKIP() << kLate;
  // Its thread may go on before it is seen to.
  EXPECT_LT(time_in("stopped"), kSecond / 10);
  EXPECT_GE(time_in("sleep"), 2 * kSecond - kSecond / 10);
}

TEST_F(Stops, AreTakenOutOfAComputation) {
  ASSERT_EQ(record_stopped("known spin", "stop_for_a_second").status, 0) << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
  if (is_refused()) GTEST_SKIP() << report();
  EXPECT_EQ(last_switch_out(), "preempted\n");
  EXPECT_GE(time_in("stopped"), kSecond / 2);
  EXPECT_LT(time_in("cpu"), kSecond / 2);
}

// What it waits for comes when it comes.
TEST_F(Stops, AreNotTakenOutOfAReadThatWaits) {
  ASSERT_EQ(record_stopped("known read", "until_in read; stop_for_a_second; until_state $pid S").status, 0) << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
  if (is_refused()) GTEST_SKIP() << report();
  if (!are_stopped_as_soon_as_they_are_woken()) GTEST_SKIP() << kLate;
  EXPECT_EQ(last_switch_out(), "blocked\n");
  // Until it waits again, for which it may have to wait for a cpu.
  EXPECT_LT(time_in("stopped"), kSecond / 2);
  EXPECT_GE(time_in("pipe"), kSecond / 2);
}

TEST_F(Stops, AreTakenOutOfAReadOfWhichItIsNotKnownThatItWaits) {
  ASSERT_EQ(
      record_stopped("known read", "until_in read; stop_for_a_second; until_state $pid S", "", "--no-sched").status, 0)
      << report();
  EXPECT_GE(time_in("stopped"), kSecond / 2);
  EXPECT_EQ(cell("usage", "time", "assumed_ns", "r[\"what\"] == \"stopped\""), time_in("stopped"));
}

TEST_F(Stops, EndWithTheProgram) {
  EXPECT_EQ(record_stopped("known nap", "stop; kill -KILL $pid").status, 128 + 9) << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
}

// A stop before that is none of what the program's own writer notices.
constexpr const char* kUntilItsWriterHasSlept =
    "until [ $(grep -h ^voluntary /proc/$pid/task/*/status | cut -f2 | sort -n | tail -1) -ge 4 ]; do :; done; ";

TEST_F(Stops, OfBothAreThoseOfTheProgram) {
  if (!has_run_delays()) GTEST_SKIP() << "this kernel counts no run delays";
  ASSERT_EQ(record_stopped("known read",
                           std::string(kUntilItsWriterHasSlept) +
                               "kill -STOP $evt; until_state $evt T; kill -STOP $pid; until_state $pid T; sleep 1; "
                               "kill -CONT $pid $evt")
                .status,
            0)
      << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
  EXPECT_GE(cell("stops", "stopped", "stopped_ns"), kSecond / 2);
}

TEST_F(Stops, OfEvtRunAloneAreNone) {
  ASSERT_EQ(record_stopped("known nap", "kill -STOP $evt; until_state $evt T; sleep 1; kill -CONT $evt").status, 0)
      << report();
  EXPECT_EQ(stops(), "");
  const bool has_any = run("evt stats stops t.evt").status == 0;
  EXPECT_LT(has_any ? cell("stops", "stopped", "stopped_ns") : 0, kSecond / 2);
}

TEST_F(Stops, OfAChildOfTheProgramAreFoundByTheChild) {
  if (!has_run_delays()) GTEST_SKIP() << "this kernel counts no run delays";
  ASSERT_EQ(
      record_stopped("sh -c 'known nap; true'", std::string(kUntilItsWriterHasSlept) + "stop_for_a_second").status, 0)
      << report();
  EXPECT_EQ(run("evt dump --event run.process_stopped t.evt | grep -v pause").out, "");
  EXPECT_EQ(stops().substr(0, 11), " known.PID\n");
  EXPECT_GE(cell("stops", "stopped", "stopped_ns"), kSecond / 2);
}

TEST_F(Stops, OfAProgramWhoseCallsAreNotRecordedAreRecorded) {
  if (run("which known_static").status != 0) GTEST_SKIP() << "there is no static C library";
  ASSERT_EQ(record_stopped("known_static spin", "stop_for_a_second").status, 0) << report();
  EXPECT_GE(cell("stops", "stopped", "stopped_ns"), kSecond / 2);
}

// They wait for cpus, again and again.
TEST_F(Stops, AreNoneOfThreadsThatWaitForCpus) {
  if (!has_run_delays()) GTEST_SKIP() << "this kernel counts no run delays";
  ASSERT_EQ(record("known crowd").status, 0) << report();
  EXPECT_EQ(run("evt dump --event '*stopped' t.evt").out, "");
}

TEST_F(Stops, ByTheTerminalAreSeenByItsShell) {
  const std::string shell = "python3 " EVT_SOURCE_FOLDER "/tests/record/programs/job_control.py ";
  EXPECT_EQ(run(shell + "sh -c 'exec evt run -o t.evt -- known nap 2>report'"),
            prints("stopped by SIGTSTP\nits program is T\nended with 0\n"))
      << report();
  EXPECT_EQ(stops(), "signal known.PID\n");
}

}  // namespace
}  // namespace evt::testing
