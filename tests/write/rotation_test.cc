// A trace in numbered files within a budget: rotate and keep.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "libtrace-write/src/old_ring.h"
#include "write/killed_at_call.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using Names = std::vector<std::string>;

constexpr std::uint64_t kRotate = 1 << 20;  // 87,000 ticks
constexpr std::uint64_t kHour = 3'600'000'000'000;

class Rotation : public RingTest {
 protected:
  const std::string pattern_ = folder.path() + "/app.%n.evt";

  // In the order of their numbers.
  Names files() const {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  Names traces() const {
    Names paths;
    for (const std::string& name : files()) {
      if (name.starts_with("app.") && name.ends_with(".evt")) paths.push_back(folder / name);
    }
    return paths;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    std::error_code gone;
    for (const std::string& each : traces()) {
      const std::uintmax_t size = std::filesystem::file_size(each, gone);
      sum += gone ? 0 : size;
    }
    return sum;
  }
  Trace open_all(bool rings = true) const {
    ReadOptions options;
    options.rings = rings;
    auto trace = Trace::open(traces(), options);
    if (!trace) throw std::runtime_error(trace.status().message());
    return *std::move(trace);
  }
  Writer start(std::uint64_t rotate, std::uint64_t keep) const {
    evt_options options = {};
    options.rotate_bytes = rotate;
    options.keep_bytes = keep;
    return open_with(options);
  }
  Writer open_with(const evt_options& options) const {
    auto writer = Writer::open(pattern_, options);
    if (!writer) throw std::runtime_error(writer.status().message());
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
  // A session of one file with ten ticks.
  void record_briefly(const char* program = nullptr) const {
    evt_session_info session = {};
    session.program = program;
    evt_options options = {};
    options.session = &session;
    Writer writer = open_with(options);
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
    EXPECT_EQ(writer.close().message(), "");
  }
  std::string refusal(const std::string& at, const evt_options& options) const {
    const auto writer = Writer::open(at, options);
    return writer.ok() ? "none" : writer.status().message();
  }
};

// Emits ticks, and waits now and then until they are in the file: else one write may have more than a file is to have.
void emit_slowly(const Writer& writer, Stream stream, const Types<Tick>& types, std::uint32_t begin,
                 std::uint32_t end) {
  for (std::uint32_t n = begin; n < end; n += 10'000) {
    emit_ticks(stream, types, n, std::min(n + 10'000, end));
    evt_flush(writer.get());
  }
}

TEST_F(Rotation, GivesNumberedFilesThatAreTheSessionTogether) {
  Writer writer = start(kRotate, 0);
  emit_slowly(writer, writer.stream("a"), writer.declare<Tick>(), 0, 500'000);
  EXPECT_EQ(writer.close().message(), "");
  const Names paths = traces();
  ASSERT_GT(paths.size(), 4u);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(paths[i], folder / fmt::format("app.{:06}.evt", i));
    EXPECT_LT(std::filesystem::file_size(paths[i]), kRotate + (16 << 10)) << paths[i];
    EXPECT_EQ(open_file(paths[i]).status().message(), "");
  }
  Trace trace = open_all();
  EXPECT_EQ(ticks_in(trace), numbers(0, 500'000));
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_TRUE(trace.sessions()[0].closed);
  EXPECT_EQ(trace.sessions()[0].last_segment, paths.size() - 1);
}

TEST_F(Rotation, KeepsTheLastFilesWithinItsBudget) {
  constexpr std::uint64_t kKeep = 4 * kRotate;
  std::atomic<bool> ends = false;
  std::uint64_t most = 0;
  std::thread sampler([&] {
    while (!ends) {
      most = std::max(most, bytes());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  Writer writer = start(kRotate, kKeep);
  emit_slowly(writer, writer.stream("a"), writer.declare<Tick>(), 0, 1'000'000);
  EXPECT_EQ(writer.close().message(), "");
  ends = true;
  sampler.join();
  EXPECT_LT(most, kKeep + kRotate + (16 << 10));
  EXPECT_GE(bytes(), kKeep - kRotate) << "it deletes no more than it has to";
  Trace trace = open_all();
  const std::vector<std::uint32_t> kept = ticks_in(trace);
  EXPECT_EQ(kept, numbers(1'000'000 - static_cast<std::uint32_t>(kept.size()), 1'000'000));
  EXPECT_EQ(trace.sessions()[0].not_kept, 1'000'000 - kept.size());
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(trace.sessions()[0].streams[0].name, "a") << "names stay, whatever goes";
}

TEST_F(Rotation, NumbersTheRunsOfAProgram) {
  for (int i = 0; i < 3; ++i) record_briefly();
  EXPECT_THAT(files(), ElementsAre("app.000000.evt", "app.000001.evt", "app.000002.evt"));
  std::filesystem::remove(folder / "app.000001.evt");
  folder.write("app.1999999.evt", "");
  folder.write("app.12.evt", "no number of six digits");
  record_briefly();
  EXPECT_TRUE(std::filesystem::exists(folder / "app.2000000.evt"));
}

TEST_F(Rotation, NumbersRunsWithoutAThreadToo) {
  evt_options options = {};
  options.flush_inline = 1;
  for (int i = 0; i < 2; ++i) {
    Writer writer = open_with(options);
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
    EXPECT_EQ(writer.close().message(), "");
  }
  EXPECT_THAT(files(), ElementsAre("app.000000.evt", "app.000001.evt"));
}

TEST_F(Rotation, DeletesFinishedRunsOfItsProgramAlone) {
  record_briefly("other");                                          // 0
  record_briefly();                                                 // 1: goes
  folder.write("app.000002.evt", "mine");                           // no trace
  const std::string elsewhere = folder.write("elsewhere.evt", "");  // a link to it
  std::filesystem::copy_file(folder / "app.000001.evt", elsewhere, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::create_symlink(elsewhere, folder / "app.000003.evt");
  std::filesystem::create_directory(folder / "app.000004.evt");
  record_briefly();  // 5: goes
  Writer living = start(kRotate, 0);
  emit_slowly(living, living.stream("a"), living.declare<Tick>(), 0, 200'000);  // 6 and more
  const Names of_living = traces();
  evt_options options = {};
  options.rotate_bytes = kRotate;
  options.keep_bytes = 2 * kRotate;
  folder.write("app.000001.evt.bak", std::string(3 * kRotate, 'x'));
  std::filesystem::resize_file(folder / "app.000001.evt", 3 * kRotate);  // over the budget
  std::filesystem::resize_file(folder / "app.000005.evt", 3 * kRotate);
  EXPECT_EQ(open_with(options).close().message(), "");
  Names expected = of_living;
  std::erase(expected, folder / "app.000001.evt");
  std::erase(expected, folder / "app.000005.evt");
  Names after = traces();
  after.pop_back();  // its own
  EXPECT_EQ(after, expected);
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
  EXPECT_EQ(living.close().message(), "");
}

void set_age(const std::string& path, std::int64_t seconds) {
  const std::int64_t then = time(nullptr) - seconds;
  const timespec times[2] = {{then, 0}, {then, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(Rotation, DeletesWhatIsTooOld) {
  for (int i = 0; i < 3; ++i) record_briefly();
  set_age(folder / "app.000000.evt", 3 * 3600);
  set_age(folder / "app.000001.evt", 3 * 3600);
  set_age(folder / "app.000002.evt", 1800);
  evt_options options = {};
  options.keep_ns = kHour;
  EXPECT_EQ(open_with(options).close().message(), "");
  EXPECT_THAT(files(), ElementsAre("app.000002.evt", "app.000003.evt"));
}

TEST_F(Rotation, BeginsAFileAfterSomeTimeIfThereAreRows) {
  evt_options options = {};
  options.rotate_ns = 20'000'000;
  Writer writer = open_with(options);
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  std::uint32_t emitted = 0;
  for (std::size_t count = 2; count <= 3; ++count) {
    while (traces().size() < count) {
      emit_ticks(stream, types, emitted, emitted + 1);
      ++emitted;
      writer.flush();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  // The flusher may be late with the last rows.
  const auto begins_none = [this] {
    const Names idle = traces();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return traces() == idle;
  };
  int looks = 0;
  while (!begins_none() && looks < 20) ++looks;
  EXPECT_LT(looks, 20) << "an idle program begins no file";
  EXPECT_EQ(writer.close().message(), "");
  Trace trace = open_all();
  EXPECT_EQ(ticks_in(trace), numbers(0, emitted));
}

TEST_F(Rotation, OfTwoProgramsOnOnePatternHarmsNeither) {
  constexpr std::uint32_t kTicks = 300'000;
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    alarm(60);
    Writer writer = start(kRotate, 0);
    emit_slowly(writer, writer.stream("a"), writer.declare<Tick>(), 0, kTicks);
    _exit(writer.close().ok() ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Trace trace = open_all();
  ASSERT_EQ(trace.sessions().size(), 2u);
  for (const Session& session : trace.sessions()) {
    EXPECT_EQ(session.rows, kTicks);
    EXPECT_EQ(session.not_kept, 0u);
    EXPECT_TRUE(session.closed);
  }
  EXPECT_EQ(trace.status().message(), "");
}

TEST_F(Rotation, OnAFullDiskDeletesItsOldestFile) {
  if (kThreadSanitizer) GTEST_SKIP() << "its memory does not go with other mounts";
  constexpr int kMayNot = 77;
  constexpr std::uint32_t kTicks = 1'000'000;
  const int status = in_child([&] {
    const bool is_mounted = unshare(CLONE_NEWNS) == 0 &&
                            mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                            mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=4m") == 0;
    if (!is_mounted) _exit(kMayNot);
    Writer writer = start(kRotate, 100 << 20);
    emit_slowly(writer, writer.stream("a"), writer.declare<Tick>(), 0, kTicks);
    if (!writer.close().ok()) _exit(2);
    Trace trace = open_all();
    const std::vector<std::uint32_t> kept = ticks_in(trace);
    if (!trace.status().ok() || kept.size() < 150'000) _exit(3);
    if (kept != numbers(kTicks - static_cast<std::uint32_t>(kept.size()), kTicks)) _exit(4);
  });
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNot) GTEST_SKIP() << "mounting is not allowed";
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

// Looking for a place again with each block would take longer than writing it.
TEST_F(Rotation, GoesOnWhereItIsWhileNoFileCanBeMade) {
  const std::string away = folder.path() + ".away";
  Writer writer = start(kRotate, 0);
  const std::string first = writer.path();
  Stream stream = writer.stream("a");
  const auto types = writer.declare<Tick>();
  std::filesystem::rename(folder.path(), away);
  emit_slowly(writer, stream, types, 0, 400'000);
  Names there;
  for (const auto& entry : std::filesystem::directory_iterator(away)) there.push_back(entry.path().filename().string());
  std::filesystem::rename(away, folder.path());
  EXPECT_THAT(there, ElementsAre(std::filesystem::path(first).filename().string()));
  EXPECT_GT(bytes(), 4 * kRotate);
  std::uint32_t end = 400'000;
  for (; traces().size() < 2; end += 1'000) {
    emit_slowly(writer, stream, types, end, end + 1'000);
    usleep(10'000);
  }
  EXPECT_EQ(writer.path(), first) << "the session's first file";
  EXPECT_LT(traces().back(), folder / "app.001000.evt") << "it did not try with each block";
  EXPECT_EQ(writer.close().message(), "");
  EXPECT_EQ(writer.notices(),
            "cannot begin the next file of the trace: No such file or directory: there may be more than rotate, keep "
            "and flight allow\n");
  Trace trace = open_all();
  EXPECT_EQ(ticks_in(trace), numbers(0, end));
}

TEST_F(Rotation, ThatContradictsItselfIsRefused) {
  evt_options sizes = {};
  sizes.rotate_bytes = kRotate;
  const std::string plain = folder / "app.evt";
  EXPECT_EQ(refusal(plain, sizes), "rotate and keep: expected a path with %n, such as app.%n.evt, found " + plain);
  EXPECT_EQ(refusal("/dev/stdout", sizes),
            "rotate and keep: expected a path with %n, such as app.%n.evt, found /dev/stdout");
  EXPECT_EQ(refusal("x.%n/app.%n.evt", sizes),
            "expected %n once, in the name of a file and not in that of its folder, found x.%n/app.%n.evt");
  EXPECT_EQ(refusal("x.%n/app.evt", sizes),
            "expected %n once, in the name of a file and not in that of its folder, found x.%n/app.evt");
  EXPECT_EQ(refusal("x%%n.evt", sizes), "rotate and keep: expected a path with %n, such as app.%n.evt, found x%%n.evt");
  EXPECT_EQ(refusal("/no/such/app.%n.evt", sizes), "cannot write /no/such/app.%n.evt: No such file or directory");
  evt_options small = {};
  small.rotate_bytes = 100'000;
  EXPECT_EQ(refusal(pattern_, small), "a file of 100000 bytes is too small: expected rotate to be 1048576 at least");
  evt_options little = sizes;
  little.keep_bytes = 2 * kRotate - 1;
  EXPECT_EQ(refusal(pattern_, little), "keep has to be at least two files: expected 2097152 bytes, found 2097151");
  evt_options inlined = sizes;
  inlined.flush_inline = 1;
  EXPECT_EQ(refusal(pattern_, inlined),
            "rotate, keep and flight need a thread that writes the trace, and there is none");
  evt_options appending = sizes;
  appending.append = 1;
  EXPECT_EQ(refusal(pattern_, appending),
            "append and %n exclude one another: each session with %n has files of its own");
  EXPECT_EQ(Writer::open(1, sizes).status().message(),
            "rotate and keep: expected a path with %n, such as app.%n.evt, found a descriptor");
  EXPECT_THAT(files(), ElementsAre());
}

// --- Killed at each system call of the flusher, among them those that delete.

class KilledRotation : public Rotation {
 protected:
  static constexpr std::uint64_t kKeep = 2 * kRotate;

  [[noreturn]] void record(Progress& progress) const {
    Writer writer = start(kRotate, kKeep);
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    emit_ticks(stream, types, 0, 100);
    progress.emitted[0] = 100;
    progress.flusher = number_of_flusher();
    while (!progress.goes) usleep(100);
    while (progress.emitted[0] < 400'000) {
      const std::uint32_t n = progress.emitted[0];
      emit_ticks(stream, types, n, n + 10'000);
      progress.emitted[0] = n + 10'000;
      writer.flush();
    }
    kill(getpid(), SIGKILL);
    _exit(3);
  }
  // What is kept goes without a gap up to what was emitted, and perhaps beyond.
  void expect_the_last(const Progress& progress, bool rings) const {
    Trace trace = open_all(rings);
    const std::vector<std::uint32_t> kept = ticks_in(trace);
    ASSERT_FALSE(kept.empty());
    ASSERT_EQ(kept, numbers(kept.front(), kept.back() + 1));
    ASSERT_GE(kept.back() + 1, progress.emitted[0].load());
    ASSERT_EQ(trace.sessions()[0].not_kept, kept.front());
    ASSERT_EQ(trace.sessions()[0].duplicate_rows, 0u);
    ASSERT_EQ(trace.status().message(), "");
  }
  void save_ring() const {
    for (const std::string& ring : rings_of(folder)) {
      for (const std::string& each : traces()) {
        TraceFile trace;
        if (!trace.open(each.c_str())) continue;
        OldRing old(ring::kFolder, ring.substr(ring.rfind('/') + 1).c_str(), OldRing::Wait::kInTime);
        ASSERT_NE(old.save_into(trace), OldRing::Saved::kFailed);
      }
    }
  }
};

TEST_F(KilledRotation, AtAnyCallOfItsFlusherHasTheLastRowsOnce) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  keeps_dead_rings();
  int stops = 1;
  for (bool is_killed = true; is_killed; stops += 23 * kStride) {
    SCOPED_TRACE(stops);
    Progress* const progress = shared<Progress>();
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      record(*progress);
    }
    ASSERT_NO_THROW(is_killed = kill_at(child, *progress, stops));
    EXPECT_LT(bytes(), kKeep + kRotate + (16 << 10));
    ASSERT_NO_FATAL_FAILURE(expect_the_last(*progress, /*rings=*/true));
    ASSERT_NO_FATAL_FAILURE(save_ring());
    ASSERT_NO_FATAL_FAILURE(expect_the_last(*progress, /*rings=*/false));
    remove_rings_of(folder);
    for (const std::string& each : traces()) unlink(each.c_str());
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(stops, 100) << "of several changes";
}

}  // namespace
}  // namespace evt::testing
