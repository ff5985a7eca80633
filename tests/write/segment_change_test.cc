// A session goes on in another file: what rotation does, through the real flusher. Killed at any of the system calls
// of its flusher, it has lost nothing that was committed, and has nothing twice.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "libtrace-write/src/evt_writer.h"
#include "libtrace-write/src/old_ring.h"
#include "write/killed_at_call.h"
#include "write/ring_folders.h"

namespace evt::testing {
namespace {

class SegmentChange : public ::testing::Test {
 protected:
  const Folder folder_;
  const std::vector<std::string> paths_ = {folder_ / "a.0.evt", folder_ / "a.1.evt", folder_ / "a.2.evt"};

  Trace all(const ReadOptions& options = {}) const {
    auto trace = Trace::open(paths_, options);
    if (!trace) throw std::runtime_error(trace.status().message());
    return *std::move(trace);
  }
};

// Three segments, each with this number of ticks.
void record_segments(const std::vector<std::string>& paths, std::uint32_t ticks, const evt_options& options = {}) {
  auto writer = Writer::open(paths[0], options);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  leave_out_events_of_writer(*writer);
  Stream stream = writer->stream("a");
  const auto types = writer->declare<Tick>();
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (i > 0) {
      ASSERT_TRUE(writer->get()->begin_segment(paths[i].c_str()));
    }
    emit_ticks(stream, types, i * ticks, (i + 1) * ticks);
  }
  EXPECT_EQ(writer->close().message(), "");
}

TEST_F(SegmentChange, GivesFilesThatAreTheSessionTogether) {
  record_segments(paths_, 1000);
  Trace trace = all();
  EXPECT_EQ(ticks_in(trace), numbers(0, 3000));
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_TRUE(trace.sessions()[0].closed);
  EXPECT_EQ(trace.sessions()[0].last_segment, 2u);
}

TEST_F(SegmentChange, GivesFilesThatCanBeReadByThemselves) {
  record_segments(paths_, 1000);
  for (std::uint32_t i = 0; i < 3; ++i) {
    Trace trace = open_file(paths_[i]);
    const Session& session = trace.sessions()[0];
    EXPECT_EQ(ticks_in(trace), numbers(i * 1000, i * 1000 + 1000));
    EXPECT_EQ(trace.status().message(), "");
    EXPECT_EQ(session.goes_on, i < 2);
    EXPECT_EQ(session.closed, i == 2);
    EXPECT_EQ(session.first_segment, i);
    EXPECT_EQ(session.not_kept, i * 1000u);
    EXPECT_EQ(session.streams[0].not_kept, i * 1000u);
    EXPECT_EQ(session.streams[0].name, "a");
  }
}

TEST_F(SegmentChange, GivesEachFileAnIndexOfItsOwn) {
  record_segments(paths_, 200'000);
  Trace by_index = all();
  EXPECT_TRUE(by_index.sessions()[0].indexed);
  EXPECT_EQ(by_index.sessions()[0].rows, 600'000u);
  ASSERT_EQ(by_index.sessions()[0].counts.size(), 1u);
  EXPECT_EQ(by_index.sessions()[0].counts[0].rows, 600'000u);
  EXPECT_EQ(ticks_in(by_index), numbers(0, 600'000));
  ReadOptions checking;
  checking.check_index = true;
  EXPECT_THAT(all(checking).damage(), ::testing::IsEmpty());
  for (const std::string& path : paths_) {
    EXPECT_TRUE(open_file(path).sessions()[0].indexed);
    const auto checked = Trace::open(path, checking);
    EXPECT_THAT(checked->damage(), ::testing::IsEmpty());
  }
}

TEST_F(SegmentChange, GoesOnWhereItIsIfThereIsAFileAlready) {
  auto writer = Writer::open(paths_[0]);
  ASSERT_TRUE(writer.ok());
  folder_.write("a.1.evt", "mine");
  EXPECT_FALSE(writer->get()->begin_segment(paths_[1].c_str()));
  emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 100);
  EXPECT_EQ(writer->close().message(), "");
  EXPECT_EQ(read_file(paths_[1]), "mine");
  EXPECT_EQ(ticks_in(paths_[0]), numbers(0, 100));
}

TEST_F(SegmentChange, OfALivingSessionIsReadWithItsRing) {
  auto writer = Writer::open(paths_[0]);
  ASSERT_TRUE(writer.ok());
  const auto types = writer->declare<Tick>();
  emit_ticks(writer->stream("a"), types, 0, 100);
  ASSERT_TRUE(writer->get()->begin_segment(paths_[1].c_str()));
  emit_ticks(writer->stream("b"), types, 100, 200);
  auto trace = Trace::open(std::vector{paths_[1], paths_[0]});
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(ticks_in(*trace), numbers(0, 200));
  EXPECT_EQ(trace->sessions()[0].ring, RingState::kLive);
  // The first one has no part in the ring: its rows are the next one's.
  Trace first = open_file(paths_[0]);
  EXPECT_EQ(ticks_in(first), numbers(0, 100));
  EXPECT_TRUE(first.sessions()[0].goes_on);
  EXPECT_EQ(first.status().message(), "");
}

// --- In a folder of rings, where a reader finds what no file names.

class SegmentsBesideTheRing : public OwnRings {
 protected:
  SegmentsBesideTheRing() : options_(options()) {
    ring::segment_front_of(evt_session_id(options_.session->uuid), front_);
    options_.clock = nullptr;
  }
  std::string segment(std::uint32_t number) const { return fmt::format("{}/{}{:06}.evt", rings, front_, number); }
  static void begin_next(const Writer& writer, const std::string& at) {
    ASSERT_TRUE(writer.get()->begin_segment(at.c_str()));
  }

  evt_options options_;
  char front_[ring::kMaxName];
};

TEST_F(SegmentsBesideTheRing, AreReadWithTheFirstFile) {
  record_segments({path, segment(1), segment(2)}, 1000, options_);
  EXPECT_EQ(ticks_in(path), numbers(0, 3000));
  EXPECT_EQ(count(), 2u);
  next_program();
  EXPECT_EQ(count(), 2u) << "they are no rings";
}

// Each reading has all that was emitted before it, but for what was deleted, and nothing is missing in between.
TEST_F(SegmentsBesideTheRing, AreWholeWhileTheyChange) {
  auto opened = Writer::open(path, options_);
  ASSERT_TRUE(opened.ok());
  Writer& writer = *opened;
  const auto types = writer.declare<Tick>();
  begin_next(writer, segment(1));
  std::atomic<std::uint32_t> emitted = 0;
  std::atomic<bool> ends = false;
  std::thread recorder([&] {
    const Stream stream = writer.stream("a");
    for (std::uint32_t number = 2; !ends; ++number) {
      emit_ticks(stream, types, emitted, emitted + 1000);
      emitted += 1000;
      begin_next(writer, segment(number));
      if (number > 5) std::filesystem::remove(segment(number - 5));
    }
  });
  for (int i = 0; i < 15; ++i) {
    const std::uint32_t before = emitted;
    Trace trace = open_file(path);
    const std::vector<std::uint32_t> ticks = ticks_in(trace);
    EXPECT_EQ(trace.status().message(), "");
    ASSERT_FALSE(ticks.empty() && before > 0);
    if (ticks.empty()) continue;
    EXPECT_TRUE(ticks == numbers(ticks.front(), ticks.back() + 1)) << "from " << ticks.front();
    EXPECT_EQ(trace.sessions()[0].not_kept, ticks.front());
    EXPECT_GE(ticks.back() + 1, before);
  }
  ends = true;
  recorder.join();
  EXPECT_EQ(writer.close().message(), "");
}

// --- Killed at each system call of the flusher.

void emit_steps(Stream stream, const Types<Tick>& types, std::uint32_t count, std::atomic<std::uint32_t>& emitted) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t n = emitted.load();
    stream.emit(types, Tick{n});
    emitted.store(n + 1);
  }
}

[[noreturn]] void record_and_change(const std::vector<std::string>& paths, Progress& progress) {
  auto writer = Writer::open(paths[0]);
  if (!writer) _exit(1);
  leave_out_events_of_writer(*writer);
  const auto types = writer->declare<Tick>();
  Stream a = writer->stream("a");
  Stream b = writer->stream("b");
  emit_steps(a, types, 100, progress.emitted[0]);
  progress.flusher = number_of_flusher();
  while (!progress.goes) usleep(100);
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) {
      emit_steps(b, types, 10, progress.emitted[1]);
      usleep(200);
    }
  });
  for (const std::string& path : {paths[1], paths[2]}) {
    if (!writer->get()->begin_segment(path.c_str())) _exit(2);
    emit_steps(a, types, 50, progress.emitted[0]);
  }
  ends = true;
  other.join();
  kill(getpid(), SIGKILL);
  _exit(3);
}

class KilledSegmentChange : public SegmentChange {
 protected:
  std::vector<std::string> existing() const {
    std::vector<std::string> there;
    for (const std::string& path : paths_) {
      if (std::filesystem::exists(path)) there.push_back(path);
    }
    return there;
  }
  void expect_all_once(const Progress& progress, bool rings) const {
    ReadOptions options;
    options.rings = rings;
    auto trace = Trace::open(existing(), options);
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    std::uint32_t next[2] = {};
    Events events = trace->events();
    while (const Event* const event = events.next()) {
      std::uint32_t& expected = next[event->stream().name == "b" ? 1 : 0];
      ASSERT_EQ(event->as<Tick>()->n, expected) << "of stream " << event->stream().name;
      ++expected;
    }
    ASSERT_EQ(trace->status().message(), "");
    for (int i = 0; i < 2; ++i) ASSERT_GE(next[i], progress.emitted[i].load());
    EXPECT_EQ(trace->sessions()[0].duplicate_rows, 0u);
  }
  // As a program that starts again does: each file gets what the ring has of it.
  void save_ring() const {
    int saved = 0;
    for (const std::string& ring : rings_of(folder_)) {
      for (const std::string& path : existing()) {
        TraceFile trace;
        if (!trace.open(path.c_str())) continue;
        OldRing old(ring::kFolder, ring.substr(ring.rfind('/') + 1).c_str(), OldRing::Wait::kInTime);
        ASSERT_TRUE(old.there() && !old.live());
        const OldRing::Saved result = old.save_into(trace);
        ASSERT_NE(result, OldRing::Saved::kFailed);
        saved += result == OldRing::Saved::kAll ? 1 : 0;
      }
    }
    EXPECT_EQ(saved, 1);
  }
};

TEST_F(KilledSegmentChange, AtAnyCallOfItsFlusherHasEachRowOnce) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  keeps_dead_rings();
  int stops = 1;
  for (bool is_killed = true; is_killed; stops += kStride) {
    SCOPED_TRACE(stops);
    Progress* const progress = shared<Progress>();
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      record_and_change(paths_, *progress);
    }
    ASSERT_NO_THROW(is_killed = kill_at(child, *progress, stops));
    ASSERT_NO_FATAL_FAILURE(expect_all_once(*progress, /*rings=*/true));
    ASSERT_NO_FATAL_FAILURE(save_ring());
    ASSERT_NO_FATAL_FAILURE(expect_all_once(*progress, /*rings=*/false));
    remove_rings_of(folder_);
    for (const std::string& path : existing()) unlink(path.c_str());
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(stops, 60) << "of two changes";
}

}  // namespace
}  // namespace evt::testing
