// A session in several files (FORMAT.md, section 6.7): any of them, in any order, give the events that they have, in
// the order and at the times that they have in the whole session, and the number of rows that are not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "format-spec/src/ring/ring_layout.h"
#include "segmented_trace.h"
#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using EventNumbers = std::vector<std::uint64_t>;

struct Reading {
  EventNumbers events;
  std::map<std::uint64_t, std::int64_t> times;  // by the number of the event
};

Reading reading_of(Trace& trace) {
  Reading reading;
  Events events = trace.events();
  while (const Event* const event = events.next()) {
    const std::uint64_t n = event->value("n")->as_unsigned();
    reading.events.push_back(n);
    reading.times[n] = event->ns();
  }
  return reading;
}

Trace opened(Result<Trace> trace) {
  if (!trace) throw std::runtime_error(trace.status().message());
  return *std::move(trace);
}

std::set<std::size_t> all_of(const SegmentedTrace& made) {
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < made.size(); ++i) all.insert(i);
  return all;
}

// Each subset of the segments that has one.
std::vector<std::set<std::size_t>> subsets_of(std::size_t segments) {
  std::vector<std::set<std::size_t>> subsets;
  for (unsigned bits = 1; bits < 1U << segments; ++bits) {
    std::set<std::size_t>& subset = subsets.emplace_back();
    for (std::size_t i = 0; i < segments; ++i) {
      if ((bits >> i & 1) != 0) subset.insert(i);
    }
  }
  return subsets;
}

std::string joined(const SegmentedTrace& made, const std::vector<std::size_t>& order) {
  std::string bytes;
  for (const std::size_t i : order) bytes += made.segment(i);
  return bytes;
}

// What the reader makes of these segments is what the rows of them are.
void expect_right(Trace& trace, const SegmentedTrace& made, const std::set<std::size_t>& kept,
                  const std::map<std::uint64_t, std::int64_t>& times) {
  const Reading reading = reading_of(trace);
  EXPECT_EQ(reading.events, made.events_of(kept));
  for (const auto& [n, ns] : reading.times) EXPECT_EQ(ns, times.at(n)) << "of event " << n;
  const Session& session = trace.sessions().front();
  const SegmentedTrace::Gone gone = made.gone(kept);
  EXPECT_EQ(session.not_kept, gone.not_kept);
  EXPECT_TRUE(session.not_kept_is_known);
  EXPECT_EQ(session.missing, gone.missing);
  EXPECT_EQ(session.lost, made.lost_up_to(*kept.rbegin()) - gone.lost_not_kept);
  EXPECT_EQ(session.first_segment, *kept.begin());
  EXPECT_EQ(session.last_segment, *kept.rbegin());
  const bool is_last = *kept.rbegin() + 1 == made.size();
  const bool has_trailer = made.has_trailer(*kept.rbegin());
  EXPECT_EQ(session.closed, has_trailer && is_last);
  EXPECT_EQ(session.goes_on, has_trailer && !is_last);
  const bool all_trailers = std::all_of(kept.begin(), kept.end(), [&](std::size_t i) { return made.has_trailer(i); });
  EXPECT_EQ(trace.status().ok(), all_trailers) << trace.status().message();
  if (all_trailers) {
    EXPECT_THAT(trace.damage(), ::testing::IsEmpty());
  }
}

class Segments : public ::testing::TestWithParam<unsigned> {
 protected:
  SegmentedTrace made_{GetParam(), 1 + GetParam() % 5};
  std::mt19937 random_{GetParam()};
  const std::string whole_ = [this] {
    std::string bytes;
    for (std::size_t i = 0; i < made_.size(); ++i) bytes += made_.segment(i);
    return bytes;
  }();
  const std::map<std::uint64_t, std::int64_t> times_ = [this] {
    Trace trace = opened(Trace::from_memory(as_bytes(whole_)));
    return reading_of(trace).times;
  }();

  std::vector<std::size_t> shuffled(const std::set<std::size_t>& kept) {
    std::vector<std::size_t> order(kept.begin(), kept.end());
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }
};

TEST_P(Segments, OneBehindTheOtherAreTheSession) {
  Trace trace = opened(Trace::from_memory(as_bytes(whole_)));
  expect_right(trace, made_, all_of(made_), times_);
}

TEST_P(Segments, OfWhichSomeAreDeletedGiveTheEventsOfTheOthers) {
  for (const std::set<std::size_t>& kept : subsets_of(made_.size())) {
    const std::string bytes = joined(made_, {kept.begin(), kept.end()});
    Trace trace = opened(Trace::from_memory(as_bytes(bytes)));
    SCOPED_TRACE(::testing::PrintToString(kept));
    expect_right(trace, made_, kept, times_);
  }
}

TEST_P(Segments, ByTheirPathsMayBeInAnyOrderAndTwice) {
  const Folder folder;
  for (const std::set<std::size_t>& kept : subsets_of(made_.size())) {
    std::vector<std::string> paths;
    for (const std::size_t i : shuffled(kept)) paths.push_back(folder.write(std::to_string(i), made_.segment(i)));
    const std::string again = folder.write("again", made_.segment(*kept.begin()));
    paths.insert(paths.begin() + static_cast<std::ptrdiff_t>(random_() % (paths.size() + 1)), again);
    Trace trace = opened(Trace::open(paths));
    SCOPED_TRACE(::testing::PrintToString(kept));
    expect_right(trace, made_, kept, times_);
    EXPECT_EQ(trace.files().size(), kept.size());
    EXPECT_EQ(trace.duplicates().size(), 1U);
  }
}

TEST_P(Segments, OfAPipeMayBeInAnyOrder) {
  for (const std::set<std::size_t>& kept : subsets_of(made_.size())) {
    const bool all_end = std::all_of(kept.begin(), kept.end(), [&](std::size_t i) { return made_.has_trailer(i); });
    if (!all_end) continue;  // what is behind a truncated block is searched for, and another session's if it is none
    const std::string bytes = joined(made_, shuffled(kept));
    Trace trace = opened(Trace::from_memory(as_bytes(bytes)));
    SCOPED_TRACE(::testing::PrintToString(kept));
    expect_right(trace, made_, kept, times_);
  }
}

TEST_P(Segments, OfTwoSessionsMayAlternate) {
  std::string bytes = made_.segment(0) + ordinary_trace(7).trailer().bytes();
  for (std::size_t i = 1; i < made_.size(); ++i) bytes += made_.segment(i);
  Trace trace = opened(Trace::from_memory(as_bytes(bytes)));
  expect_right(trace, made_, all_of(made_), times_);
  EXPECT_EQ(trace.sessions().size(), 2U);
}

using Together = std::vector<std::vector<std::size_t>>;

TEST(FilesOfTraces, AreTogetherIfTheyAreSegmentsOfOneSession) {
  SegmentedTrace made(0, 3);
  for (unsigned seed = 0; !made.has_trailer(0); ++seed) made = SegmentedTrace(seed, 3);
  const Folder folder;
  const std::string x = folder.write("x", ordinary_trace(7).trailer().bytes());
  const std::string copy = folder.write("copy", ordinary_trace(7).trailer().bytes());
  const std::string none = folder.write("none", "not a trace");
  const std::string empty = folder.write("empty", "");
  const std::string gone = folder / "gone";
  std::vector<std::string> segments;
  for (std::size_t i = 0; i < 3; ++i) segments.push_back(folder.write(std::to_string(i), made.segment(i)));
  const auto of = [](const std::vector<std::string>& paths) { return Trace::files_of_traces(paths); };
  EXPECT_EQ(of({x, segments[2], none, segments[0], gone, empty, segments[1], copy}),
            (Together{{0}, {1, 3, 6}, {2}, {4}, {5}, {7}}));
  EXPECT_EQ(of({segments[0], segments[0]}), (Together{{0, 1}})) << "its end states that there is more";
  EXPECT_EQ(of({x, x}), (Together{{0}, {1}}));
  EXPECT_EQ(of({segments[1]}), (Together{{0}}));
  EXPECT_EQ(of({}), Together());
}

// What is rotated is compressed.
TEST(CompressedSegments, AreTogetherAndOneTrace) {
  const SegmentedTrace made(3, 4);
  const Folder folder;
  std::vector<std::string> paths;
  std::string whole;
  for (std::size_t i = 0; i < made.size(); ++i) {
    paths.push_back(folder.write(std::to_string(i), made.segment(i)) + ".gz");
    whole += made.segment(i);
  }
  if (run("gzip 0 1 2 3", folder.path()).status != 0) GTEST_SKIP() << "there is no gzip";
  EXPECT_THAT(Trace::files_of_traces(paths), ::testing::ElementsAre(std::vector<std::size_t>{0, 1, 2, 3}));
  Trace expected = opened(Trace::from_memory(as_bytes(whole)));
  Trace trace = opened(Trace::open(paths));
  expect_right(trace, made, all_of(made), reading_of(expected).times);
  std::uint64_t size = 0;
  for (const std::string& path : paths) size += std::filesystem::file_size(path);
  EXPECT_EQ(trace.size(), size);
}

TEST(CompressedSegments, SayWhichOfThemIsTruncated) {
  const SegmentedTrace made(3, 2);
  const Folder folder;
  std::vector<std::string> paths = {folder.write("0", made.segment(0)), folder.write("1", made.segment(1))};
  if (run("gzip -c 0 > packed && head -c -6 packed > 0 && stat -c %s 0 | tr -d '\\n'", folder.path()).status != 0) {
    GTEST_SKIP() << "there is no gzip";
  }
  Trace trace = opened(Trace::open(paths));
  ASSERT_EQ(trace.damage().size(), 1u);
  EXPECT_EQ(trace.damage()[0].offset, std::filesystem::file_size(paths[0]));
  EXPECT_EQ(trace.damage()[0].reason, "the gzip data is truncated: it ends here");
  EXPECT_EQ(reading_of(trace).events, made.events_of(all_of(made)));
}

// --- In a folder of rings.

class SegmentsInFolder : public ::testing::Test {
 protected:
  SegmentsInFolder() { setenv("EVTRACE_RING_DIR", rings_.path().c_str(), 1); }
  ~SegmentsInFolder() override { unsetenv("EVTRACE_RING_DIR"); }

  std::string name_of(const std::string& number) const {
    char front[ring::kMaxName];
    ring::segment_front_of(header_of(made_.segment(0)).session_id, front);
    return front + number + ".evt";
  }
  std::string put(const std::string& name, const std::string& bytes, mode_t mode = 0600) const {
    const std::string path = rings_.write(name, bytes);
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }
  EventNumbers events_of(const std::string& path, bool rings = true) const {
    Trace trace = opened(Trace::open(path, {.rings = rings}));
    EXPECT_THAT(trace.damage(), ::testing::IsEmpty());
    return reading_of(trace).events;
  }
  static SegmentedTrace with_all_trailers(std::size_t segments) {
    for (unsigned seed = 0;; ++seed) {
      SegmentedTrace made(seed, segments);
      bool all = made.events_of({0, 1, 2, 3}) != made.events_of({0});
      for (std::size_t i = 0; i < segments; ++i) all &= made.has_trailer(i);
      if (all) return made;
    }
  }

  const Folder rings_;
  const Folder folder_;
  const SegmentedTrace made_ = with_all_trailers(4);
  const std::string app_ = folder_.write("app.evt", made_.segment(0));
};

TEST_F(SegmentsInFolder, AreReadWithAnyFileOfTheirSession) {
  for (std::size_t i = 1; i < 4; ++i) put(name_of("00000" + std::to_string(i)), made_.segment(i));
  Trace trace = opened(Trace::open(app_));
  EXPECT_EQ(reading_of(trace).events, made_.events_of({0, 1, 2, 3}));
  EXPECT_EQ(trace.status().message(), "");
  ASSERT_EQ(trace.files().size(), 4u);
  EXPECT_EQ(trace.files()[0].name, app_);
  EXPECT_EQ(trace.files()[3].name, rings_ / name_of("000003"));
  EXPECT_EQ(events_of(rings_ / name_of("000001")), made_.events_of({1, 2, 3}));
  EXPECT_EQ(events_of(app_, false), made_.events_of({0}));
  Trace named = opened(Trace::open(std::vector{rings_ / name_of("000002"), app_}));
  EXPECT_EQ(reading_of(named).events, made_.events_of({0, 1, 2, 3}));
  EXPECT_THAT(named.duplicates(), ::testing::IsEmpty());
}

TEST_F(SegmentsInFolder, AreTheLastOnesIfOthersWereDeleted) {
  put(name_of("999999"), made_.segment(2));
  put(name_of("1000000"), made_.segment(3));
  Trace trace = opened(Trace::open(app_));
  EXPECT_EQ(reading_of(trace).events, made_.events_of({0, 2, 3}));
  EXPECT_EQ(trace.sessions()[0].not_kept, made_.gone({0, 2, 3}).not_kept);
  EXPECT_EQ(trace.status().message(), "");
}

TEST_F(SegmentsInFolder, AreTakenByNameAndOnlyIfTheyCanBeTheSessions) {
  const EventNumbers alone = made_.events_of({0});
  const std::string elsewhere = folder_.write("elsewhere", made_.segment(1));
  ASSERT_EQ(symlink(elsewhere.c_str(), (rings_ / name_of("000001")).c_str()), 0);
  put(name_of("000002"), made_.segment(2), 0644);
  put(name_of("00003"), made_.segment(3));
  put(name_of("0000003"), made_.segment(3));
  put(name_of("000004"), made_.segment(0));
  put(name_of("000005"), "no trace");
  put(name_of("000006"), "");
  put(name_of("000007"), ordinary_trace(7).trailer().bytes());
  ASSERT_EQ(mkfifo((rings_ / name_of("000008")).c_str(), 0600), 0);
  ASSERT_TRUE(std::filesystem::create_directory(rings_ / name_of("000009")));
  EXPECT_EQ(events_of(app_), alone);
}

TEST_F(SegmentsInFolder, AreReadOnceIfTheFileHasThem) {
  std::string whole;
  for (std::size_t i = 0; i < 4; ++i) whole += made_.segment(i);
  whole.resize(whole.size() - EVT_BLOCK_HEADER_SIZE - EVT_TRAILER_SEGMENT_SIZE);  // its writer was killed
  const std::string path = folder_.write("app.killed.evt", whole);
  put(name_of("000002"), made_.segment(2));
  EXPECT_EQ(events_of(path), made_.events_of({0, 1, 2, 3}));
}

TEST(FilesOfTraces, TakesNothingOutOfAPipe) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::string> paths = {pipe, "/dev/null", "", folder.path()};
  EXPECT_EQ(Trace::files_of_traces(paths), (Together{{0}, {1}, {2}, {3}}));
}

INSTANTIATE_TEST_SUITE_P(Random, Segments, ::testing::Range(0U, 60U));

}  // namespace
}  // namespace evt::testing
