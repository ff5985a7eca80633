// Side files of statistics that lie, with right checksums: who makes a file makes those too.
#include <evt/analysis/state_history.h>

#include <filesystem>

#include "fuzz/forged_state.h"
#include "libtrace-read/analyze/src/checkpoint/state_words.h"
#include "scheduling.h"
#include "states.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using fuzz::ForgedState;
using Lie = std::function<void(StateDirectory*)>;

class ForgedHistory : public ::testing::Test {
 protected:
  // Checkpoints with differences, and threads that run and stop.
  ForgedHistory()
      : bytes_(trace_from_text(scheduling_.text())), trace_(open_trace(bytes_)), end_(scheduling_.end_ns()) {
    ask();
    honest_ = read_file(path_);
    state_ = fuzz::state_in(path_);
  }

  void SetUp() override {
    ASSERT_GT(state_.words.size(), 3u);
    ASSERT_TRUE(state_.directory.sessions.front().checkpoints[1].is_delta);
  }

  StateHistory history() {
    HistoryOptions options;
    options.side_file = path_;
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    return {trace_, options};
  }
  std::string ask() { return words_of(history().at(0, end_), end_); }
  std::string right() { return words_of(StateHistory(trace_, {}).at(0, end_), end_); }

  // The file is made again, and nothing that it said is heard.
  void expect_disbelief() {
    ASSERT_NE(read_file(path_), honest_);
    EXPECT_EQ(ask(), right());
    EXPECT_EQ(read_file(path_), honest_);
  }
  void expect_disbelief_in(
      const ForgedState& state, const Lie& lie = [](StateDirectory*) {}) {
    ASSERT_TRUE(fuzz::write_state(path_, state, lie));
    expect_disbelief();
  }
  // In the words of a whole checkpoint, which is made the last one: behind its sizes stand the columns.
  ForgedState with_last_changed(std::size_t column, std::uint64_t by) {
    ForgedState state = state_;
    std::vector<StateCheckpoint>& checkpoints = state.directory.sessions.front().checkpoints;
    while (checkpoints.back().is_delta) checkpoints.pop_back();
    state.words.resize(checkpoints.size());
    std::vector<std::uint64_t>& words = state.words.back();
    const auto sizes = StateWords::column_sizes(words, trace_.sessions().front().streams.size());
    std::size_t at = StateWords::kSizes;
    for (std::size_t i = 0; i < column; ++i) at += sizes[i];
    words[at] += by;
    return state;
  }

  Folder folder_;
  std::string path_ = folder_ / "a";
  Scheduling scheduling_{3};
  std::string bytes_;
  Trace trace_;
  std::int64_t end_;
  std::string honest_;
  ForgedState state_;
};

TEST_F(ForgedHistory, WithoutALieIsBelieved) {
  ASSERT_TRUE(fuzz::write_state(path_, state_));
  const auto written = std::filesystem::last_write_time(path_);
  EXPECT_EQ(ask(), right());
  EXPECT_EQ(std::filesystem::last_write_time(path_), written);
}

TEST_F(ForgedHistory, HasNoMoreWordsThanItsActorsCanHave) {
  ForgedState state = state_;
  for (auto& words : state.words) words.assign(1 << 20, 0);
  expect_disbelief_in(state);
}

TEST_F(ForgedHistory, HasNoMoreWordsThanItsFrames) {
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.words = UINT32_MAX;
  });
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.words += 1;
  });
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.words -= 1;
  });
}

TEST_F(ForgedHistory, IsNotReadFromBehindItsEnd) {
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.offset = UINT64_MAX - 1;
  });
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.size = UINT32_MAX;
  });
}

// What is not there takes no room on a disk, but would in memory.
TEST_F(ForgedHistory, HasADirectoryOfAFewMegabytesAtMost) {
  constexpr std::uint64_t kSize = std::uint64_t{8} << 30;
  std::string tail = honest_.substr(honest_.size() - 32);
  const std::uint64_t at = evt_load_u64(reinterpret_cast<const std::uint8_t*>(tail.data()));
  evt_store_u64(reinterpret_cast<std::uint8_t*>(tail.data()) + 8, kSize - 32 - at);
  std::filesystem::resize_file(path_, kSize);
  std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out).seekp(kSize - 32) << tail;
  ASSERT_EQ(std::filesystem::file_size(path_), kSize);
  EXPECT_EQ(ask(), right());
  EXPECT_EQ(read_file(path_), honest_);
}

TEST_F(ForgedHistory, AddsUpNoMoreDifferencesThanAreMade) {
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    for (StateCheckpoint& each : directory->sessions.front().checkpoints) each.is_delta = true;
  });
}

TEST_F(ForgedHistory, HasCheckpointsOneAfterAnother) {
  expect_disbelief_in(state_, [](StateDirectory* directory) {
    std::vector<StateCheckpoint>& all = directory->sessions.front().checkpoints;
    std::swap(all.front().ns, all.back().ns);
  });
}

TEST_F(ForgedHistory, IsOfAsManySessionsAsTheTrace) {
  expect_disbelief_in(state_, [](StateDirectory* directory) { directory->sessions.emplace_back(); });
}

// By its part an actor is named: `parts[part]` is what tools print.
TEST_F(ForgedHistory, HasActorsOfThePartsOfItsSession) {
  for (const std::uint32_t part : {0U, 7U, Actor::kNone - 1}) {
    expect_disbelief_in(state_, [&](StateDirectory* directory) { directory->sessions.front().threads[0].part = part; });
    expect_disbelief_in(state_, [&](StateDirectory* directory) { directory->sessions.front().cpus[0].part = part; });
  }
}

TEST_F(ForgedHistory, LetsNothingRunForLongerThanThereWasTime) {
  constexpr std::size_t kNs = 7;
  expect_disbelief_in(with_last_changed(kNs, std::uint64_t{1} << 50));
  expect_disbelief_in(with_last_changed(kNs, std::uint64_t{1} << 63));
}

TEST_F(ForgedHistory, LetsThreadsRunAsOftenAsEventsSay) {
  constexpr std::size_t kSlices = 8;
  expect_disbelief_in(with_last_changed(kSlices, 1));
}

TEST_F(ForgedHistory, IsNoMoreUncertainThanItRan) {
  constexpr std::size_t kUncertain = 9;
  expect_disbelief_in(with_last_changed(kUncertain, std::uint64_t{1} << 40));
}

TEST_F(ForgedHistory, HasNoMoreEventsThanTheSession) {
  constexpr std::size_t kAll = 26;
  expect_disbelief_in(with_last_changed(kAll, 1));
}

// Whatever is changed: what is said is what can have been, and a range has no more of it than it is long.
TEST_F(ForgedHistory, SaysOnlyWhatCanHaveBeen) {
  const std::int64_t from = end_ / 2;
  for (std::size_t i = 0; i < state_.words.size(); ++i) {
    for (std::size_t at = 0; at < state_.words[i].size(); ++at) {
      for (const std::uint64_t by : {std::uint64_t{1}, UINT64_MAX, std::uint64_t{1} << 62}) {
        ForgedState state = state_;
        state.words[i][at] += by;
        ASSERT_TRUE(fuzz::write_state(path_, state));
        const auto [before, after] = history().between(0, {from, end_});
        const std::vector<CpuTime::Cell> was = before.cpu.cells(from);
        std::map<std::uint32_t, std::uint64_t> busy;
        for (const CpuTime::Cell& cell : after.cpu.cells(end_)) busy[cell.cpu] += cell.ns;
        for (const CpuTime::Cell& cell : was) busy[cell.cpu] -= cell.ns;
        for (const auto& [cpu, ns] : busy) {
          ASSERT_LE(ns, static_cast<std::uint64_t>(end_ - from)) << i << ": " << at << " by " << by;
        }
        ASSERT_LE(before.counts.all(), after.counts.all());
      }
    }
  }
}

}  // namespace
}  // namespace evt::testing
