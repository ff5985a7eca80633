// evt stats: the file that it keeps beside a trace.
#include <fcntl.h>
#include <unistd.h>

#include "tools/stats_traces.h"

namespace evt::testing {
namespace {

class StatsFile : public Stats {
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
};

TEST_F(StatsFile, IsMadeBesideTheTraceAndUsedAgain) {
  given_many();
  const std::string at = "evt stats cpu --at 150ms many.evt";
  const Outcome first = run(at);
  EXPECT_EQ(first.out,
            "thread  running       %  current  slices\n"
            "     1  25.0 ms  16.7 %     0 ns   25001\n"
            "     2  25.0 ms  16.7 %  1.00 us   25000\n"
            "     3  25.0 ms  16.7 %  1.00 us   25000\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"many.evt", "many.evt.state"}));
  const std::string kept = content_of("many.evt.state");
  EXPECT_LT(kept.size(), content_of("many.evt").size() / 100);
  EXPECT_EQ(run(at), first);
  EXPECT_EQ(content_of("many.evt.state"), kept);
}

TEST_F(StatsFile, IsNotMadeWhenNotWanted) {
  given_many();
  const Outcome with = run("evt stats cpu,events --from 20ms --to 190ms many.evt");
  run("rm many.evt.state");
  EXPECT_EQ(run("evt stats cpu,events --from 20ms --to 190ms --no-state many.evt"), with);
  EXPECT_EQ(files(), (std::vector<std::string>{"many.evt"}));
}

TEST_F(StatsFile, OfAnotherTraceIsReplaced) {
  given_many();
  const Outcome right = run("evt stats cpu many.evt");
  given_file("many.evt.state", "something else");
  EXPECT_EQ(run("evt stats cpu many.evt"), right);
  EXPECT_NE(content_of("many.evt.state"), "something else");
}

TEST_F(StatsFile, GoesIntoTheCacheWhereTheTraceMayNotHaveIt) {
  given_many();
  // Its own name is as long as a name may be.
  const Outcome made =
      run("mv many.evt $(printf '%0255d' 0); export XDG_CACHE_HOME=$PWD/cache; evt stats cpu --top 1 0* && ls "
          "cache/evtrace");
  EXPECT_EQ(made.out,
            "thread  running       %  current  slices\n"
            "     1  33.3 ms  16.7 %  1.00 us   33334\n"
            "00010203-0405-4607-8809-0a0b0c0d0e0f-" +
                std::to_string(content_of(std::string(255, '0')).size()) + ".state\n");
  EXPECT_EQ(made.err, "");
}

TEST_F(StatsFile, GoesIntoTheCacheWhereTheFolderIsAnotherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  given_many();
  const Folder cache;
  ASSERT_EQ(chown(path_of(".").c_str(), 1, 1), 0);
  const Outcome made = run("XDG_CACHE_HOME=" + cache.path() + " evt stats cpu --top 1 many.evt");
  EXPECT_EQ(made.err, "");
  EXPECT_EQ(files(), std::vector<std::string>{"many.evt"});
  EXPECT_EQ(run("ls " + cache / "evtrace | wc -l"), prints("1\n"));
}

TEST_F(StatsFile, MayBeReadByThoseWhoMayReadTheTrace) {
  given_many();
  for (const char* const mode : {"600", "640", "644"}) {
    const std::string made = std::string("rm -f many.evt.state; chmod ") + mode + " many.evt; evt stats cpu many.evt";
    EXPECT_EQ(run("umask 022; " + made + " >/dev/null; stat -c %a many.evt.state"), prints(std::string(mode) + "\n"));
    EXPECT_EQ(run("umask 077; " + made + " >/dev/null; stat -c %a many.evt.state"), prints("600\n"));
  }
}

TEST_F(StatsFile, ThatLiesIsMadeAgain) {
  given_many();
  const Outcome right = run("evt stats cpu --at 150ms many.evt");
  const std::string honest = content_of("many.evt.state");
  // The directory's checksum is right; the checkpoints that it tells of are not.
  const Outcome lied =
      run("python3 -c \"\n"
          "import struct\n"
          "def crc32c(data):\n"
          "    crc = 0xffffffff\n"
          "    for byte in data:\n"
          "        crc ^= byte\n"
          "        for _ in range(8): crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)\n"
          "    return crc ^ 0xffffffff\n"
          "state = bytearray(open('many.evt.state', 'rb').read())\n"
          "at, size = struct.unpack('<QQ', state[-32:-16])\n"
          "for word in range(at, at + size, 8):\n"
          "    offset, packed, words = struct.unpack('<QII', state[word:word + 16]) if word + 16 <= at + size else (0, "
          "0, 0)\n"
          "    if 16 <= offset < at and 0 < packed <= at - offset and words > 0: state[word + 12:word + 16] = b'\\xff' "
          "* 4\n"
          "state[-16:-12] = struct.pack('<I', crc32c(state[at:at + size]))\n"
          "open('many.evt.state', 'wb').write(state)\n"
          "\"");
  ASSERT_EQ(lied, prints(""));
  ASSERT_NE(content_of("many.evt.state"), honest);
  EXPECT_EQ(run("evt stats cpu --at 150ms many.evt"), right);
  EXPECT_EQ(content_of("many.evt.state"), honest);
}

TEST_F(StatsFile, OfADamagedTraceIsNotKeptSoThatTheDamageIsSaidEachTime) {
  given_many();
  run("printf XXXX | dd of=many.evt bs=1 seek=1600000 conv=notrunc 2>/dev/null");
  const Outcome without = run("evt stats cpu --no-state many.evt");
  EXPECT_EQ(without.status, 1);
  EXPECT_NE(without.err.find("checksum"), std::string::npos) << without;
  EXPECT_EQ(run("evt stats cpu many.evt"), without);
  EXPECT_EQ(run("evt stats cpu many.evt"), without);
  EXPECT_EQ(files(), std::vector<std::string>{"many.evt"});
}

TEST_F(StatsFile, MadeBeforeTheTraceWasDamagedStaysRight) {
  given_many();
  const Outcome whole = run("evt stats cpu --at 150ms many.evt");
  // In rows before the checkpoint, which are not read; then in those behind it, which are.
  run("printf XXXX | dd of=many.evt bs=1 seek=1600000 conv=notrunc 2>/dev/null");
  EXPECT_EQ(run("evt stats cpu --at 150ms many.evt"), whole);
  run("printf XXXX | dd of=many.evt bs=1 seek=2300000 conv=notrunc 2>/dev/null");
  const Outcome met = run("evt stats cpu --at 150ms many.evt");
  EXPECT_EQ(met.status, 1);
  EXPECT_NE(met.err.find("checksum"), std::string::npos) << met;
}

TEST_F(StatsFile, MadeBeforeTheIndexWasDamagedIsUsedAndTheDamageIsSaid) {
  given_many();
  const Outcome whole = run("evt stats cpu many.evt");
  run("truncate -s -300 many.evt; head -c 300 /dev/zero >> many.evt");
  const Outcome without = run("evt stats cpu --no-state many.evt");
  EXPECT_EQ(without.status, 1);
  EXPECT_EQ(without.out, whole.out);
  EXPECT_EQ(run("evt stats cpu many.evt"), without);
}

class InterruptedStats : public StatsFile {
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
      "until ls -l /proc/$!/fd 2>/dev/null | grep -q \"$PWD/#\"; do kill -0 $! || exit; done; ";
  bool has_unnamed_files() const {
    const int fd = open(path_of(".").c_str(), O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
  }
};

TEST_F(InterruptedStats, LeaveNothingBesideTheTrace) {
  if (!has_unnamed_files()) GTEST_SKIP() << "this file system has no files without names";
  given_long();
  for (const char* const signal : {"INT", "TERM", "HUP", "KILL"}) {
    const Outcome outcome =
        run(std::string(kUntilMaking) + "kill -" + signal + " $!; wait $! 2>/dev/null; test $? -gt 128 && ls");
    EXPECT_EQ(outcome.out, "long.evt\n") << signal << outcome;
  }
}

}  // namespace
}  // namespace evt::testing
