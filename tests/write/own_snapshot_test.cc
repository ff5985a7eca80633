// evt_snapshot: what a program copies of its own session.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class OwnSnapshot : public RingTest {
 protected:
  std::string at(const char* name) const { return folder / name; }
  // "" where it was taken.
  static std::string taken(const Writer& writer, const std::string& at, std::string* path = nullptr,
                           std::uint64_t before_ns = 0) {
    char made[512] = "";
    evt_error error;
    const evt_snapshot_options options = {sizeof options, made, sizeof made, before_ns, 0};
    const int code = evt_snapshot(writer.get(), at.c_str(), &options, &error);
    EXPECT_EQ(code, error.code);
    if (path != nullptr) *path = made;
    return code == 0 ? "" : error.message;
  }
  // A trace that is whole and closed.
  static Trace open_whole(const std::string& path) {
    auto trace = Trace::open(path, {.check_index = true});
    if (!trace) throw std::runtime_error(trace.status().message());
    EXPECT_EQ(trace->status().message(), "") << path;
    EXPECT_TRUE(trace->sessions().front().closed) << path;
    EXPECT_EQ(trace->sessions().front().ring, RingState::kNone);
    return *std::move(trace);
  }
  Writer open_rotated() const {
    evt_options with = {};
    with.rotate_bytes = 1 << 20;
    with.keep_bytes = 4 << 20;
    with.full_wait_ms = EVT_WAIT_FOR_EVER;
    auto writer = Writer::open(folder / "app.%n.evt", with);
    if (!writer) throw std::runtime_error(writer.status().message());
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
};

TEST_F(OwnSnapshot, HasAllThatWasRecordedBefore) {
  Writer writer = open();
  const auto types = writer.declare<Tick, Note>();
  Stream stream = writer.stream("a");
  emit_ticks(stream, writer.declare<Tick>(), 0, 60);
  stream.emit(types, Note{"here"});
  EXPECT_EQ(taken(writer, at("x.evt")), "");
  emit_ticks(stream, writer.declare<Tick>(), 60, 70);
  Trace snapshot = open_whole(at("x.evt"));
  EXPECT_EQ(ticks_in(snapshot), numbers(0, 60));
  const Session& session = snapshot.sessions().front();
  const Trace whole = open_file(path);
  EXPECT_EQ(session.origins, std::vector{whole.sessions()[0].uuid});
  EXPECT_NE(session.uuid, whole.sessions()[0].uuid);
  EXPECT_EQ(session.program, "test");
  EXPECT_EQ(session.ring_name, "");
  EXPECT_EQ(session.not_kept, 0u);
  struct stat status = {};
  ASSERT_EQ(stat(at("x.evt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(ticks_in(path), numbers(0, 70));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "x.evt"}));
}

TEST_F(OwnSnapshot, ReplacesNoPipeDeviceOrSocket) {
  Writer writer = open();
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(taken(writer, at("pipe")), "cannot write " + at("pipe") + ": expected a file or no such name");
  struct stat there = {};
  ASSERT_EQ(lstat(at("pipe").c_str(), &there), 0);
  EXPECT_TRUE(S_ISFIFO(there.st_mode));
  // A link is not followed.
  ASSERT_EQ(symlink(at("pipe").c_str(), at("link").c_str()), 0);
  EXPECT_EQ(taken(writer, at("link")), "");
  ASSERT_EQ(lstat(at("link").c_str(), &there), 0);
  EXPECT_TRUE(S_ISREG(there.st_mode));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "link", "pipe"}));
}

// A session of a megabyte repeats its metadata at its end.
TEST_F(OwnSnapshot, RepeatsItsMetadata) {
  Writer writer = open();
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 100'000);
  EXPECT_EQ(taken(writer, at("x.evt")), "");
  std::string bytes = read_file(at("x.evt"));
  Trace snapshot = open_whole(at("x.evt"));
  EXPECT_EQ(ticks_in(snapshot), numbers(0, 100'000));
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(OwnSnapshot, StatesWhatWasNotKept) {
  Writer writer = open_rotated();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  for (std::uint32_t n = 0; n < 1'000'000; n += 10'000) {
    emit_ticks(stream, types, n, n + 10'000);
    evt_flush(writer.get());
  }
  std::string made;
  EXPECT_EQ(taken(writer, at("s.%n.evt"), &made), "");
  EXPECT_EQ(made, std::filesystem::canonical(folder.path()).string() + "/s.000000.evt");
  Trace snapshot = open_whole(made);
  const std::vector<std::uint32_t> ticks = ticks_in(snapshot);
  ASSERT_FALSE(ticks.empty());
  EXPECT_GT(ticks.front(), 0u);
  EXPECT_EQ(ticks, numbers(ticks.front(), 1'000'000));
  EXPECT_GE(snapshot.sessions().front().not_kept, ticks.front());
  EXPECT_TRUE(writer.close().ok());
}

// Blocks of 10,000 ticks, of 1 ns each; the clock is also read by the writer.
TEST_F(OwnSnapshot, LeavesOutWhatIsOlder) {
  Writer writer = open();
  const auto types = writer.declare<Tick, Note>();
  Stream stream = writer.stream("a");
  writer.stream("b").emit(types, Note{"early"});
  for (std::uint32_t n = 0; n < 100'000; n += 10'000) {
    emit_ticks(stream, writer.declare<Tick>(), n, n + 10'000);
    evt_flush(writer.get());
  }
  EXPECT_EQ(taken(writer, at("part.evt"), nullptr, 25'000), "");
  EXPECT_EQ(taken(writer, at("all.evt"), nullptr, 1'000'000), "");
  EXPECT_EQ(taken(writer, at("none.evt"), nullptr, 1), "");
  Trace all = open_whole(at("all.evt"));
  EXPECT_EQ(ticks_in(all), numbers(0, 100'000));
  EXPECT_EQ(all.sessions()[0].not_kept, 0u);
  Trace part = open_whole(at("part.evt"));
  const std::vector<std::uint32_t> ticks = ticks_in(part);
  ASSERT_FALSE(ticks.empty());
  EXPECT_GT(ticks.front(), 10'000u);
  EXPECT_LE(ticks.front(), 76'000u);
  EXPECT_EQ(ticks, numbers(ticks.front(), 100'000));
  EXPECT_EQ(part.sessions()[0].not_kept, ticks.front() + 1);
  EXPECT_EQ(part.sessions()[0].lost, 0u);
  Trace none = open_whole(at("none.evt"));
  EXPECT_EQ(none.sessions()[0].rows + none.sessions()[0].not_kept, 100'001u);
  EXPECT_EQ(writer.close().message(), "");
}

TEST_F(OwnSnapshot, OfSegmentsLeavesOutWhatIsOlder) {
  Writer writer = open_rotated();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  for (std::uint32_t n = 0; n < 600'000; n += 10'000) {
    emit_ticks(stream, types, n, n + 10'000);
    evt_flush(writer.get());
  }
  EXPECT_EQ(taken(writer, at("all.evt"), nullptr, 3'600'000'000'000), "");
  EXPECT_EQ(taken(writer, at("none.evt"), nullptr, 1), "");
  Trace all = open_whole(at("all.evt"));
  Trace none = open_whole(at("none.evt"));
  EXPECT_GT(all.sessions()[0].rows, 100'000u);
  EXPECT_EQ(none.sessions()[0].rows, 0u);
  EXPECT_EQ(all.sessions()[0].rows + all.sessions()[0].not_kept, none.sessions()[0].not_kept);
  EXPECT_EQ(writer.close().message(), "");
}

TEST_F(OwnSnapshot, WaitsForWhatComesAfter) {
  Writer writer = open();
  std::atomic<int> code = -1;
  std::thread other([&, of = writer.get()] {
    const evt_snapshot_options options = {sizeof options, nullptr, 0, 0, 3'600'000'000'000};
    evt_error error;
    do code = evt_snapshot(of, at("x.evt").c_str(), &options, &error);
    while (code == EVT_CODE_BUSY);
    if (error.message != std::string("the session was closed before the snapshot was taken")) code = -2;
  });
  // It has begun when nobody else may.
  while (taken(writer, at("y.evt")).empty()) std::this_thread::yield();
  EXPECT_EQ(taken(writer, at("y.evt")), "another snapshot is being taken: " + at("x.evt"));
  EXPECT_EQ(writer.close().message(), "");
  other.join();
  EXPECT_EQ(code, EVT_CODE_CLOSED);
}

// Of a program that was compiled with other headers.
TEST_F(OwnSnapshot, TakesOptionsOfOtherVersions) {
  Writer writer = open();
  char made[512] = "";
  struct {
    evt_snapshot_options known;
    std::uint64_t more;
  } options = {{offsetof(evt_snapshot_options, before_ns), made, sizeof made, 77, 3'600'000'000'000}, 1};
  evt_error error;
  EXPECT_EQ(evt_snapshot(writer.get(), at("x.evt").c_str(), &options.known, &error), EVT_OK) << error.message;
  EXPECT_EQ(made, at("x.evt"));
  EXPECT_EQ(writer.notices(), "");
  options.known = {sizeof options, made, sizeof made, 0, 0};
  EXPECT_EQ(evt_snapshot(writer.get(), at("y.evt").c_str(), &options.known, &error), EVT_OK) << error.message;
  EXPECT_EQ(writer.notices(),
            fmt::format("evt_snapshot_options has {} bytes, of which this library knows {}: the others "
                        "are not 0, and are left out\n",
                        sizeof options, sizeof options.known));
  EXPECT_EQ(writer.close().message(), "");
}

// Each thread has a snapshot, or hears of the one that is taken; others record meanwhile, and files change.
TEST_F(OwnSnapshot, IsTakenByOneThreadAtATime) {
  Writer writer = open_rotated();
  std::atomic<bool> stop = false;
  const auto types = writer.declare<Tick>();
  std::thread busy([&] {
    Stream stream = writer.stream("a");
    for (std::uint32_t n = 0; !stop; ++n) stream.emit(types, Tick{n});
  });
  std::atomic<int> refused = 0;
  const auto take_some = [&] {
    for (int i = 0; i < 10; ++i) {
      std::string made;
      const std::string message = taken(writer, at("s.%n.evt"), &made);
      if (!message.empty()) {
        EXPECT_EQ(message, "another snapshot is being taken: " + at("s.%n.evt"));
        ++refused;
        continue;
      }
      Trace snapshot = open_whole(made);
      const std::vector<std::uint32_t> ticks = ticks_in(snapshot);
      if (ticks.empty()) continue;
      EXPECT_EQ(ticks, numbers(ticks.front(), ticks.back() + 1)) << made;
    }
  };
  std::thread other(take_some);
  take_some();
  other.join();
  stop = true;
  busy.join();
  EXPECT_LT(refused, 20);
  EXPECT_EQ(writer.close().message(), "");
}

TEST_F(OwnSnapshot, IsRefusedWhereThereIsNothingToCopy) {
  Writer writer = open();
  std::filesystem::create_hard_link(path, at("b.evt"));
  EXPECT_EQ(taken(writer, at("b.evt")), "the snapshot would replace the trace itself");
  EXPECT_EQ(taken(writer, at("none/x.evt")),
            fmt::format("cannot write {}: No such file or directory", at("none/x.evt")));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(taken(writer, at("x.evt")), "the session is closed, or another process's");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Writer piped = *Writer::open(ends[1], options());
  EXPECT_EQ(taken(piped, at("x.evt")), "the session is not written to a file of a known path: there is none to copy");
  EXPECT_TRUE(piped.close().ok());
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(evt_snapshot(nullptr, at("x.evt").c_str(), nullptr, nullptr), EVT_CODE_CLOSED);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "b.evt"}));
}

TEST_F(OwnSnapshot, IsRefusedInAForkChild) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  Writer writer = open();
  const int status = in_child([&] {
    if (taken(writer, at("x.evt")) != "the session is closed, or another process's") _exit(1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(OwnSnapshot, LeavesNothingOnAFullDisk) {
  Writer writer = open();
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 100'000);
  evt_flush(writer.get());
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit = {100'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string message = taken(writer, at("s.%n.evt"));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(message, "cannot write the snapshot: File too large");
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt"}));
  EXPECT_TRUE(writer.close().ok());
}

}  // namespace
}  // namespace evt::testing
