// evt stats: the checkpoints that it keeps in the user's cache folder.
#include <fcntl.h>
#include <unistd.h>

#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

class StatsCheckpoints : public Stats {
 protected:
  // Many enough that checkpoints are made.
  void given_many() const {
    std::string lines(kThreadTypes);
    lines += "stream 1 \"cpu 0\"\n";
    for (int i = 0; i < 200'000; ++i) {
      lines += fmt::format("{}.{:06} 1 {}.here thread={}\n", i / 1'000'000, i % 1'000'000, i % 2 == 0 ? "run" : "stop",
                           1 + i / 2 % 3);
    }
    given_trace("many.evt", lines);
  }
  // As a disk does: without changing when the file was written.
  void damage_at(unsigned offset) const {
    run(
        fmt::format("touch -r many.evt time; printf XXXX | dd of=many.evt bs=1 seek={} conv=notrunc 2>/dev/null; "
                    "touch -r time many.evt; rm time",
                    offset));
  }
};

TEST_F(StatsCheckpoints, AreMadeOnceAndUsedAgain) {
  given_many();
  const std::string at = "evt stats cpu --at 150ms many.evt";
  const Outcome first = run(at);
  EXPECT_EQ(first.out,
            "thread  running       %  current  slices\n"
            "     1  25.0 ms  16.7 %  1.00 us   25001\n"
            "     2  25.0 ms  16.7 %  1.00 us   25000\n"
            "     3  25.0 ms  16.7 %  1.00 us   25000\n");
  EXPECT_EQ(files(), std::vector<std::string>{"many.evt"});
  ASSERT_EQ(cached_files().size(), 1U);
  const std::string file = cached_path(cached_files().front());
  const std::string kept = read_file(file);
  EXPECT_LT(kept.size(), content_of("many.evt").size() / 100);
  EXPECT_EQ(run(at), first);
  EXPECT_EQ(read_file(file), kept);
}

TEST_F(StatsCheckpoints, AreNotMadeWhenNotWanted) {
  given_many();
  const Outcome with = run("evt stats cpu,events --from 20ms --to 190ms many.evt");
  run("rm -r $XDG_CACHE_HOME/evtrace");
  EXPECT_EQ(run("evt stats cpu,events --from 20ms --to 190ms --no-checkpoints many.evt"), with);
  EXPECT_EQ(cached_files(), std::vector<std::string>());
}

TEST_F(StatsCheckpoints, AreNeitherMadeNorUsedWhereAFilterChoosesEvents) {
  given_many();
  const std::string range = "evt stats cpu,events --from 150ms --to 199ms ";
  const char* const kThread =
      "# cpu\n"
      "thread  running       %  current  slices\n"
      "     2  8.17 ms  16.7 %  1.00 us    8167\n"
      "\n"
      "# events\n"
      "event      events       %     rate\n"
      "run.here     8167  50.0 %  167 k/s\n"
      "stop.here    8167  50.0 %  167 k/s\n";
  const Outcome thread = run(range + "--thread 2 many.evt");
  EXPECT_EQ(thread, prints(kThread));
  const Outcome process = run(range + "--process 0 many.evt");
  EXPECT_EQ(cached_files(), std::vector<std::string>());
  const Outcome all = run(range + "many.evt");
  EXPECT_EQ(cached_files().size(), 1U);
  EXPECT_EQ(run(range + "--thread 2 many.evt"), thread);
  EXPECT_EQ(process, all);
  EXPECT_EQ(run(range + "--process 0 many.evt"), process);
}

// Thread 7 runs since the first 10 ms; what was lost then and in the middle of the range, on its stream, makes it
// uncertain from the range's begin on, as the event before the loss was before that and the loss states no duration.
TEST_F(StatsCheckpoints, AreUsedForARangeAcrossWhoseBeginEventsWereLost) {
  std::string lines(kThreadTypes);
  lines += "stream 1 \"cpu 0\"\nstream 2 \"cpu 1\"\n0.010000000 2 run.here thread=7\n";
  for (int i = 0; i < 200'000; ++i) {
    const int us = 20'000 + i;
    if (us == 150'000) lines += "0.150000000 2 !lost count=3 cause=ring_full duration=0.000000000\n";
    lines += fmt::format("0.{:06} 1 {}.here thread={}\n", us, i % 2 == 0 ? "run" : "stop", 1 + i / 2 % 3);
  }
  given_trace("lost.evt", lines + "0.220000000 2 stop.here thread=7\n");
  const std::string ask = "evt stats cpu --csv --from 100ms --to 200ms lost.evt";
  const std::string with = run(ask).out;
  EXPECT_EQ(run(ask + " | tr -d '\\r' | cut -d, -f1,3,8 | sed -n '/^7/p'").out, "7,100000000,100000000\n");
  EXPECT_EQ(cached_files().size(), 1U);
  EXPECT_EQ(run(ask + " --no-checkpoints").out, with);
}

TEST_F(StatsCheckpoints, OfADamagedFileAreMadeAgain) {
  given_many();
  const Outcome right = run("evt stats cpu --at 150ms many.evt");
  run("printf XXXX | dd of=$(ls $XDG_CACHE_HOME/evtrace/*) bs=1 seek=100 conv=notrunc 2>/dev/null");
  EXPECT_EQ(run("evt stats cpu --at 150ms many.evt"), right);
}

TEST_F(StatsCheckpoints, GoIntoTheHomeFolderWhereNoOtherIsNamed) {
  given_many();
  EXPECT_EQ(run("unset XDG_CACHE_HOME; HOME=$PWD evt stats cpu --top 1 many.evt && ls .cache/evtrace | wc -l"),
            prints("thread  running       %  current  slices\n"
                   "     1  33.3 ms  16.7 %  1.00 us   33334\n"
                   "1\n"));
  EXPECT_EQ(run("unset XDG_CACHE_HOME; XDG_CACHE_HOME=relative HOME=$PWD evt stats cpu many.evt >/dev/null; ls").out,
            "many.evt\n");
}

TEST_F(StatsCheckpoints, ThatCannotBeKeptAreASentence) {
  given_many();
  const Outcome without = run("evt stats cpu --no-checkpoints many.evt");
  given_file("cache", "");
  EXPECT_EQ(run("XDG_CACHE_HOME=$PWD/cache evt stats cpu many.evt"),
            (Outcome{0, without.out,
                     "evt stats: cannot keep checkpoints in " + path_of("cache/evtrace") + ": Not a directory\n"}));
}

TEST_F(StatsCheckpoints, OfADamagedTraceAreNotKeptSoThatTheDamageIsReportedEachTime) {
  given_many();
  run("printf XXXX | dd of=many.evt bs=1 seek=1600000 conv=notrunc 2>/dev/null");
  const Outcome without = run("evt stats cpu --no-checkpoints many.evt");
  EXPECT_EQ(without.status, 1);
  EXPECT_NE(without.err.find("checksum"), std::string::npos) << without;
  EXPECT_EQ(run("evt stats cpu many.evt"), without);
  EXPECT_EQ(run("evt stats cpu many.evt"), without);
  EXPECT_EQ(cached_files(), std::vector<std::string>());
}

TEST_F(StatsCheckpoints, MadeBeforeTheTraceWasDamagedStayRight) {
  given_many();
  const Outcome whole = run("evt stats cpu --at 150ms many.evt");
  // In rows before the checkpoint, which are not read; then in those behind it, which are.
  damage_at(1600000);
  EXPECT_EQ(run("evt stats cpu --at 150ms many.evt"), whole);
  damage_at(2300000);
  const Outcome met = run("evt stats cpu --at 150ms many.evt");
  EXPECT_EQ(met.status, 1);
  EXPECT_NE(met.err.find("checksum"), std::string::npos) << met;
}

class InterruptedStats : public StatsCheckpoints {
 protected:
  // Sessions one behind another: long enough to be interrupted.
  void given_long() const {
    given_many();
    run("evt dump --canonical many.evt | sed '/^session/s/uuid=[^ ]*//' >many.txt; "
        "for i in 1 2 3 4 5 6 7 8 9 10; do evt convert many.txt; done >long.evt; rm many.*");
  }
  // Its file has no name yet.
  static constexpr std::string_view kUntilMaking =
      "set -m; evt stats cpu long.evt >/dev/null 2>&1 & "
      "until ls -l /proc/$!/fd 2>/dev/null | grep -q \"$XDG_CACHE_HOME/evtrace/#\"; do kill -0 $! || exit; done; ";
  bool has_unnamed_files() const {
    const int fd = open(path_of(".").c_str(), O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
  }
};

TEST_F(InterruptedStats, LeaveNothing) {
  if (!has_unnamed_files()) GTEST_SKIP() << "this file system has no files without names";
  given_long();
  for (const char* const signal : {"INT", "TERM", "HUP", "KILL"}) {
    const Outcome outcome = run(std::string(kUntilMaking) + "kill -" + signal +
                                " $!; wait $! 2>/dev/null; test $? -gt 128 && ls . $XDG_CACHE_HOME/evtrace");
    EXPECT_EQ(outcome.out.substr(0, 12), ".:\nlong.evt\n") << signal << outcome;
    EXPECT_EQ(cached_files(), std::vector<std::string>()) << signal;
  }
}

}  // namespace
}  // namespace evt::testing
