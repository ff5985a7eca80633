// Traces of more threads than evt stats follows at a time, and what it takes for small files that tell of a lot.
#include "support/sanitizer.h"
#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

class ManyThreads : public Stats {
 protected:
  // Each runs for a nanosecond and, if that is wanted, ends: t.evt, compressed to some KiB.
  void given_threads_one_after_another(unsigned count, bool they_end) const {
    std::string text(kThreadTypes);
    text += "stream 1 \"a\"\n";
    for (unsigned i = 1; i <= count; ++i) {
      text += fmt::format("0.{:09} 1 run.here thread={}\n", 2 * i, i);
      if (they_end) text += fmt::format("0.{:09} 1 thread.exit thread={}\n", 2 * i + 1, i);
    }
    given_trace("rows.evt", text);
    ASSERT_EQ(run("evt convert --columns rows.evt -o t.evt && rm rows.evt"), prints(""));
  }
};

TEST_F(ManyThreads, ThatEndedAreOneRow) {
  given_threads_one_after_another(100'000, true);
  EXPECT_EQ(run("evt stats cpu t.evt | sed -n 1,3p; ls; evt stats cpu --no-checkpoints --by cpu t.evt"),
            (Outcome{1,
                     "  thread  running       %  current  slices\n"
                     "(others)  65.5 us  32.8 %        -   65535\n"
                     "   65536     1 ns   0.0 %     1 ns       1\n"
                     "t.evt\n"
                     "cpu  cpu name  running       %  slices\n"
                     " #1  a          100 us  50.0 %  100000\n",
                     "evt stats: t.evt: there are more than 65536 threads: 65535 that ended are one row, (others)\n"
                     "evt stats: t.evt: there are more than 65536 threads: 65535 that ended are one row, (others)\n"}));
}

TEST_F(ManyThreads, ThatAllLiveAreNotAllFollowed) {
  given_threads_one_after_another(70'000, false);
  const Outcome outcome = run("evt stats threads t.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "evt stats: t.evt: threads that did not stop before another ran on their cpu: 65536: taken to have stopped "
            "then\n"
            "evt stats: t.evt: there are more than 65536 threads: the times of others (4464 events) are not known\n");
}

TEST_F(ManyThreads, AreSaidToProgramsToo) {
  given_threads_one_after_another(70'000, false);
  EXPECT_EQ(run("evt stats threads --json t.evt 2> /dev/null | python3 -c 'import json, sys\n"
                "print(json.load(sys.stdin)[\"sessions\"][0][\"threads\"][\"notes\"][-1])'"),
            prints("there are more than 65536 threads: the times of others (4464 events) are not known\n"));
}

TEST_F(ManyThreads, TakeABoundedAmountOfMemory) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  given_threads_one_after_another(300'000, false);
  for (const char* const command :
       {"stats cpu", "stats cpu --by thread,cpu", "stats threads", "stats share", "stats share --compare-models",
        "stats usage", "stats spans --by thread", "stats calls --by thread", "stats overhead", "stats events", "stats",
        "check", "dump"}) {
    EXPECT_LT(peak_of(std::string(command) + " t.evt"), 256 << 10) << command;
  }
}

}  // namespace
}  // namespace evt::testing
