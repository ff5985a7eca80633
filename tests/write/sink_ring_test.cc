// Sinks that fail, block or come back, behind a flusher: reported once, counted, and what was taken is a trace.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <thread>

#include "write/gate.h"
#include "write/reported_error.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class SinkOfRing : public RingTest {
 protected:
  evt_options telling() {
    evt_options with = options();
    with.on_error = &ReportedError::tell;
    with.on_error_context = &reported;
    return with;
  }
  ReportedError reported;
};

TEST_F(SinkOfRing, ThatFailsIsToldOnceAndReportedByClose) {
  for (std::size_t works = 2; works < 8; ++works) {
    SCOPED_TRACE(works);
    Sink blocks(works);
    reported.times = 0;
    auto writer = Writer::open(&Sink::take, &blocks, telling());
    ASSERT_TRUE(writer.ok());
    const auto types = writer->declare<Tick>();
    Stream a = writer->stream("a");
    for (std::uint32_t n = 0; n < 10; ++n) {
      a.emit(types, Tick{n});
      a.flush();
    }
    const Status closed = writer->close();
    EXPECT_EQ(closed.code(), Code::kIo);
    EXPECT_EQ(closed.message(), kNoSpace);
    EXPECT_EQ(reported.times, 1);
    EXPECT_EQ(reported.message, kNoSpace);
    EXPECT_EQ(blocks.calls(), works + 1) << "is not asked again";
    const std::string bytes = blocks.bytes();
    Trace trace = open_trace(bytes);
    EXPECT_EQ(trace.status().code(), Code::kTruncated);
    EXPECT_TRUE(trace.damage().empty());
    const std::vector<std::uint32_t> came = ticks_in(trace);
    EXPECT_EQ(came, numbers(0, static_cast<std::uint32_t>(came.size())));
  }
}

TEST_F(SinkOfRing, ThatFailsLosesOnlyWhatIsCounted) {
  Gate gate(1, Sink::kEvents);
  auto writer = Writer::open(&Gate::take, &gate, telling());
  const auto types = writer->declare<Tick>();
  Stream a = writer->stream("a");
  Stream b = writer->stream("b");
  emit_ticks(a, types, 0, 10);
  a.flush();
  gate.shut();
  emit_ticks(a, types, 10, 2'000);
  emit_ticks(b, types, 0, 7);
  gate.open();
  a.flush();
  evt_writer* const raw = writer->get();
  EXPECT_EQ(writer->close().message(), kNoSpace);
  const evt_counts counts = evt_writer_counts(raw);
  const std::string bytes = gate.blocks.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(ticks_in(trace), numbers(0, 10));
  EXPECT_EQ(counts.events_written, 10u);
  EXPECT_EQ(counts.lost[EVT_LOST_SINK], 1'997u);
  EXPECT_EQ(counts.bytes_written, bytes.size());
}

TEST_F(SinkOfRing, ThatFailsSwitchesEveryStreamOff) {
  Sink blocks(2);
  auto writer = Writer::open(&Sink::take, &blocks, telling());
  const auto types = writer->declare<Tick>();
  Stream a = writer->stream("a");
  Stream b = writer->stream("b");
  b.emit(types, Tick{0});
  a.emit(types, Tick{0});
  a.flush();
  while (reported.times == 0) usleep(100);
  EXPECT_EQ(evt_begin(a.get(), types.get<Tick>().get()).p, nullptr);
  EXPECT_EQ(evt_begin(b.get(), types.get<Tick>().get()).p, nullptr);
  EXPECT_FALSE(writer->close().ok());
}

TEST_F(SinkOfRing, ThatFailsEndsAnyWait) {
  Gate gate;
  evt_options small = telling();
  small.ring_size = 16 << 10;
  struct Failing {
    Gate* gate;
    std::atomic<bool> fails{false};
    static int take(void* self, const void* bytes, std::size_t size) {
      auto& sink = *static_cast<Failing*>(self);
      const int result = Gate::take(sink.gate, bytes, size);
      return sink.fails ? EIO : result;
    }
  } sink{&gate};
  auto writer = Writer::open(&Failing::take, &sink, small);
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  gate.shut();
  std::thread producer([&] { emit_ticks(stream, types, 0, 100'000); });
  gate.wait_for_flusher();
  sink.fails = true;
  gate.open();
  producer.join();
  EXPECT_EQ(writer->close().message(), "cannot write the sink: Input/output error");
  EXPECT_EQ(reported.times, 1);
}

TEST_F(SinkOfRing, ThatFailsMayBeAnsweredByClosingTheSession) {
  struct Context {
    evt_writer* writer = nullptr;
    std::atomic<int> reported{0};
    std::atomic<int> closed{-1};
  } context;
  for (int round = 0; round < 10; ++round) {
    context.reported = 0;
    context.closed = -1;
    Sink blocks(2);
    evt_options closing = options();
    closing.on_error = [](void* self, const evt_error*) {
      auto& mine = *static_cast<Context*>(self);
      ++mine.reported;
      mine.closed = evt_close(mine.writer, nullptr);
    };
    closing.on_error_context = &context;
    context.writer = evt_open_sink(&Sink::take, &blocks, &closing, nullptr);
    const RuntimeType type("tick", {EVT_FIELD_U32("n")});
    const TypeHandle tick(evt_declare(context.writer, &type.type, nullptr));
    Stream stream(evt_stream_open(context.writer, "a"));
    for (std::uint32_t n = 0; n < 5'000; ++n) stream.emit_with(tick, [&](RowBuilder& row) { row.add(n); });
    stream.flush();
    while (context.closed < 0) usleep(100);
    EXPECT_EQ(context.reported, 1);
    EXPECT_EQ(context.closed, EVT_CODE_IO);
    EXPECT_EQ(evt_close(context.writer, nullptr), EVT_CODE_CLOSED);
    stream.emit_with(tick, [](RowBuilder& row) { row.add(1u); });
  }
}

// The other end of a pipe, which takes what comes with the given pauses.
std::string read_slowly(int fd, int pause_us) {
  std::string all;
  char some[1'024];
  for (ssize_t n = 0; (n = read(fd, some, sizeof some)) > 0;) {
    all.append(some, static_cast<std::size_t>(n));
    usleep(static_cast<useconds_t>(pause_us));
  }
  close(fd);
  return all;
}

TEST_F(SinkOfRing, MayBeAPipeWithASlowReader) {
  for (const int flags : {0, O_NONBLOCK}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(fcntl(ends[1], F_SETFL, flags), 0);
    std::string bytes;
    std::thread reader([&] { bytes = read_slowly(ends[0], 100); });
    evt_options small = options();
    small.ring_size = 64 << 10;
    auto writer = Writer::open(ends[1], small);
    const auto types = writer->declare<Tick>();
    emit_ticks(writer->stream("a"), types, 0, 30'000);
    EXPECT_TRUE(writer->close().ok());
    close(ends[1]);
    reader.join();
    EXPECT_EQ(ticks_of(bytes), numbers(0, 30'000));
  }
}

TEST_F(SinkOfRing, MayBeAPipeThatIsClosed) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  auto writer = Writer::open(ends[1], telling());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  close(ends[0]);
  emit_ticks(stream, types, 0, 30'000);
  stream.flush();
  EXPECT_EQ(writer->close().message(), "cannot write descriptor " + std::to_string(ends[1]) + ": Broken pipe");
  EXPECT_EQ(reported.times, 1);
  close(ends[1]);
}

// Runs in a child, as the limit stays with its process. With it there is no shared memory either.
TEST_F(SinkOfRing, MayBeAFileThatReachesItsLimit) {
  EXPECT_EQ(in_child([&] {
              const rlimit limit = {20'000, 20'000};
              setrlimit(RLIMIT_FSIZE, &limit);
              Writer writer = open();
              emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10'000);
              if (writer.close().message() != "cannot write " + path + ": File too large") _exit(1);
            }),
            0);
  EXPECT_LE(read_file(path).size(), 20'000u);
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().code(), Code::kTruncated);
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kPrivate);
  const std::vector<std::uint32_t> came = ticks_in(trace);
  EXPECT_EQ(came, numbers(0, static_cast<std::uint32_t>(came.size())));
}

// A file system of 2 MiB, which only a child sees; false when this user may not have one.
bool mount_small(const std::string& at) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", at.c_str(), "tmpfs", 0, "size=2m") == 0;
}

TEST_F(SinkOfRing, MayBeFullForAWhile) {
  if (kThreadSanitizer) GTEST_SKIP() << "its memory does not go with other mounts";
  constexpr int kMayNot = 77;
  const int status = in_child([&] {
    if (!mount_small(folder.path())) _exit(kMayNot);
    const std::string ballast = folder.write("ballast", std::string(2'000'000, 'x'));
    Writer writer = *Writer::open(path, telling());
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    std::uint32_t n = 0;
    while (reported.times == 0) {
      emit_ticks(stream, types, n, n + 1'000);
      n += 1'000;
      usleep(1'000);
    }
    if (std::filesystem::file_size(path) == 0 || open_file(path, false).damage().size() > 0) _exit(2);
    std::filesystem::remove(ballast);
    emit_ticks(stream, types, n, n + 1'000);
    stream.flush();
    if (!writer.close().ok()) _exit(3);
    if (ticks_in(path) != numbers(0, n + 1'000)) _exit(4);
    if (reported.times != 1 || reported.message != "cannot write " + path + ": No space left on device") _exit(5);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) GTEST_SKIP() << "mounting is not allowed";
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

// What the file lacks stays in the ring, and is put there when there is room.
TEST_F(SinkOfRing, MayBeFullToTheEnd) {
  if (kThreadSanitizer) GTEST_SKIP() << "its memory does not go with other mounts";
  constexpr int kMayNot = 77;
  constexpr std::uint32_t kTicks = 100'000;
  const int status = in_child([&] {
    if (!mount_small(folder.path())) _exit(kMayNot);
    const std::string ballast = folder.write("ballast", std::string(2'000'000, 'x'));
    Writer writer = *Writer::open(path, telling());
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, kTicks);
    evt_writer* const raw = writer.get();
    const std::string closed = writer.close().message();
    Trace file = open_file(path, /*rings=*/false);
    const auto came = static_cast<std::uint32_t>(ticks_in(file).size());
    if (!file.damage().empty() || came == 0) _exit(1);
    const evt_counts counts = evt_writer_counts(raw);
    if (counts.events_written != came || counts.lost[EVT_LOST_SINK] != 0 || reported.times != 1) _exit(2);
    if (closed != "cannot write " + path + ": No space left on device; " + std::to_string(kTicks - came) +
                      " rows are still in its ring: `evt check --recover` puts them into the file") {
      _exit(3);
    }
    if (ticks_in(path) != numbers(0, kTicks)) _exit(4);
    std::filesystem::remove(ballast);
    const std::string ring = ring_path(file.sessions()[0]);
    if (!std::filesystem::exists(ring) || !open(path).close().ok() || std::filesystem::exists(ring)) _exit(5);
    if (ticks_in(folder / "a.20260101T000000.evt") != numbers(0, kTicks)) _exit(6);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) GTEST_SKIP() << "mounting is not allowed";
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

}  // namespace
}  // namespace evt::testing
