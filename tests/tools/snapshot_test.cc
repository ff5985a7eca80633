// `evt snapshot`, and traces that are named by their programs: pid:1234, or a session.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <optional>
#include <thread>

#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class SnapshotCommand : public RingTest {
 protected:
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }

  // This process records as "worker".
  Writer open_worker(const std::string& at) {
    worker_.program = "worker";
    worker_.host = "host";
    evt_options with = {};
    with.session = &worker_;
    auto writer = Writer::open(at, with);
    if (!writer) throw std::runtime_error(writer.status().message());
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
  static std::string pid() { return fmt::format("pid:{}", getpid()); }
  std::string session_of(const std::string& at) const {
    return fmt::format("{:016x}", evt_session_id(open_file(at, false).sessions()[0].uuid.data()));
  }
  std::vector<std::uint32_t> ticks_of(const std::string& name) const { return ticks_in(folder / name); }

  // A program that emits ticks without end into numbered files, and is ended with the test.
  void given_busy_program(std::uint64_t rotate, std::uint64_t keep) {
    child_ = fork();
    if (child_ == 0) {
      alarm(static_cast<unsigned>(300 + 5 * snapshots()));
      evt_options with = {};
      with.rotate_bytes = rotate;
      with.keep_bytes = keep;
      with.full_wait_ms = EVT_WAIT_FOR_EVER;
      Writer writer = *Writer::open(folder / (rotate > 0 ? "app.%n.evt" : "app.evt"), with);
      leave_out_events_of_writer(writer);
      const auto types = writer.declare<Tick>();
      Stream stream = writer.stream("a");
      for (std::uint32_t n = 0;; ++n) stream.emit(types, Tick{n});
    }
    while (run(fmt::format("evt dump --limit 1 pid:{}", child_)).status != 0) {
    }
  }
  // How many are taken of a program that changes its files: of the environment variable EVT_SNAPSHOTS, or this one.
  static int snapshots() {
    const char* const wanted = getenv("EVT_SNAPSHOTS");
    return wanted != nullptr ? atoi(wanted) : 30;
  }
  std::string busy() const { return fmt::format("pid:{}", child_); }

  // All that is said of a snapshot of a busy program that is whole: its ticks follow one another.
  void expect_whole(const std::string& name) const {
    const Outcome checked = run("evt check " + name);
    EXPECT_EQ(checked.status, 0) << checked;
    EXPECT_NE(checked.out.find(", 0 lost: closed"), std::string::npos) << checked;
    const std::vector<std::uint32_t> ticks = ticks_of(name);
    ASSERT_FALSE(ticks.empty());
    EXPECT_EQ(ticks, numbers(ticks.front(), ticks.back() + 1)) << name;
  }

  ~SnapshotCommand() override {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  pid_t child_ = 0;

 private:
  evt_session_info worker_ = {};
};

TEST_F(SnapshotCommand, HasWhatARunningProgramRecordedSoFar) {
  Writer writer = open_worker(path);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  emit_ticks(stream, types, 0, 50);
  stream.flush();
  emit_ticks(stream, types, 50, 60);  // in the ring alone
  for (const std::string& name : {pid(), session_of(path), std::string("a.evt")}) {
    const Outcome taken = run("evt snapshot " + name + " -o x.evt");
    EXPECT_EQ(taken.status, 0) << taken;
    EXPECT_EQ(taken.out, "");
    EXPECT_TRUE(taken.err.starts_with("evt snapshot: x.evt: last ")) << taken;
    EXPECT_TRUE(taken.err.ends_with(", 60 events\n")) << taken;
    EXPECT_EQ(run("evt check x.evt"), (Outcome{0, "x.evt: session of worker, 60 events, 0 lost: closed\n", ""}));
    EXPECT_EQ(ticks_of("x.evt"), numbers(0, 60));
  }
  emit_ticks(stream, types, 60, 70);
  EXPECT_EQ(ticks_of("x.evt"), numbers(0, 60)) << "no ring is added to it";
  const Trace snapshot = open_file(folder / "x.evt");
  EXPECT_EQ(snapshot.sessions()[0].ring, RingState::kNone);
  EXPECT_EQ(snapshot.sessions()[0].origins, std::vector{open_file(path).sessions()[0].uuid});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(ticks_of("a.evt"), numbers(0, 70));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "x.evt"}));
}

TEST_F(SnapshotCommand, IsPrivateAsTheTraceIs) {
  Writer writer = open_worker(path);
  EXPECT_EQ(run("chmod 600 a.evt && evt snapshot --quiet " + pid() + " -o x.evt && stat -c %a x.evt"),
            (Outcome{0, "600\n", ""}));
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(SnapshotCommand, MayHaveThePartThatIsAskedFor) {
  Writer writer = open_worker(path);
  const auto types = writer.declare<Tick>();
  const auto notes = writer.declare<Note>();
  Stream stream = writer.stream("a");
  emit_ticks(stream, types, 0, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  emit_ticks(stream, types, 10, 20);
  stream.emit(notes, Note{"here"});
  EXPECT_EQ(run("evt snapshot -q " + pid() + " --last 1s -o x.evt"), (Outcome{0, "", ""}));
  EXPECT_EQ(ticks_of("x.evt"), numbers(10, 20));
  EXPECT_EQ(open_file(folder / "x.evt").sessions()[0].cut, "--last 1s");
  EXPECT_EQ(run("evt snapshot -q " + pid() + " --event 'n*' -o x.evt && evt dump --format '{type}' x.evt"),
            (Outcome{0, "note\n", ""}));
  EXPECT_EQ(run("evt snapshot " + pid() + " --event other -o x.evt"),
            (Outcome{1, "",
                     "evt snapshot: x.evt: last 0 ns, 0 events\n"
                     "evt snapshot: no event type is called other\n"}));
}

TEST_F(SnapshotCommand, HasWhatAKilledProgramLeft) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 50);
    stream.flush();
    emit_ticks(stream, types, 50, 60);
  }));
  const std::string session = session_of(path);
  for (const std::string& name : {session, std::string("a.evt")}) {
    const Outcome taken = run("evt snapshot " + name + " -o x.evt");
    EXPECT_EQ(taken.status, 0) << taken;
    EXPECT_EQ(run("evt check x.evt"), (Outcome{0, "x.evt: session of test, 60 events, 0 lost: closed\n", ""}));
  }
  EXPECT_EQ(run("evt dump --count " + session).out, "60\n");
}

// The program cannot help: it is stopped.
TEST_F(SnapshotCommand, HasWhatAStoppedProgramRecorded) {
  given_busy_program(0, 0);
  kill(child_, SIGSTOP);
  int status = 0;
  ASSERT_EQ(waitpid(child_, &status, WUNTRACED), child_);
  EXPECT_EQ(run("evt snapshot -q " + busy() + " -o x.evt"), (Outcome{0, "", ""}));
  expect_whole("x.evt");
  EXPECT_EQ(run("evt snapshot -q " + busy() + " -o y.evt && cmp x.evt y.evt"), (Outcome{0, "", ""}));
  kill(child_, SIGCONT);
}

TEST_F(SnapshotCommand, IsWholeWhileTheProgramChangesItsFiles) {
  given_busy_program(1 << 20, 4 << 20);
  for (int i = 0; i < snapshots(); ++i) {
    const Outcome taken = run("evt snapshot -q " + busy() + " -o x.evt");
    ASSERT_EQ(taken, (Outcome{0, "", ""})) << i;
    ASSERT_NO_FATAL_FAILURE(expect_whole("x.evt")) << i;
    if (HasFailure()) break;
  }
  EXPECT_GT(open_file(folder / "x.evt").sessions()[0].not_kept, 0u);
  // One of the files stands for all; the program deletes none meanwhile.
  kill(child_, SIGSTOP);
  ASSERT_EQ(waitpid(child_, nullptr, WUNTRACED), child_);
  EXPECT_EQ(run("evt snapshot -q \"$(ls app.*.evt | tail -1)\" -o x.evt"), (Outcome{0, "", ""}));
  expect_whole("x.evt");
}

TEST_F(SnapshotCommand, MayBeTakenTwiceAtOnce) {
  given_busy_program(1 << 20, 4 << 20);
  const std::string one = "evt snapshot -q " + busy() + " -o s.%n.evt";
  EXPECT_EQ(run(fmt::format("{} & {} & wait", one, one)), (Outcome{0, "", ""}));
  expect_whole("s.000000.evt");
  expect_whole("s.000001.evt");
}

TEST_F(SnapshotCommand, HasANumberTheProcessAndTheTimeInItsName) {
  const Writer writer = open_worker(path);
  run("touch s.000007.evt s.7.evt");
  for (const char* const number : {"000008", "000009"}) {
    const Outcome taken = run("evt snapshot " + pid() + " -o s.%n.evt");
    EXPECT_EQ(taken.status, 0) << taken;
    EXPECT_EQ(taken.err, fmt::format("evt snapshot: s.{}.evt: last 0 ns, 0 events\n", number));
  }
  EXPECT_EQ(run("evt snapshot -q " + pid() + " -o 'p.%p.%%.evt' && ls p.*"),
            (Outcome{0, fmt::format("p.{}.%.evt\n", getpid()), ""}));
  EXPECT_EQ(run("evt snapshot -q " + pid() + " -o 't.%t.evt' && ls t.* | sed 's/[0-9]/0/g'"),
            (Outcome{0, "t.00000000T000000Z.evt\n", ""}));
  EXPECT_EQ(run("evt snapshot " + pid() + " -o s.%n.%n.evt"),
            (Outcome{3, "",
                     "evt snapshot: expected %n once, in the name of a file and not in that of its folder, found "
                     "s.%n.%n.evt\n"}));
}

// What cannot be written leaves nothing behind, its number neither.
TEST_F(SnapshotCommand, LeavesNothingOnAFullDisk) {
  Writer writer = open_worker(path);
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 100'000);
  const auto before = files();
  const Outcome taken = run("ulimit -f 100; evt snapshot " + pid() + " -o s.%n.evt");
  EXPECT_EQ(taken, (Outcome{3, "", "evt snapshot: cannot write s.000000.evt: File too large\n"}));
  EXPECT_EQ(files(), before);
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(SnapshotCommand, GoesIntoAPipe) {
  Writer writer = open_worker(path);
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 100);
  const Outcome taken =
      run("mkfifo p; cat p >x.evt & evt snapshot " + pid() + " -o p; echo $?; wait; evt dump --count x.evt");
  EXPECT_EQ(taken.out, "0\n100\n") << taken;
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(SnapshotCommand, NamesWhatIsNotThere) {
  EXPECT_EQ(run("evt snapshot pid:999999999 -o x.evt"),
            (Outcome{3, "",
                     "evt snapshot: pid:999999999: no process 999999999 records a trace here, or left one that is not "
                     "complete; evt list shows those that do\n"}));
  EXPECT_EQ(run("evt dump 0123456789abcdef"),
            (Outcome{3, "",
                     "evt dump: 0123456789abcdef: no program here has a session 0123456789abcdef that is not closed; "
                     "evt list shows those there are\n"}));
  EXPECT_EQ(run("evt snapshot x.evt -o y.evt"),
            (Outcome{3, "", "evt snapshot: cannot open x.evt: No such file or directory\n"}));
  Writer writer = open_worker(path);
  std::filesystem::rename(path, folder / "b.evt");
  EXPECT_EQ(run("evt dump " + pid()),
            (Outcome{3, "",
                     fmt::format("evt dump: {}: process {} (worker) writes to {}, which was moved or deleted: name "
                                 "the file where it is now\n",
                                 pid(), getpid(), path)}));
  EXPECT_EQ(run("evt dump --count b.evt").out, "0\n");
  EXPECT_TRUE(writer.close().ok());
}

// Wherever a trace is named.
TEST_F(SnapshotCommand, AProgramIsTheNameOfItsTraceForAllCommands) {
  Writer writer = open_worker(path);
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 60);
  EXPECT_EQ(run("evt dump --count " + pid()).out, "60\n");
  EXPECT_EQ(run("evt grep --count tick " + pid()).out, run("evt grep --count tick a.evt").out);
  EXPECT_EQ(run("evt stats events --csv " + pid()).out, run("evt stats events --csv a.evt").out);
  EXPECT_EQ(run("evt cut -q " + pid() + " -o x.evt; evt dump --count x.evt").out, "60\n");
  EXPECT_EQ(run("evt merge -q " + pid() + " -o x.evt; evt dump --count x.evt").out, "60\n");
  EXPECT_EQ(run("evt convert -q " + pid() + " -o x.json && grep -c tick x.json").status, 0);
  EXPECT_EQ(run("evt check " + pid()).out, fmt::format("{}: session of worker, 60 events, 0 lost: living\n", pid()));
  EXPECT_EQ(run("evt cut " + pid() + " -o a.evt"),
            (Outcome{2, "", fmt::format("evt cut: a.evt is the input {}: the output must be another file\n", path)}));
  run("cp a.evt " + pid());
  EXPECT_NE(run("evt dump --count " + pid()).out, "60\n") << "a file of this name goes first";
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(SnapshotCommand, TheNewestSessionOfAProcessIsRead) {
  Writer first = open_worker(path);
  Writer second = open_worker(folder / "b.evt");
  emit_ticks(second.stream("a"), second.declare<Tick>(), 0, 7);
  const Outcome counted = run("evt dump --count " + pid());
  EXPECT_EQ(counted.out, "7\n");
  EXPECT_TRUE(
      counted.err.starts_with(fmt::format("evt dump: {0}: process {1} (worker) has several sessions: {2} ({3}),", pid(),
                                          getpid(), session_of(folder / "b.evt"), folder / "b.evt")))
      << counted;
  EXPECT_TRUE(first.close().ok());
  EXPECT_TRUE(second.close().ok());
}

}  // namespace
}  // namespace evt::testing
