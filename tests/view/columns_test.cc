// Columns of rows: what is in them adds up, and is what statistics have.
#include <evt/analysis/collections.h>
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/thread_times.h>
#include <gmock/gmock.h>

#include <map>
#include <numeric>

#include "analyze/scheduling.h"
#include "analyze/timeline_items.h"
#include "libtrace-view/rows/shares.h"
#include "rows.h"

namespace evt::testing {
namespace {

using view::Key;
using view::key_of;
using view::RowState;
using view::Scale;
using view::Shares;
using view::Track;
using view::TrackKind;

// How long a row is in a state, in all columns.
std::uint64_t sum(const Track& track, Key key) {
  std::uint64_t ns = 0;
  for (const Shares::Cell& cell : track.shares.front().cells()) ns += cell.key == key ? cell.ns : 0;
  return ns;
}
std::uint64_t sum(const std::vector<Track>& tracks, TrackKind kind, RowState state) {
  std::uint64_t ns = 0;
  for (const Track& track : tracks) ns += track.kind == kind ? sum(track, key_of(state)) : 0;
  return ns;
}

std::uint64_t most_in_a_column(const Track& track, const Scale& scale, std::uint64_t* largest_excess) {
  std::map<std::uint32_t, std::uint64_t> columns;
  for (const Shares::Cell& cell : track.shares.front().cells()) columns[cell.column] += cell.ns;
  std::uint64_t most = 0;
  for (const auto& [column, ns] : columns) {
    most = std::max(most, ns);
    if (ns > scale.width(column)) *largest_excess = std::max(*largest_excess, ns - scale.width(column));
  }
  return most;
}

TEST(Scale, HasColumnsThatAreTheWholeStretch) {
  for (const auto& [from, to, wanted] : {std::tuple(0L, 10L, 3u), std::tuple(-7L, 1'000'003L, 1440u),
                                         std::tuple(5L, 5L, 10u), std::tuple(0L, 400L * 86'400'000'000'000L, 1433u)}) {
    const Scale scale(from, to, wanted);
    EXPECT_EQ(scale.edge(0), scale.from_ns());
    EXPECT_EQ(scale.edge(scale.columns()), scale.to_ns());
    std::uint64_t widths = 0;
    for (std::uint32_t i = 0; i < scale.columns(); ++i) {
      widths += scale.width(i);
      EXPECT_EQ(scale.column_of(scale.edge(i)), i);
      EXPECT_EQ(scale.column_of(scale.edge(i + 1) - 1), i);
    }
    EXPECT_EQ(widths, scale.length());
  }
}

TEST(Shares, AreExactInEachColumn) {
  const Scale scale(0, 10, 3);  // [0, 3) [3, 6) [6, 10)
  Shares shares;
  shares.add(scale, 1, -5, 1);
  shares.add(scale, 2, 1, 2);
  shares.add(scale, 1, 2, 8);
  shares.add(scale, 2, 8, 50);
  std::vector<std::tuple<std::uint32_t, int, std::uint64_t>> cells;
  for (const Shares::Cell& cell : shares.cells()) cells.emplace_back(cell.column, cell.key, cell.ns);
  EXPECT_THAT(cells, ::testing::ElementsAre(std::tuple(0, 1, 2), std::tuple(0, 2, 1), std::tuple(1, 1, 3),
                                            std::tuple(2, 1, 2), std::tuple(2, 2, 2)));
}

// Against reading one nanosecond after another.
TEST(Shares, AreThoseOfANaiveReading) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t end) { return static_cast<std::int64_t>(random() % end); };
    const Scale scale(20, 20 + 1 + below(150), 1 + static_cast<std::uint32_t>(below(40)));
    std::map<std::pair<std::uint32_t, Key>, std::uint64_t> naive;
    Shares shares;
    std::int64_t now = 0;
    while (now < 200) {
      const std::int64_t to = now + below(30);
      const Key key = static_cast<Key>(below(4));
      shares.add(scale, key, now, to);
      for (std::int64_t ns = now; ns < to; ++ns) {
        std::uint32_t column = 0;
        while (column < scale.columns() && (scale.edge(column) > ns || scale.edge(column + 1) <= ns)) ++column;
        if (column < scale.columns()) ++naive[{column, key}];
      }
      now = to;
    }
    std::map<std::pair<std::uint32_t, Key>, std::uint64_t> found;
    for (const Shares::Cell& cell : shares.cells()) {
      EXPECT_TRUE(found.emplace(std::pair(cell.column, cell.key), cell.ns).second);
    }
    EXPECT_EQ(found, naive) << "seed " << seed;
  }
}

// evt stats cpu and threads of the same range, whatever the columns.
TEST(Columns, AddUpToTheStatisticsOfRandomTraces) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Scheduling scheduling(seed);
    const std::string bytes = trace_from_text(scheduling.text());
    Trace trace = open_trace(bytes);
    const std::int64_t last_ns = trace.sessions().front().last_ns;
    for (const auto& [from, to] : {std::pair(std::int64_t{0}, last_ns), std::pair(last_ns / 4, last_ns * 3 / 4)}) {
      if (from >= to) continue;
      const Scale scale(from, to, 1 + seed * 7);
      const std::vector<Track> tracks = tracks_of(trace, scale);
      Timeline::Options options;
      options.range = [&, from = from, to = to](const Session&) { return TimeRange{from, to}; };
      Timeline timeline(trace, options);
      ASSERT_TRUE(timeline.next_session());
      CpuTime cpu;
      ThreadTimes threads;
      std::uint64_t before = 0;
      bool begun = false;
      const auto all_of = [&](std::int64_t ns) {
        std::uint64_t sum = 0;
        for (const CpuTime::Cell& cell : cpu.cells(ns)) sum += cell.ns;
        return sum;
      };
      const auto begin = [&, from = from] {
        before = all_of(from);
        threads.restart(from);
        begun = true;
      };
      while (const TimelineItem* const item = timeline.next()) {
        if (!begun && item->ns >= from) begin();
        cpu.take(*item);
        threads.take(*item);
      }
      if (!begun) begin();
      EXPECT_EQ(sum(tracks, TrackKind::kCpu, RowState::kRunning), all_of(to) - before) << "seed " << seed;
      std::map<ThreadState, std::uint64_t> expected;
      for (const ThreadTimes::Row& row : threads.rows(to)) {
        for (std::size_t i = 0; i < ThreadTimes::kStates; ++i) expected[static_cast<ThreadState>(i)] += row.ns[i];
      }
      EXPECT_EQ(sum(tracks, TrackKind::kThread, RowState::kRunning), expected[ThreadState::kRunning]) << seed;
      EXPECT_EQ(sum(tracks, TrackKind::kThread, RowState::kRunnable), expected[ThreadState::kRunnable]) << seed;
      EXPECT_EQ(sum(tracks, TrackKind::kThread, RowState::kWaiting), expected[ThreadState::kWaiting]) << seed;
      std::uint64_t excess = 0;
      for (const Track& track : tracks) {
        if (!track.shares.empty() && track.kind != TrackKind::kCpus) most_in_a_column(track, scale, &excess);
      }
      EXPECT_EQ(excess, 0u) << "seed " << seed;
    }
  }
}

// evt stats gc of a log that GHC wrote, for each capability.
TEST(Columns, AddUpToTheCollectionsOfALogOfGhc) {
  auto opened = Trace::open(EVT_SOURCE_FOLDER "/testdata/eventlog/threads.eventlog");
  ASSERT_TRUE(opened);
  Trace& trace = *opened;
  const std::int64_t last_ns = trace.sessions().front().last_ns;
  for (const auto& [from, to] : {std::pair(std::int64_t{0}, last_ns), std::pair(last_ns / 5, last_ns / 3)}) {
    const Scale scale(from, to, 997);
    std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> found, expected;
    for (const Track& track : tracks_of(trace, scale)) {
      if (track.kind != TrackKind::kCpu) continue;
      found.emplace_back(track.name, sum(track, key_of(RowState::kRunning)), sum(track, key_of(RowState::kCollecting)),
                         sum(track, key_of(RowState::kCollectorIdle)), sum(track, key_of(RowState::kCollectorSync)));
    }
    Timeline::Options options;
    options.range = [&, from = from, to = to](const Session&) { return TimeRange{from, to}; };
    Timeline timeline(trace, options);
    ASSERT_TRUE(timeline.next_session());
    Collections collections(timeline.actors().session());
    take_all(timeline, collections, from);
    for (const Collections::Capability& row : collections.capabilities(to)) {
      expected.emplace_back(row.stream->name, row.mutator_ns, row.work_ns, row.idle_ns, row.sync_ns);
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found.size(), 2u);
  }
}

TEST(Lanes, AreSharedByThreadsOfDisjointLives) {
  const std::string bytes =
      trace_from_text(std::string(kThreadTypes) +
                      "stream 1 \"s\"\n"
                      "0.000000000 1 thread.create thread=1\n0.000000010 1 thread.create thread=2\n"
                      "0.000000020 1 thread.exit thread=2\n0.000000030 1 thread.create thread=3\n"
                      "0.000000040 1 thread.create thread=4\n0.000000050 1 thread.exit thread=3\n"
                      "0.000000060 1 thread.exit thread=4\n0.000000100 1 thread.exit thread=1\n");
  Trace trace = open_trace(bytes);
  std::vector<std::string> lanes;
  for (const Track& track : tracks_of(trace, Scale(0, 100, 100))) {
    if (track.kind != TrackKind::kThread) continue;
    std::string lane = track.name + ":";
    for (const auto& label : track.labels) lane += " " + label.text;
    lanes.push_back(lane);
  }
  EXPECT_THAT(lanes,
              ::testing::ElementsAre("thread 1: thread 1", "threads 2, 3: thread 2 thread 3", "thread 4: thread 4"));
}

TEST(Lanes, HaveOnlyThreadsThatAreWanted) {
  const std::string bytes =
      trace_from_text(std::string(kThreadTypes) +
                      "stream 1 \"s\"\n0.000000000 1 thread.name thread=1 name=\"worker 1\"\n"
                      "0.000000000 1 thread.create thread=1\n0.000000000 1 thread.create thread=2\n"
                      "0.000000100 1 thread.exit thread=1\n");
  Trace trace = open_trace(bytes);
  const auto wanted = [](TrackKind kind, const std::string& name) {
    return kind == TrackKind::kThread && name.starts_with("worker");
  };
  const std::vector<Track> tracks = tracks_of(trace, Scale(0, 100, 10), wanted);
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].name, "worker 1");
}

constexpr std::string_view kSpanTypes =
    "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
    "type 12 counter role=counter (name text role=name) (value i64 role=value)\n"
    "type 13 mark role=mark (message text role=message)\nstream 1 \"main\"\n";

TEST(SpanRows, AreOneForEachDepth) {
  const std::string bytes =
      trace_from_text(std::string(kSpanTypes) +
                      "0.000000000 1 span.begin name=\"outer\"\n0.000000010 1 span.begin name=\"inner\"\n"
                      "0.000000030 1 span.end\n0.000000090 1 span.end\n0.000000100 1 mark message=\"end\"\n");
  Trace trace = open_trace(bytes);
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (const Track& track : tracks_of(trace, Scale(0, 100, 100))) {
    if (track.kind != TrackKind::kSpan) continue;
    for (const auto& label : track.labels) rows.emplace_back(label.text, sum(track, view::hue_of(label.text)));
  }
  EXPECT_THAT(rows, ::testing::ElementsAre(std::pair("outer", 90u), std::pair("inner", 20u)));
}

TEST(CounterRows, HaveLeastLargestAndMeanOfEachColumn) {
  const std::string bytes =
      trace_from_text(std::string(kSpanTypes) +
                      "0.000000000 1 counter name=\"heap\" value=10\n0.000000005 1 counter name=\"heap\" value=-20\n"
                      "0.000000007 1 counter name=\"heap\" value=40\n0.000000020 1 mark message=\"end\"\n");
  Trace trace = open_trace(bytes);
  for (const Track& track : tracks_of(trace, Scale(0, 20, 2))) {
    if (track.kind != TrackKind::kCounter) continue;
    EXPECT_EQ(track.name, "heap");
    EXPECT_EQ(track.values[0].min, -20);
    EXPECT_EQ(track.values[0].max, 40);
    EXPECT_EQ(track.values[0].mean(), (10 * 5 - 20 * 2 + 40 * 3) / 10.0);
    EXPECT_EQ(track.values[1].min, 40);
    EXPECT_EQ(track.values[1].mean(), 40);
    return;
  }
  FAIL() << "there is no counter";
}

}  // namespace
}  // namespace evt::testing
