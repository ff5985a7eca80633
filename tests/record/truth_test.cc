// What traces of programs have, beside what is known of them by other ways: by construction, by strace, by the kernel's
// sums, and by a naive sweep over the events.
#include <cstdlib>

#include "recorded.h"

namespace evt::testing {
namespace {

class Truth : public Recorded {
 protected:
  // Rows of a table, the columns that are named, in the order of the first.
  std::string columns(const std::string& analysis, const std::string& names, const std::string& rows = ".") const {
    return run("evt stats " + analysis + " --csv t.evt 2>/dev/null | tr -d '\\r' | awk -F, -v names=" + names +
               " 'BEGIN { n = split(names, wanted, \":\") }"
               "/^$/ { header = 0; next } "
               "!header { delete at; for (i = 1; i <= NF; ++i) at[$i] = i; header = 1; next }"
               "at[wanted[1]] && $at[wanted[1]] ~ /" +
               rows +
               "/ { line = \"\"; for (i = 1; i <= n; ++i) line = line (i > 1 ? \",\" : \"\") $at[wanted[i]]; print "
               "line }' | sort")
        .out;
  }
  double number(const std::string& analysis, const std::string& name, const std::string& rows) const {
    const std::string text = columns(analysis, "name:" + name, rows);
    EXPECT_NE(text.find(','), std::string::npos) << run("evt stats " + analysis + " t.evt");
    return std::strtod(text.substr(text.find(',') + 1).c_str(), nullptr);
  }
};

TEST_F(Truth, OfConnectionsIsTheirNumberTheirBytesAndHowManyWereOpen) {
  ASSERT_EQ(record("known connections"), prints(""));
  EXPECT_EQ(calls("socket|connect|accept|send|recv|write"),
            "accept,5,0\nconnect,5,0\nrecv,10,700\nsend,5,500\nsocket,6,0\nwrite,5,200\n");
  EXPECT_EQ(run("evt stats usage --by resource --csv t.evt 2>/dev/null | grep '^socket,' | cut -d, -f2-4").out,
            "11,11,7\n")
      << "opened, closed, most open: three pairs and the one that listens";
  EXPECT_EQ(
      run("evt stats usage --by object --csv t.evt 2>/dev/null | grep ',socket,' | cut -d, -f4 | sort | uniq -c | "
          "awk '{ print $1, $2 }'")
          .out,
      "2 0\n5 140\n1 700\n")
      << "bytes: of none and of the one that listens; of each accepted one; of the clients', which have one peer";
}

TEST_F(Truth, OfEachThreadIsWhatStraceCounts) {
  if (run("strace -o s true").status != 0) GTEST_SKIP() << "strace cannot be run here";
  ASSERT_EQ(record("known threads"), prints(""));
  ASSERT_EQ(run("strace -f -e trace=write -o s known threads").status, 0);
  const std::string traced = run("awk '/ write\\(/ { ++n[$1] } END { for (t in n) print n[t] }' s").out;
  const std::string recorded =
      run("evt dump --event call.begin t.evt --csv | grep write | wc -l; "
          "evt stats usage --by thread --csv t.evt 2>/dev/null | grep ',file,' | cut -d, -f4 | grep -v '^[0-9]$'")
          .out;
  EXPECT_EQ("8000\n" + traced, recorded);
}

TEST_F(Truth, OfCpuByThreadIsTheThreadsOwnClock) {
  ASSERT_EQ(record("known busy"), prints(""));
  if (report().find("perf_event_open") != std::string::npos) GTEST_SKIP() << report();
  for (const char* const thread : {"known", "worker"}) {
    const double ran = std::strtod(
        run(std::string("evt stats cpu --by thread --csv t.evt | awk -F, '$2 == \"") + thread + "\" { print $3 }'")
            .out.c_str(),
        nullptr);
    EXPECT_NEAR(ran, 200e6, 20e6) << thread;
  }
}

TEST_F(Truth, OfWaitingIsNoLessThanWhatWasSlept) {
  ASSERT_EQ(record("known phases", "--no-sched"), prints(""));
  EXPECT_EQ(calls("usleep"), "usleep,7,0\n");
  EXPECT_GE(number("share", "active_ns", "usleep"), 3 * 20e6 + 4 * 60e6);
  EXPECT_GE(number("share", "serial_ns", "usleep"), 3 * 20e6);
}

// A sweep over begins and ends: each moment is divided by the program's threads that have a call open, or that exist.
constexpr const char* kSweep = R"(
import json, subprocess, sys
existing = sys.argv[1] == "existing"
open_calls, alive, share, last = {}, set(), {}, None
for line in subprocess.run(["evt", "dump", "--json", "t.evt"], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    event = json.loads(line)
    # The writer's own thread, and what evt run adds to threads that wait.
    if "ns" not in event or event["event"] in ("trace.overhead", "run.sample", "run.waiting_sample"): continue
    now, stream = event["ns"], event["stream_id"]
    if last is not None:
        active = len(alive) if existing else len(open_calls)
        for function in open_calls.values(): share[function] = share.get(function, 0) + (now - last) / active
    last = now
    if event["event"] != "run.thread_exit": alive.add(stream)
    else: alive.discard(stream)
    if event["event"] in ("call.begin", "run.wait_begin"): open_calls[stream] = event["fields"]["function"]
    if event["event"] == "call.end": open_calls.pop(stream)
for function in ("usleep", "pthread_barrier_wait"): print(f"{function},{share[function]:.0f}")
)";

TEST_F(Truth, OfSharesIsANaiveSweep) {
  ASSERT_EQ(record("known phases", "--no-sched"), prints(""));
  given_file("sweep.py", kSweep);
  for (const std::string model : {"running", "existing"}) {
    const std::string swept = run("python3 sweep.py " + model).out;
    for (const char* const name : {"usleep", "pthread_barrier_wait"}) {
      const std::size_t at = swept.find(name);
      ASSERT_NE(at, std::string::npos) << run("python3 sweep.py " + model);
      const double naive = std::strtod(swept.c_str() + swept.find(',', at) + 1, nullptr);
      EXPECT_NEAR(number("share --model " + model, "share_ns", name), naive, 2000) << model << ' ' << name;
    }
  }
}

// Four threads existed in all of the second phase, in which they slept.
TEST_F(Truth, OfSharesByPhaseDividesByThoseThatExistedInIt) {
  ASSERT_EQ(record("known phases", "--no-sched"), prints(""));
  const double serial = number("share --model phase", "serial_ns", "usleep");
  const double parallel = number("share --model phase", "parallel_ns", "usleep");
  EXPECT_NEAR(number("share --model phase", "share_ns", "usleep"), serial + parallel / 4, 2000);
}

// Forty short sleeps, and one of half a second.
TEST_F(Truth, OfOutliersIsThatTheyAreShown) {
  ASSERT_EQ(record("known outlier", "--no-sched"), prints(""));
  EXPECT_GE(number("share", "outliers", "usleep"), 1) << run("evt stats share t.evt");
  EXPECT_LT(number("share", "share_without_ns", "usleep"), number("share", "share_ns", "usleep") - 400e6);
}

}  // namespace
}  // namespace evt::testing
