// What cpus do by a trace's checkpoints, before its events were read: from one to another as much as StateHistory has.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <numeric>

#include "analyze/scheduling.h"
#include "rows.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using view::CpuLoads;
using view::RowState;
using view::Scale;
using view::Shares;
using view::Track;
using view::TrackKind;

class CpuLoad : public ::testing::Test {
 protected:
  HistoryOptions options() const {
    HistoryOptions options;
    options.cache_folder = folder_ / "cache";
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    return options;
  }
  HistoryOptions options_to_use() const {
    HistoryOptions used = options();
    used.makes_checkpoints = false;
    return used;
  }
  // Up to a time.
  static std::uint64_t ran_until(const SessionState& state, const Actor& cpu, std::int64_t ns) {
    std::uint64_t sum = 0;
    for (const CpuTime::Cell& cell : state.cpu.cells(ns)) {
      const Actor& on = state.actors.cpus()[cell.cpu];
      if (on.number == cpu.number && on.is_stream == cpu.is_stream) sum += cell.ns;
    }
    return sum;
  }
  static std::uint64_t shown(const CpuLoads& loads, const Actor& cpu, const Scale& scale) {
    Shares shares;
    loads.show(cpu, scale, scale.from_ns(), &shares);
    return std::accumulate(shares.cells().begin(), shares.cells().end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Shares::Cell& cell) { return sum + cell.ns; });
  }
  Folder folder_;
};

TEST_F(CpuLoad, IsThatOfTheStateAtEachCheckpoint) {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const std::string bytes = trace_from_text(Scheduling(seed).text());
    Trace trace = open_trace(bytes);
    StateHistory(trace, options()).at(0, 0);
    StateHistory history(trace, options_to_use());
    std::vector<std::int64_t> moments;
    history.each_checkpoint(0, 1000, [&](std::int64_t ns, const SessionState&) { moments.push_back(ns); });
    const CpuLoads loads(history, 0, 1000);
    EXPECT_EQ(history.events_replayed(), 0u);
    for (std::size_t first = 0; first < moments.size(); first += 3) {
      for (std::size_t last = first + 1; last < moments.size(); last += 5) {
        const SessionState before = StateHistory(trace, {}).at(0, moments[first]);
        const SessionState after = StateHistory(trace, {}).at(0, moments[last]);
        for (const Actor& cpu : after.actors.cpus().all()) {
          const std::uint64_t ran = ran_until(after, cpu, moments[last]) - ran_until(before, cpu, moments[first]);
          for (const std::uint32_t columns : {1u, 7u, 50u}) {
            ASSERT_EQ(shown(loads, cpu, Scale(moments[first], moments[last], columns)), ran)
                << "cpu " << cpu.number << " from " << moments[first] << " to " << moments[last];
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST_F(CpuLoad, IsNothingWithoutCheckpointsWhichAreNotMade) {
  const std::string bytes = trace_from_text(Scheduling(1).text());
  Trace trace = open_trace(bytes);
  StateHistory history(trace, options_to_use());
  EXPECT_TRUE(CpuLoads(history, 0, 10).is_empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
}

// Behind what was read, cpu a runs all of the time and cpu b for half of it.
TEST_F(CpuLoad, IsDrawnFromWhereTracksEnd) {
  std::string text(kThreadTypes);
  text += "stream 1 \"cpu a\"\nstream 2 \"cpu b\"\n0.000000000 1 run.here thread=1\n0.000000000 2 run.here thread=2\n";
  for (int i = 1; i <= 100; ++i) {
    text += fmt::format("0.{:09} 2 {}.here thread=2\n", i * 10, i % 2 == 1 ? "stop" : "run");
  }
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  StateHistory(trace, options()).at(0, 0);
  StateHistory history(trace, options_to_use());
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  const Scale scale(0, 1000, 10);
  view::Rows rows(timeline, scale);
  rows.expect(CpuLoads(history, 0, 1000));
  const TimelineItem* item = timeline.next();
  for (; item != nullptr && item->ns < 400; item = timeline.next()) rows.take(*item);
  ASSERT_NE(item, nullptr);
  std::map<std::string, std::vector<std::uint64_t>> running;
  for (const Track& track : rows.tracks(all_rows, 400)) {
    if (track.kind != TrackKind::kCpu) continue;
    std::vector<std::uint64_t>& columns = running[track.name];
    columns.resize(10);
    for (const Shares::Cell& cell : track.shares.front().cells()) {
      if (cell.key == key_of(RowState::kRunning)) columns[cell.column] += cell.ns;
    }
    EXPECT_EQ(track.unread.runs(), (std::vector<view::Bands::Run>{{4, 10}})) << track.name;
  }
  EXPECT_EQ(running["cpu a"], (std::vector<std::uint64_t>{100, 100, 100, 100, 100, 100, 100, 100, 100, 100}));
  EXPECT_EQ(running["cpu b"], (std::vector<std::uint64_t>{50, 50, 50, 50, 50, 50, 50, 50, 50, 50}));
}

}  // namespace
}  // namespace evt::testing
