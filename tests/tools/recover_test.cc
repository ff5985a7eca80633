// `evt check --recover`: what was to be seen of file and ring before is what the file has afterwards; and which file
// may have what a ring holds.
#include <sys/file.h>

#include "at_the_shell.h"
#include "killed_program.h"

namespace evt::testing {
namespace {

class Recover : public KilledProgram {
 protected:
  // Recovers; checks that nothing that was shown is gone, and nothing is there twice.
  void expect_all_recovered(const Shown& before, int status) {
    EXPECT_EQ(run("evt check --recover a.evt").status, status);
    EXPECT_EQ(shown_by_the_file(path), before);
    EXPECT_FALSE(ring_exists());
  }
  // Cuts the file at the second block of events, behind which there is a third one.
  void given_gap_behind_first_block() {
    ASSERT_NO_FATAL_FAILURE(given_killed_program({50, 50, 10}));
    const auto events = block_offsets(path, EVT_BLOCK_EVENTS);
    ASSERT_EQ(events.size(), 2u);
    std::filesystem::resize_file(path, events[1]);
  }
};

TEST_F(Recover, KeepsWhatTheRingHasBehindAGap) {
  ASSERT_NO_FATAL_FAILURE(given_gap_behind_first_block());
  Shown expected;
  expected.streams[1].ticks = numbers(0, 50);
  for (const std::uint32_t n : numbers(100, 110)) expected.streams[1].ticks.push_back(n);
  expected.streams[1].missing = 50;
  ASSERT_EQ(shown(path), expected);
  const std::string missing =
      "evt check: a.evt: 50 rows of stream 1 \"a\" missing, recorded between 0.000000050 and 0.000000101\n";
  EXPECT_EQ(run("evt check --recover a.evt"),
            (Outcome{1,
                     "a.evt: session of test, 60 events, 0 lost, 50 rows missing: killed, "
                     "nothing else is lost\n",
                     "evt check: a.evt: 10 rows from its ring are in the file now\n" + missing}));
  EXPECT_EQ(shown_by_the_file(path), expected);
  EXPECT_FALSE(ring_exists());
}

TEST_F(Recover, OfAFlightRecorderCompletesTheSegmentThatItsRingNames) {
  evt_options with = options();
  with.flight_bytes = 2 << 20;
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(*Writer::open(path, with));
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
  }));
  char front[ring::kMaxName];
  ring::segment_front_of(evt_session_id(with.session->uuid), front);
  const std::string segment = std::string("/dev/shm/") + front + "000001.evt";
  EXPECT_EQ(run("evt check --recover a.evt"),
            (Outcome{0, "a.evt: session of test, 10 events, 0 lost: killed, nothing is lost\n",
                     "evt check: " + segment + ": 10 rows from its ring are in the file now\n"}));
  std::filesystem::remove(segment);
}

TEST_F(Recover, KeepsLossesThatNoRowTellsOfYet) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 10);
    evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 3, 8, 10);
    emit_ticks(stream, types, 10, 20);
    stream.emit_with(types.get<Tick>(), [](RowBuilder& row) { row.raw(std::vector<std::byte>(17 << 20)); });
  }));
  ring = ring_path(open_file(path, false).sessions()[0]);
  const Shown before = shown(path);
  EXPECT_EQ(before.count(), 20u);
  EXPECT_EQ(before.lost(), 4u);
  expect_all_recovered(before, 0);
  EXPECT_EQ(run("evt check a.evt").out, "a.evt: session of test, 20 events, 4 lost: killed, nothing else is lost\n");
}

// An event of which the flusher had not written the whole, of a program that does not wait for it.
TEST_F(Recover, KeepsWhatCameBehindAnEventThatTheKillTookAlong) {
  bool any_gap = false;
  for (int i = 0; i < 20 && !any_gap; ++i) {
    std::filesystem::remove(path);
    ASSERT_NO_FATAL_FAILURE(killed_after([&] {
      evt_options with = options();
      with.full = EVT_FULL_DROP;
      auto* const writer = new Writer(*Writer::open(path, with));
      const auto types = writer->declare<Tick, Cargo>();
      Stream stream = writer->stream("a");
      const std::vector<std::byte> large(200'000);
      for (std::uint32_t n = 0; n < 100; ++n) stream.emit(types, Tick{n});
      stream.emit(types, Cargo{{large}});
      for (std::uint32_t n = 100; n < 1'100; ++n) stream.emit(types, Tick{n});
    }));
    ring = ring_path(open_file(path, false).sessions()[0]);
    const Shown before = shown(path);
    EXPECT_EQ(before.streams.at(1).ticks, numbers(0, 1'100));
    any_gap = before.missing() == 1;
    EXPECT_EQ(before.others + before.missing(), 1u);
    expect_all_recovered(before, any_gap ? 1 : 0);
  }
}

TEST_F(Recover, FindsTheRingOfATraceThatWasMoved) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}));
  EXPECT_EQ(run("mkdir d && mv a.evt d/b.evt && evt check --recover d/b.evt").status, 0);
  EXPECT_FALSE(ring_exists());
  EXPECT_EQ(shown_by_the_file(folder / "d/b.evt").streams.at(1).ticks, numbers(0, 12));
}

TEST_F(Recover, FollowsNoLink) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}));
  EXPECT_EQ(run("ln -s a.evt link && evt check --recover link"),
            (Outcome{3, "", "evt check: cannot open link: it is a symbolic link: name the file that it leads to\n"}));
  EXPECT_TRUE(ring_exists());
  EXPECT_EQ(run("evt dump --count link").out, "12\n") << "reading does";
}

TEST_F(Recover, IsForRegularFiles) {
  EXPECT_EQ(run("mkfifo fifo && evt check --recover fifo"),
            (Outcome{3, "", "evt check: cannot recover fifo: it is not a regular file\n"}));
  EXPECT_EQ(run("evt check --recover ."), (Outcome{3, "", "evt check: cannot read .: it is a directory\n"}));
  EXPECT_EQ(run("evt check --recover --no-rings a.evt").status, 2);
}

TEST_F(Recover, WaitsForNobodyWhoHasTheFile) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}));
  const std::string before = read_file(path);
  const int other = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_EQ(run("evt check --recover a.evt"),
            (Outcome{1, "", "evt check: a.evt: another program writes to it or recovers it: nothing was recovered\n"}));
  EXPECT_EQ(read_file(path), before);
  EXPECT_TRUE(ring_exists());
  close(other);
  expect_all_recovered(shown(path), 0);
}

// A program that looks whether the writer lives holds the ring for a moment.
TEST_F(Recover, TakesNobodyWhoLooksForTheWriter) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}));
  const int other = ::open(ring.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_SH), 0);
  expect_all_recovered(shown(path), 0);
  close(other);
}

TEST_F(Recover, TakesNoRingAwayForACopyOfWhatADescriptorWasWrittenTo) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}, fd));
  close(fd);
  const std::string name = std::filesystem::path(ring).filename();
  EXPECT_EQ(run("cp a.evt copy.evt; evt check --recover copy.evt"),
            (Outcome{1, "",
                     "evt check: copy.evt: its ring " + name + " belongs to another file\n" +
                         "evt check: copy.evt: if it is a copy, evt check --recover --ring " + name +
                         " puts the ring's rows into it\n"}));
  EXPECT_TRUE(ring_exists());
  EXPECT_EQ(run("evt dump --count copy.evt 2>&1"),
            (Outcome{1,
                     "10\nevt dump: copy.evt: the session of test is truncated: its end is missing; its ring " + name +
                         " belongs to another file\n",
                     ""}));
  EXPECT_EQ(run("evt dump --count a.evt").out, "12\n");
  expect_all_recovered(shown(path), 0);
}

class RecoveryOfACopy : public Recover {
 protected:
  void given_copy_of_a_killed_trace() {
    ASSERT_NO_FATAL_FAILURE(given_killed_program({10, 2}));
    std::filesystem::copy_file(path, copy);
    name = std::filesystem::path(ring).filename();
  }

  const std::filesystem::path copy = folder / "copy.evt";
  std::string name;  // of the ring
};

TEST_F(RecoveryOfACopy, ReadsTheRingThatIsNamedAndLeavesItToItsTrace) {
  ASSERT_NO_FATAL_FAILURE(given_copy_of_a_killed_trace());
  EXPECT_EQ(run("evt check --recover --ring " + name + " copy.evt"),
            (Outcome{0, "copy.evt: session of test, 12 events, 0 lost: killed, nothing is lost\n",
                     "evt check: copy.evt: 2 rows from its ring are in the file now\n"}));
  EXPECT_EQ(shown_by_the_file(copy).streams.at(1).ticks, numbers(0, 12));
  EXPECT_TRUE(ring_exists());
  expect_all_recovered(shown(path), 0);
}

TEST_F(RecoveryOfACopy, ReadsARingThatWasCopiedTooByItsPath) {
  ASSERT_NO_FATAL_FAILURE(given_copy_of_a_killed_trace());
  EXPECT_EQ(run("mkdir other && mv copy.evt other && mv " + ring +
                " other/ring && rm a.evt && "
                "cd other && evt check --recover --ring ./ring copy.evt")
                .status,
            0);
  EXPECT_EQ(shown_by_the_file(folder / "other/copy.evt").streams.at(1).ticks, numbers(0, 12));
  EXPECT_TRUE(std::filesystem::exists(folder / "other/ring"));
}

TEST_F(RecoveryOfACopy, AddsNothingTwice) {
  ASSERT_NO_FATAL_FAILURE(given_copy_of_a_killed_trace());
  const std::string command = "evt check --recover --ring " + name + " copy.evt";
  EXPECT_EQ(run(command).status, 0);
  const Shown once = shown_by_the_file(copy);
  EXPECT_EQ(run(command).status, 0);
  EXPECT_EQ(shown_by_the_file(copy), once);
}

TEST_F(RecoveryOfACopy, RefusesARingOfAnotherSession) {
  ASSERT_NO_FATAL_FAILURE(given_copy_of_a_killed_trace());
  const std::string before = read_file(copy);
  expect_all_recovered(shown(path), 0);
  std::filesystem::remove(path);
  ASSERT_NO_FATAL_FAILURE(given_killed_program({5}));
  for (const std::string& another :
       {std::filesystem::path(ring).filename().string(), ring, std::string("nosuch"), std::string("./nosuch")}) {
    EXPECT_EQ(run("evt check --recover --ring " + another + " copy.evt"),
              (Outcome{3, "",
                       "evt check: copy.evt: " + another +
                           " is no ring of a session of it that was not closed, and of its user\n"}));
  }
  EXPECT_EQ(read_file(copy), before);
  EXPECT_TRUE(ring_exists());
}

TEST_F(RecoveryOfACopy, IsOfOneTraceAndARecovery) {
  EXPECT_EQ(run("evt check --ring x a.evt").status, 2);
  EXPECT_EQ(run("evt check --recover --ring '' a.evt").status, 2);
  EXPECT_EQ(run("evt check --recover --ring x a.evt b.evt"), refuses(2, "evt check: --ring takes one trace\n"));
}

// Who makes a file can copy a session into it that is not theirs.
class OfAStranger : public KilledProgram {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(given_killed_program({2, 3}));
    const auto events = block_offsets(path, EVT_BLOCK_EVENTS);
    folder.write("stranger.evt", read_file(path).substr(0, events.at(0)));
  }
  // What a command makes of the stranger's file, in `out` or on standard output.
  Outcome text_after(const std::string& command) const {
    return run("rm -f out; " + command + " stranger.evt; [ -f out ] && evt dump --no-rings out; true");
  }
};

TEST_F(OfAStranger, ShowsNothingOfARingWhateverTheCommand) {
  const std::string before = read_file(folder / "stranger.evt");
  for (const char* const command : {"evt dump", "evt dump --json", "evt convert", "evt cut -o out", "evt merge -o out",
                                    "evt stats events --no-checkpoints", "evt check", "evt check --recover"}) {
    const Outcome outcome = text_after(command);
    EXPECT_EQ(outcome.out.find(" n="), std::string::npos) << command << ": " << outcome.out;
    EXPECT_EQ(outcome.out.find("\"n\""), std::string::npos) << command << ": " << outcome.out;
    EXPECT_NE(outcome.err.find("belongs to "), std::string::npos) << command << ": " << outcome.err;
    EXPECT_EQ(read_file(folder / "stranger.evt"), before) << command;
    EXPECT_TRUE(ring_exists()) << command;
  }
  EXPECT_EQ(shown(path).streams.at(1).ticks, numbers(0, 5));
}

TEST_F(OfAStranger, IsNotNeededToLeaveARingAlone) {
  const std::string sentence = "the session of test is truncated: its end is missing";
  for (const char* const command :
       {"evt dump --no-rings", "evt convert --no-rings", "evt cut --no-rings -o out", "evt merge --no-rings -o out",
        "evt stats --no-rings --no-checkpoints", "evt check --no-rings"}) {
    const Outcome outcome = run("rm -f out; " + std::string(command) + " a.evt");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_NE(outcome.err.find(sentence), std::string::npos) << command << ": " << outcome.err;
  }
  EXPECT_EQ(run("evt dump --no-rings --count a.evt").out, "2\n");
  EXPECT_EQ(run("evt dump --count a.evt").out, "5\n");
}

TEST_F(OfAStranger, MayComeThroughAPipeWhichHasNoRing) {
  EXPECT_EQ(run("evt dump --count - < a.evt").out, "5\n") << "a file, though its path is not known";
  EXPECT_EQ(run("cat a.evt | evt dump --count -").out, "2\n");
}

}  // namespace
}  // namespace evt::testing
