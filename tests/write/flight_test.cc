// A flight recorder: the last events of a session, in segments beside its ring until it is closed.
#include "write/flight.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <thread>

#include "support/sanitizer.h"

namespace evt::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Flight, KeepsTheLastEventsWithinItsBudget) {
  constexpr std::uint64_t kFlight = 16 * kMiB;
  Writer writer = start(flight_of(kFlight));
  EXPECT_EQ(segments().size(), 1u) << "it begins at once";
  std::atomic<bool> ends = false;
  std::uint64_t most = 0;
  std::thread sampler([&] {
    while (!ends) {
      most = std::max(most, bytes());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  const auto types = writer.declare<Tick>();
  const Stream stream = writer.stream("a");
  emit_in_steps(writer, stream, types, 0, 3'000'000);
  ASSERT_NO_FATAL_FAILURE(expect_the_last(3'000'000));
  Trace first = open_file(path, false);
  EXPECT_EQ(first.sessions()[0].rows, 0u);
  EXPECT_TRUE(first.sessions()[0].goes_on);
  EXPECT_EQ(writer.close().message(), "");
  ends = true;
  sampler.join();
  EXPECT_LT(most, kFlight + (256 << 10));
  EXPECT_EQ(count(), 0u);
  EXPECT_THAT(files(), ElementsAre("a.evt", "rings"));
  EXPECT_GE(std::filesystem::file_size(path), kFlight / 8 * 7);
  Trace trace = open_file(path);
  ASSERT_NO_FATAL_FAILURE(expect_the_last(trace, 3'000'000));
  EXPECT_TRUE(trace.sessions()[0].closed);
  EXPECT_EQ(trace.sessions()[0].streams[0].name, "a") << "names stay, whatever goes";
}

TEST_F(Flight, MayBeInAFolder) {
  auto opened = Writer::open(folder / "app.%n.evt", flight_of(4 * kMiB));
  ASSERT_TRUE(opened.ok());
  emit_in_steps(*opened, opened->stream("a"), opened->declare<Tick>(), 0, 600'000);
  EXPECT_THAT(segments(), ElementsAre());
  EXPECT_EQ(opened->close().message(), "");
  std::uint64_t sum = 0;
  for (const std::string& name : files()) {
    if (name.starts_with("app.")) sum += std::filesystem::file_size(folder / name);
  }
  EXPECT_LT(sum, 4 * kMiB + (256 << 10));
  EXPECT_GT(sum, 2 * kMiB);
}

TEST_F(Flight, OfAFewEventsIsAnOrdinaryTrace) {
  Writer writer = start(flight_of(2 * kMiB));
  EXPECT_EQ(writer.notices(), "");
  EXPECT_EQ(evt_writer_path(writer.get()), path);
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
  EXPECT_EQ(open_file(path).sessions()[0].not_kept, 0u);
  struct stat facts;
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0600u);
}

TEST_F(Flight, KeepsNothingThatIsTooOldButItsLastSegment) {
  Writer writer = start(flight_of(64 * kMiB, 160'000'000));
  const auto types = writer.declare<Tick>();
  const Stream stream = writer.stream("a");
  std::uint32_t emitted = 0;
  while (segments().size() < 3) {
    emit_ticks(stream, types, emitted, emitted + 1);
    ++emitted;
    writer.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  while (segments().size() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_EQ(segments().size(), 1u);
  EXPECT_EQ(writer.close().message(), "");
  ASSERT_NO_FATAL_FAILURE(expect_the_last(emitted));
}

// The segments that it wrote itself have the age that its clock shows, whatever time their files have.
TEST_F(Flight, IsNotDeletedByAClockThatJumps) {
  Writer writer = start(flight_of(64 * kMiB, 3'600'000'000'000));
  emit_in_steps(writer, writer.stream("a"), writer.declare<Tick>(), 0, 800'000);
  const Names before = segments();
  ASSERT_GT(before.size(), 2u);
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  for (const std::string& each : before) ASSERT_EQ(utimensat(AT_FDCWD, each.c_str(), long_ago, 0), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_EQ(segments(), before);
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(ticks_in(path), numbers(0, 800'000));
}

TEST_F(Flight, OfAThousandSegmentsTakesNoMoreMemory) {
  Writer writer = start(flight_of(64 * kMiB, 16'000'000));  // a segment lasts 1 ms
  const auto types = writer.declare<Tick>();
  const Stream stream = writer.stream("a");
  const auto number_of_last = [&] { return std::stoul(segments().back().substr(segments().back().size() - 10)); };
  std::uint32_t emitted = 0;
  const auto record_until = [&](std::size_t number) {
    while (number_of_last() < number) {
      for (int i = 0; i < 20; ++i) {
        emit_ticks(stream, types, emitted, emitted + 1);
        ++emitted;
        writer.flush();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  };
  record_until(300);
  const std::uint64_t before = bytes_in_use();
  record_until(1300);
  EXPECT_LT(bytes_in_use(), before + kMiB);
  EXPECT_EQ(writer.close().message(), "");
  ASSERT_NO_FATAL_FAILURE(expect_the_last(emitted));
}

TEST_F(Flight, LeavesItsSegmentsToItsForkChildsParent) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads have threads";
  Writer writer = start(flight_of(2 * kMiB));
  const auto types = writer.declare<Tick>();
  const Stream stream = writer.stream("a");
  emit_in_steps(writer, stream, types, 0, 400'000);
  const int status = in_child([&] {
    emit_ticks(stream, types, 0, 1000);
    evt_flush(writer.get());
    Writer own = start(flight_of(2 * kMiB));
    emit_ticks(own.stream("a"), own.declare<Tick>(), 0, 10);
    if (!own.close().ok()) _exit(1);
    evt_close(writer.get(), nullptr);
  });
  EXPECT_EQ(status, 0);
  emit_in_steps(writer, stream, types, 400'000, 500'000);
  EXPECT_EQ(writer.close().message(), "");
  ASSERT_NO_FATAL_FAILURE(expect_the_last(500'000));
  EXPECT_EQ(count(), 0u);
}

TEST_F(Flight, OfAStoppedProgramIsRead) {
  auto* const emitted = shared<std::atomic<std::uint32_t>>();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Writer writer = start(flight_of(2 * kMiB));
    emit_in_steps(writer, writer.stream("a"), writer.declare<Tick>(), 0, 400'000);
    *emitted = 400'000;
    raise(SIGSTOP);
    _exit(writer.close().ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expect_the_last(*emitted));
  kill(child, SIGCONT);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Flight, OfAKilledProgramIsReadAndPutIntoOneFile) {
  killed_after([&] {
    auto* const writer = new Writer(start(flight_of(2 * kMiB)));
    const Stream stream = writer->stream("a");
    const auto types = writer->declare<Tick>();
    emit_in_steps(*writer, stream, types, 0, 400'000);
    emit_ticks(stream, types, 400'000, 401'000);
  });
  ASSERT_NO_FATAL_FAILURE(expect_the_last(401'000));
  const std::string old = put_away();
  Trace trace = open_file(old, false);
  ASSERT_NO_FATAL_FAILURE(expect_the_last(trace, 401'000));
  EXPECT_THAT(files(), ElementsAre("a." + std::filesystem::path(old).filename().string().substr(2), "a.evt", "rings"));
}

TEST_F(Flight, OfKilledProgramsIsKeptForTheLastFourWhoseTraceIsGone) {
  Names left;  // one segment of each, the oldest program first
  for (int i = 0; i < 6; ++i) {
    const std::string at = folder / fmt::format("{}.evt", i);
    killed_after([&] {
      auto* const writer = new Writer(*Writer::open(at, flight_of(2 * kMiB)));
      emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
    });
    for (const std::string& each : segments()) {
      if (std::find(left.begin(), left.end(), each) == left.end()) left.push_back(each);
    }
    if (i > 0) std::filesystem::remove(at);
  }
  ASSERT_EQ(left.size(), 6u);
  next_program();
  left.erase(left.begin() + 1);
  std::sort(left.begin(), left.end());
  EXPECT_EQ(segments(), left);
  EXPECT_EQ(count(), 10u) << "a ring for each";
  EXPECT_EQ(ticks_in(folder / "0.evt"), numbers(0, 10));
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  for (const std::string& each : left) ASSERT_EQ(utimensat(AT_FDCWD, each.c_str(), long_ago, 0), 0);
  next_program();
  EXPECT_EQ(segments().size(), 1u) << "that of a trace that is there";
  EXPECT_EQ(ticks_in(folder / "0.evt"), numbers(0, 10));
}

TEST_F(Flight, WithoutRoomForItsFileStaysWhereItIs) {
  const int status = in_child([&] {
    Writer writer = start(flight_of(16 * kMiB));
    emit_in_steps(writer, writer.stream("a"), writer.declare<Tick>(), 0, 800'000);
    const rlimit small = {4 * kMiB, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = writer.close().message();
    const std::string expected = "cannot put the events into " + path + ": File too large: they stay in " + rings +
                                 ", where readers of it find them";
    _exit(message == expected ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(count(), segments().size()) << "there is no ring";
  EXPECT_THAT(files(), ElementsAre("a.evt", "rings"));
  ASSERT_NO_FATAL_FAILURE(expect_the_last(800'000));
  const std::string old = put_away();
  Trace trace = open_file(old, false);
  ASSERT_NO_FATAL_FAILURE(expect_the_last(trace, 800'000));
}

TEST_F(Flight, ThatCannotBeIsRefused) {
  const auto with = [](auto change) {
    evt_options options = flight_of(2 * kMiB);
    change(options);
    return options;
  };
  EXPECT_EQ(refusal(path, flight_of(2 * kMiB - 1)),
            "a flight recorder of 2097151 bytes is too small: expected 2097152 at least");
  EXPECT_EQ(refusal(path, flight_of(0, 1)),
            "age is that of a flight recorder: expected flight with it, such as flight=64M,age=5m");
  EXPECT_EQ(refusal(folder / "app.%n.evt", with([](evt_options& o) { o.keep_bytes = 2 * kMiB; })),
            "flight and rotate or keep exclude one another: a flight recorder has files of its own");
  EXPECT_EQ(refusal(path, with([](evt_options& o) { o.append = 1; })),
            "append and flight exclude one another: a flight recorder has files of its own");
  EXPECT_EQ(refusal(path, with([](evt_options& o) { o.flush_inline = 1; })),
            "rotate, keep and flight need a thread that writes the trace, and there is none");
  EXPECT_EQ(Writer::open(1, flight_of(2 * kMiB)).status().message(),
            "flight: expected the path of a file, such as app.evt, found a descriptor");
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(refusal(fifo, flight_of(2 * kMiB)), "flight: expected the path of a file, such as app.evt, found " + fifo);
  ::close(reader);
  EXPECT_EQ(refusal(folder / "none/app.evt", flight_of(2 * kMiB)),
            "cannot write " + folder.path() + "/none/app.evt: No such file or directory");
  EXPECT_THAT(files(), ElementsAre("fifo", "rings"));
  EXPECT_EQ(count(), 0u);
}

// --- A runtime describes its state again.

struct Runtime {
  std::optional<Types<Tick>> types;
  std::uint32_t state = 0;
  std::atomic<std::uint32_t> calls = 0;
};

TEST_F(Flight, LetsARuntimeDescribeItsStateInEachSegment) {
  constexpr std::uint32_t kState = 1'000'000'000;
  Runtime runtime;
  evt_options options = flight_of(4 * kMiB);
  options.on_segment = [](void* context, evt_writer*, evt_stream* stream) {
    auto& of = *static_cast<Runtime*>(context);
    for (std::uint32_t i = 0; i < 5'000; ++i) Stream(stream).emit(*of.types, Tick{kState + i});
    ++of.calls;
  };
  options.on_segment_context = &runtime;
  Writer writer = start(options);
  runtime.types = writer.declare<Tick>();
  emit_in_steps(writer, writer.stream("a"), *runtime.types, 0, 600'000);
  Names all = segments();
  ASSERT_GE(all.size(), 3u);
  for (const std::string& each : all) {
    Trace segment = open_file(each, false);
    std::vector<std::uint32_t> states;
    for (const std::uint32_t n : ticks_in(segment)) {
      if (n >= kState) states.push_back(n);
    }
    EXPECT_TRUE(states == numbers(kState, kState + 5'000)) << each << " has " << states.size();
  }
  EXPECT_EQ(std::stoul(all.back().substr(all.back().size() - 10)), runtime.calls + 1);
  const std::uint32_t calls = runtime.calls;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(runtime.calls, calls) << "an idle program begins no segment";
  EXPECT_EQ(writer.close().message(), "");
}

// It fills its segments alone otherwise.
TEST_F(Flight, MakesSegmentsLargerIfTheStateIs) {
  Runtime runtime;
  evt_options options = flight_of(16 * kMiB);
  options.on_segment = [](void* context, evt_writer*, evt_stream* stream) {
    auto& of = *static_cast<Runtime*>(context);
    for (std::uint32_t i = 0; i < 50'000; ++i) Stream(stream).emit(*of.types, Tick{i});
    ++of.calls;
  };
  options.on_segment_context = &runtime;
  Writer writer = start(options);
  runtime.types = writer.declare<Tick>();
  emit_in_steps(writer, writer.stream("a"), *runtime.types, 0, 1'000'000);
  EXPECT_GE(runtime.calls, 1u);
  EXPECT_LE(runtime.calls, 5u);
  EXPECT_EQ(writer.close().message(), "");
}

class FlightInLittleMemory : public Flight {
 protected:
  FlightInLittleMemory() { unsetenv("EVTRACE_RING_DIR"); }
};

TEST_F(FlightInLittleMemory, IsRefusedWithoutARingThere) {
  if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  const auto in = [&](const char* size, bool read_only, const std::string& expected) {
    return in_child([&] {
      if (!mount_memory("/dev/shm", size, read_only)) _exit(2);
      const std::string found = refusal(path, flight_of(4 * kMiB));
      if (found != expected) fprintf(stderr, "found %s\n", found.c_str());
      _exit(found == expected ? 0 : 1);
    });
  };
  EXPECT_EQ(in("size=64m", true, "a flight recorder needs a ring in shared memory, and there is none"), 0);
  EXPECT_THAT(files(), ElementsAre("rings"));
}

// As in a container. The rest of the memory is another program's.
TEST_F(FlightInLittleMemory, KeepsLessAndSaysSo) {
  if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  const int status = in_child([&] {
    if (!mount_memory("/dev/shm", "size=64m")) _exit(2);
    Writer writer = start(flight_of(64 * kMiB));
    const std::string at_open = writer.notices();
    const Stream stream = writer.stream("a");
    const auto types = writer.declare<Tick>();
    emit_in_steps(writer, stream, types, 0, 3'000'000);
    const int other = ::open("/dev/shm/other", O_CREAT | O_WRONLY, 0600);
    for (off_t size = 0; posix_fallocate(other, size, 64 << 10) == 0;) size += 64 << 10;
    emit_in_steps(writer, stream, types, 3'000'000, 6'000'000);
    const std::string closing = writer.close().message();
    const std::string all = writer.notices();
    const bool is_right =
        at_open.starts_with("the flight recorder keeps 4") &&
        at_open.find(" MiB: /dev/shm has no room for more\n") != std::string::npos && closing.empty() &&
        all.find("the flight recorder has less room: No space left on device: it keeps less\n") != std::string::npos;
    if (!is_right) fprintf(stderr, "%s; %s; %s\n", at_open.c_str(), closing.c_str(), all.c_str());
    _exit(is_right ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  ASSERT_NO_FATAL_FAILURE(expect_the_last(6'000'000));
  EXPECT_GT(std::filesystem::file_size(path), kMiB);
}

}  // namespace
}  // namespace evt::testing
