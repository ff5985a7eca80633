// Snapshots that a session takes of itself: after events of a type, and when the program asks in a signal handler.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <thread>

#include "support/command.h"
#include "write/ring_folders.h"

namespace evt::testing {
namespace {

using ::testing::MatchesRegex;
using Names = std::vector<std::string>;

constexpr std::uint64_t kHour = 3'600'000'000'000;

class AutomaticSnapshot : public OwnRings {
 protected:
  AutomaticSnapshot() { std::filesystem::create_directory(folder / "s"); }
  ~AutomaticSnapshot() override { unsetenv("EVTRACE"); }

  // A session that takes one after each note, as `most` allows.
  evt_options on_notes(std::uint32_t most, std::uint64_t rearm_ns = 1) {
    evt_options with = options();
    with.snapshot = pattern.c_str();
    with.snapshot_when = "note";
    with.snapshot_rearm_ns = rearm_ns;
    with.snapshot_most = most;
    return with;
  }
  Writer start(const evt_options& with) const {
    auto writer = Writer::open(path, with);
    if (!writer) throw std::runtime_error(writer.status().message());
    return *std::move(writer);
  }
  Names snapshots() const {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "s")) {
      const std::string name = entry.path().filename().string();
      // One in progress is renamed when it is whole.
      if (name.find(".part") == std::string::npos && std::filesystem::file_size(entry) > 0) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  template <typename Work>
  void until_there_are(std::size_t count, Work work) const {
    while (snapshots().size() < count) {
      work();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  // A trace that is whole and closed.
  static Trace open_whole(const std::string& at) {
    auto trace = Trace::open(at, {.check_index = true});
    if (!trace) throw std::runtime_error(trace.status().message());
    EXPECT_EQ(trace->status().message(), "") << at;
    EXPECT_TRUE(trace->sessions().front().closed) << at;
    return *std::move(trace);
  }
  static std::string fact(const Trace& trace, const std::string& key) {
    for (const Fact& each : trace.sessions().front().facts) {
      if (each.key == key) return each.value;
    }
    return "";
  }
  std::string fact(const std::string& key) const { return fact(open_file(path), key); }
  static std::uint64_t notes_in(const std::string& at) {
    Trace trace = open_whole(at);
    std::uint64_t notes = 0;
    Events events = trace.events();
    while (const Event* event = events.next()) notes += event->type().name() == "note" ? 1 : 0;
    return notes;
  }
  std::string refusal(const evt_options& with) const {
    const auto writer = Writer::open(path, with);
    return writer.ok() ? "none" : writer.status().message();
  }

  const std::string pattern = folder / "s/slow.%n.evt";
  const std::string first = folder / "s/slow.000000.evt";
};

// The type is declared after the session was opened, and the program does nothing more.
TEST_F(AutomaticSnapshot, IsTakenAfterAnEvent) {
  setenv("EVTRACE", (path + ",flight=64M,snapshot=" + pattern + ",when=no*e,rearm=60s,most=10").c_str(), 1);
  auto writer = Writer::open_from_env(options());
  ASSERT_EQ(writer.status().message(), "");
  Stream stream = writer->stream("a");
  emit_ticks(stream, writer->declare<Tick>(), 0, 60);
  stream.emit(writer->declare<Note>(), Note{"slow"});
  until_there_are(1, [] {});
  Trace snapshot = open_whole(first);
  EXPECT_EQ(ticks_in(snapshot), numbers(0, 60));
  EXPECT_EQ(notes_in(first), 1u);
  const std::string reason = "note at 0.000000 s, row 60 of stream 1";
  EXPECT_EQ(fact(snapshot, "evt.snapshot_reason"), reason);
  EXPECT_EQ(writer->close().message(), "");
  EXPECT_EQ(fact("evt.snapshot.0"), std::filesystem::canonical(first).string() + ": " + reason);
  EXPECT_EQ(fact("evt.snapshots_passed_over"), "");
  EXPECT_THAT(writer->notices(), MatchesRegex("snapshot .*s/slow.000000.evt: " + reason + "\n"));
  EXPECT_EQ(snapshots(), Names{"slow.000000.evt"});
}

// Each event either has a snapshot, or is counted.
TEST_F(AutomaticSnapshot, HoldsToItsMostInAStorm) {
  Writer writer = start(on_notes(3));
  const auto types = writer.declare<Note>();
  Stream stream = writer.stream("a");
  std::uint64_t emitted = 0;
  const auto emit = [&] {
    for (int i = 0; i < 100; ++i, ++emitted) stream.emit(types, Note{"slow"});
  };
  until_there_are(3, emit);
  emit();
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(snapshots(), (Names{"slow.000000.evt", "slow.000001.evt", "slow.000002.evt"}));
  EXPECT_EQ(fact("evt.snapshots_passed_over"), std::to_string(emitted - 3));
  EXPECT_THAT(writer.notices(),
              ::testing::EndsWith(fmt::format("no snapshot was taken at {} more events of note\n", emitted - 3)));
  for (const std::string& name : snapshots()) EXPECT_GE(notes_in(folder / ("s/" + name)), 1u);
}

TEST_F(AutomaticSnapshot, WaitsUntilItIsArmedAgain) {
  Writer writer = start(on_notes(10, kHour));
  const auto types = writer.declare<Note>();
  Stream stream = writer.stream("a");
  std::uint64_t emitted = 0;
  until_there_are(1, [&] { stream.emit(types, Note{std::to_string(emitted++)}); });
  stream.emit(types, Note{"another"});
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(snapshots(), Names{"slow.000000.evt"});
  EXPECT_EQ(fact("evt.snapshots_passed_over"), std::to_string(emitted));
}

// One that still waits for the time after its event.
TEST_F(AutomaticSnapshot, IsTakenWhenTheSessionIsClosed) {
  evt_options with = on_notes(1);
  with.snapshot_after_ns = kHour;
  Writer writer = start(with);
  const auto types = writer.declare<Note, Tick>();
  Stream stream = writer.stream("a");
  stream.emit(types, Note{"slow"});
  emit_ticks(stream, writer.declare<Tick>(), 0, 10);
  EXPECT_EQ(writer.close().message(), "");
  Trace snapshot = open_whole(first);
  EXPECT_EQ(ticks_in(snapshot), numbers(0, 10));
  EXPECT_EQ(fact("evt.snapshot.0"), first + ": note at 0.000000 s, row 0 of stream 1");
}

// The end of a session does not wait for the time after which the program wanted another one.
TEST_F(AutomaticSnapshot, EndsTheWaitOfAnotherAtTheEnd) {
  evt_options with = options();
  with.snapshot = pattern.c_str();
  Writer writer = start(with);
  std::thread other([&] {
    evt_snapshot_options later = {};
    later.size = sizeof later;
    later.after_ns = kHour;
    evt_error error;
    EXPECT_EQ(evt_snapshot(writer.get(), (folder / "s/later.evt").c_str(), &later, &error), EVT_CODE_CLOSED);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(writer.snapshot_soon());
  EXPECT_EQ(evt_close(writer.get(), nullptr), EVT_OK);
  other.join();
}

// Its file is one of memory's segments until then.
TEST_F(AutomaticSnapshot, DoesNotReplaceTheTraceOfAFlightRecorder) {
  evt_options with = on_notes(1);
  with.flight_bytes = 16 << 20;
  const std::string same = folder / "./a.evt";
  with.snapshot = same.c_str();
  Writer writer = start(with);
  const auto types = writer.declare<Note>();
  writer.stream("a").emit(types, Note{"slow"});
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_NE(writer.notices().find("the snapshot would replace the trace itself"), std::string::npos);
  EXPECT_EQ(open_whole(path).sessions()[0].rows, 1u);
}

TEST_F(AutomaticSnapshot, IsTakenWhereClocksJump) {
  Writer writer = start(on_notes(2));
  const auto types = writer.declare<Note>();
  Stream stream = writer.stream("a");
  clock.ticks = 5'000'000'000;
  stream.emit(types, Note{"slow"});
  until_there_are(1, [] {});
  evt_stream_jump(stream.get());
  clock.ticks = 1'000'000'000;
  until_there_are(2, [&] { stream.emit(types, Note{"slow"}); });
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_THAT(fact("evt.snapshot.0"), MatchesRegex(".*: note at 5.000000 s, row 0 of stream 1"));
  EXPECT_THAT(fact("evt.snapshot.1"), MatchesRegex(".*: note at 1.000000 s, row [0-9]+ of stream 1"));
}

TEST_F(AutomaticSnapshot, NamesNobodyWhereTheSessionIsAnonymous) {
  evt_options with = on_notes(1);
  with.anonymous = 1;
  Writer writer = start(with);
  writer.stream("a").emit(writer.declare<Note>(), Note{"slow"});
  until_there_are(1, [] {});
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_TRUE(open_file(path).sessions()[0].facts.empty());
  EXPECT_TRUE(open_whole(first).sessions()[0].facts.empty());
}

// The folder has room for the name, and not for the snapshot.
TEST_F(AutomaticSnapshot, IsLeftOutWhereTheDiskIsFull) {
  if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  const std::string small = folder / "s";
  const int status = in_child([&] {
    if (!mount_memory(small.c_str(), "size=64k")) _exit(1);
    Writer writer = start(on_notes(1));
    emit_ticks(writer.stream("b"), writer.declare<Tick>(), 0, 100'000);
    writer.stream("a").emit(writer.declare<Note>(), Note{"slow"});
    if (!writer.close().ok() || !snapshots().empty()) _exit(2);
    _exit(writer.notices().ends_with("s, row 0 of stream 2: cannot write the snapshot: No space left on device\n") ? 0
                                                                                                                   : 3);
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(fact("evt.snapshot.0"),
              MatchesRegex("not written: note at .* s, row 0 of stream 2: cannot write the snapshot: No space left on "
                           "device"));
  EXPECT_EQ(ticks_in(path).size(), 100'000u);
}

// A child's events are those of no session; and it may have a session of its own, while its parent takes a snapshot.
TEST_F(AutomaticSnapshot, IsNotTakenInAForkChild) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads have threads";
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = start(on_notes(2));
  const auto types = writer.declare<Note>();
  Stream stream = writer.stream("a");
  const int status = in_child([&] {
    stream.emit(types, Note{"child"});
    if (evt_snapshot_soon(writer.get()) != EVT_CODE_CLOSED) _exit(1);
    Writer own = *Writer::open(folder / "child.evt", options());
    if (!own.snapshot(folder / "s/child.evt").ok()) _exit(2);
    if (!own.close().ok()) _exit(3);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(snapshots(), Names{"child.evt"});
  stream.emit(types, Note{"parent"});
  until_there_are(2, [] {});
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(notes_in(first), 1u);
}

TEST_F(AutomaticSnapshot, OfTwoProgramsHaveNamesOfTheirOwn) {
  const auto program = [&](const char* name) {
    Writer writer = *Writer::open(folder / name, on_notes(2));
    const auto types = writer.declare<Note>();
    Stream stream = writer.stream("a");
    // Both at once: its own are told by the facts of its trace.
    const auto taken = [&] {
      evt_flush(writer.get());
      return !fact(open_file(folder / name), "evt.snapshot.1").empty();
    };
    while (!taken()) stream.emit(types, Note{name});
    _exit(writer.close().ok() ? 0 : 1);
  };
  const pid_t other = fork();
  if (other == 0) {
    alarm(60);
    program("b.evt");
  }
  EXPECT_EQ(in_child([&] { program("c.evt"); }), 0);
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  std::set<Session::Uuid> of;
  for (const std::string& name : snapshots()) of.insert(open_whole(folder / ("s/" + name)).sessions()[0].origins.at(0));
  EXPECT_EQ(snapshots(), (Names{"slow.000000.evt", "slow.000001.evt", "slow.000002.evt", "slow.000003.evt"}));
  EXPECT_EQ(of.size(), 2u);
}

// The program takes one at the same time: the one that an event asks for comes after it.
TEST_F(AutomaticSnapshot, WaitsForAnotherOne) {
  Writer writer = start(on_notes(3));
  const auto types = writer.declare<Note>();
  Stream stream = writer.stream("a");
  std::filesystem::create_directory(folder / "own");
  until_there_are(3, [&] {
    stream.emit(types, Note{"slow"});
    const auto own = writer.snapshot(folder / "own/x.evt");
    EXPECT_TRUE(own.ok() || own.status().code() == Code::kBusy) << own.status().message();
  });
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_THAT(fact("evt.snapshot.2"), MatchesRegex(".*/s/slow.000002.evt: note at .*"));
}

// What is copied stays until it is.
TEST_F(AutomaticSnapshot, IsWaitedForByClose) {
  for (int i = 0; i < 20; ++i) {
    Writer writer = open();
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10'000);
    std::atomic<bool> begins = false;
    std::thread other([&, of = writer.get()] {
      evt_error error;
      begins = true;
      const int code = evt_snapshot(of, first.c_str(), nullptr, &error);
      EXPECT_TRUE(code == EVT_OK || code == EVT_CODE_CLOSED) << error.message;
    });
    while (!begins) std::this_thread::yield();
    EXPECT_EQ(writer.close().message(), "");
    other.join();
    for (const std::string& name : snapshots()) open_whole(folder / ("s/" + name));
  }
}

TEST_F(AutomaticSnapshot, IsAskedForInASignalHandler) {
  EXPECT_EQ(run("snapshot_soon a.evt s/soon.%n.evt", folder.path(), "", 30), (Outcome{0, "asked 0\nclosed 0\n", ""}));
  EXPECT_EQ(snapshots(), Names{"soon.000000.evt"});
  Trace snapshot = open_whole(folder / "s/soon.000000.evt");
  EXPECT_EQ(ticks_in(snapshot), numbers(0, 3));
  EXPECT_THAT(fact(snapshot, "evt.snapshot_reason"), MatchesRegex("evt_snapshot_soon at [0-9]\\.[0-9]{6} s"));
  Writer writer = open();
  EXPECT_EQ(evt_snapshot_soon(writer.get()), EVT_CODE_INVALID) << "no path";
  EXPECT_FALSE(writer.snapshot_soon());
  EXPECT_EQ(evt_snapshot_soon(nullptr), EVT_CODE_CLOSED);
  evt_writer* const closed = writer.get();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(evt_snapshot_soon(closed), EVT_CODE_CLOSED);
}

TEST_F(AutomaticSnapshot, OfATypeThatIsNeverDeclaredIsANotice) {
  Writer writer = start(on_notes(1));
  writer.declare<Tick>();
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(writer.notices(), "when=note: none of the 1 event types that were declared has such a name\n");
}

TEST_F(AutomaticSnapshot, IsRefusedWhereOptionsDoNotFit) {
  const evt_options good = on_notes(0);
  evt_options with = good;
  with.snapshot = nullptr;
  EXPECT_EQ(refusal(with), "when, after, rearm and most need snapshot with them, such as snapshot=app.slow.%n.evt");
  with.snapshot = "";
  EXPECT_EQ(refusal(with), "snapshot: expected a path, such as app.slow.%n.evt, found none");
  with = good;
  with.snapshot_when = nullptr;
  EXPECT_EQ(refusal(with), "after, rearm and most need when with them, such as when=app.slow_request");
  with.snapshot_when = "";
  EXPECT_EQ(refusal(with), "when: expected an event type, such as app.slow_request, found none");
  with = good;
  with.snapshot_most = 1001;
  EXPECT_EQ(refusal(with), "most: expected a number from 1 to 1000, found 1001");
  with = good;
  with.snapshot = "slow.evt";
  EXPECT_EQ(refusal(with), "snapshot: several need several names: expected %n, or most=1, found slow.evt");
  with.snapshot = path.c_str();
  EXPECT_EQ(refusal(with), "snapshot: expected another name than the trace's, found " + path);
  with.snapshot_most = 1;
  const std::string nowhere = folder / "none/slow.evt";
  with.snapshot = nowhere.c_str();
  EXPECT_EQ(refusal(with), "cannot write " + nowhere + ": No such file or directory");
  with = good;
  with.flush_inline = 1;
  EXPECT_EQ(refusal(with), "snapshot needs a thread that writes the trace, and there is none");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(Writer::open(ends[1], good).status().message(),
            "snapshot: expected a trace in a file, such as app.evt, found a descriptor");
  close(ends[0]);
  close(ends[1]);
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  const int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(Writer::open(folder / "fifo", good).status().message(),
            "snapshot: expected a trace in a file, such as app.evt, found " + folder / "fifo");
  close(reader);
  EXPECT_EQ(snapshots(), Names{});
}

}  // namespace
}  // namespace evt::testing
