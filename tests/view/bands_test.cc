// What holds for whole rows: losses, stops, and states that are not certain.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "analyze/scheduling.h"
#include "rows.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using view::Bands;
using view::Scale;
using view::Track;
using view::TrackKind;

// `name: first-end` for each row of a kind that has such bands.
std::vector<std::string> bands_of(const std::vector<Track>& tracks, TrackKind kind, Bands Track::*bands) {
  std::vector<std::string> all;
  for (const Track& track : tracks) {
    if (track.kind != kind) continue;
    for (const Bands::Run& run : (track.*bands).runs())
      all.push_back(fmt::format("{}: {}-{}", track.name, run.first, run.end));
  }
  return all;
}

TEST(Bands, OfLossesAreOnTheRowsOfTheirStream) {
  const auto tracks = tracks_of(std::string(kThreadTypes) +
                                    "stream 1 \"cpu a\"\nstream 2 \"cpu b\"\n"
                                    "0.000000000 1 run.here thread=1\n0.000000000 2 run.here thread=2\n"
                                    "0.000000500 2 !lost count=3 cause=ring_full duration=0.000000000\n"
                                    "0.000000900 1 stop.here thread=1\n0.000001000 2 stop.here thread=2\n",
                                Scale(0, 1000, 100));
  EXPECT_THAT(bands_of(tracks, TrackKind::kCpu, &Track::lost), ElementsAre("cpu b: 0-50"));
  EXPECT_THAT(bands_of(tracks, TrackKind::kThread, &Track::lost), ElementsAre("thread 2: 0-50"));
  EXPECT_THAT(bands_of(tracks, TrackKind::kEvents, &Track::lost), ElementsAre("cpu b: 0-50"));
}

// The stop of the thread may be among what was lost: what it does is not certain from the last event before on.
TEST(Bands, OfStatesThatLostEventsMayHaveChangedLastUntilTheNextOne) {
  const auto tracks =
      tracks_of(std::string(kThreadTypes) +
                    "stream 1 \"cpu a\"\n0.000000000 1 run.here thread=1\n0.000000200 1 mark message=\"m\"\n"
                    "0.000000500 1 !lost count=3 cause=ring_full duration=0.000000000\n"
                    "0.000000800 1 stop.here thread=1\n0.000001000 1 mark message=\"end\"\n",
                Scale(0, 1000, 100));
  EXPECT_THAT(bands_of(tracks, TrackKind::kCpu, &Track::uncertain), ElementsAre("cpu a: 20-80"));
  EXPECT_THAT(bands_of(tracks, TrackKind::kThread, &Track::uncertain), ElementsAre("thread 1: 20-80"));
}

TEST(Bands, OfStopsOfTheProcessAreOnAllRows) {
  const auto tracks = tracks_of(std::string(kThreadTypes) +
                                    "type 20 process.stopped role=stopped (took tick_delta role=duration)\n"
                                    "stream 1 \"cpu a\"\n0.000000000 1 run.here thread=1\n"
                                    "0.000000700 1 process.stopped took=0.000000300\n"
                                    "0.000001000 1 stop.here thread=1\n",
                                Scale(0, 1000, 100));
  EXPECT_THAT(bands_of(tracks, TrackKind::kCpu, &Track::stopped), ElementsAre("cpu a: 40-70"));
  EXPECT_THAT(bands_of(tracks, TrackKind::kThread, &Track::stopped), ElementsAre("thread 1: 40-70"));
}

// A collection hides the thread that runs meanwhile: of 100 ns it has 40.
TEST(CpuRows, ShowACollectionWhereAThreadRunsAtOnce) {
  const auto tracks = tracks_of(
      "type 4 thread.run role=threadRun (thread u64 role=thread)\ntype 5 thread.stop role=threadStop (thread u64 "
      "role=thread)\n"
      "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\nstream 1 \"cap\"\n"
      "0.000000000 1 thread.run thread=1\n0.000000030 1 gc.start generation=0\n0.000000070 1 gc.end\n"
      "0.000000100 1 thread.stop thread=1\n",
      Scale(0, 100, 1));
  std::vector<std::string> cells;
  for (const auto& cell : tracks.front().shares.front().cells())
    cells.push_back(fmt::format("{} {}", cell.key, cell.ns));
  EXPECT_THAT(cells, ElementsAre("0 60", "1 40"));
}

// Of 100 ns a thread that nobody schedules has one call; its collector works for 40, of which it waits for others for
// 10.
TEST(ThreadRows, ShowACollectionOnThem) {
  const auto tracks = tracks_of(
      "type 1 in role=spanBegin (name text role=name)\ntype 2 out role=spanEnd\n"
      "type 21 gc.start role=gcStart\ntype 22 gc.end role=gcEnd\ntype 23 gc.idle role=gcIdle\n"
      "type 24 gc.work role=gcWork\nstream 1 \"vm\"\n"
      "0.000000000 1 in name=\"f\"\n0.000000030 1 gc.start\n0.000000040 1 gc.idle\n0.000000050 1 gc.work\n"
      "0.000000070 1 gc.end\n0.000000100 1 out\n",
      Scale(0, 100, 1));
  std::vector<std::string> found;
  for (const Track& track : tracks) {
    for (const view::Shares& shares : track.shares) {
      for (const auto& cell : shares.cells()) {
        found.push_back(fmt::format("{} {} {}", track.key, cell.key, cell.ns));
      }
    }
  }
  const int hue = view::hue_of("f");
  EXPECT_THAT(found,
              ElementsAre("thread/0 7 60", "thread/0 1 30", "thread/0 3 10", fmt::format("span/0/0 {} 100", hue)));
}

// The second goes on behind the first: each has a row of its own for all of its time.
TEST(SpanRows, OfSpansThatOverlapAreApart) {
  const auto tracks = tracks_of(
      "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd (name text role=name)\n"
      "type 13 call.begin role=callBegin (function text role=function)\ntype 14 call.end role=callEnd (function text "
      "role=function)\n"
      "stream 1 \"main\"\n0.000000000 1 span.begin name=\"a\"\n0.000000010 1 call.begin function=\"b\"\n"
      "0.000000050 1 span.end name=\"a\"\n0.000000060 1 span.begin name=\"c\"\n0.000000070 1 span.end name=\"c\"\n"
      "0.000000080 1 call.end function=\"b\"\n0.000000100 1 span.begin name=\"d\"\n",
      Scale(0, 100, 100));
  std::vector<std::string> rows;
  for (const Track& track : tracks) {
    if (track.kind != TrackKind::kSpan) continue;
    for (const auto& label : track.labels) rows.push_back(fmt::format("{} {}-{}", label.text, label.first, label.end));
    rows.emplace_back("-");
  }
  EXPECT_THAT(rows, ElementsAre("a 0-50", "-", "b 10-80", "-", "c 60-70", "-"));
}

// Totals are what they are, and changes are added up.
TEST(CounterRows, KnowTotalsAndChanges) {
  const auto tracks = tracks_of(
      "type 1024 total role=counterTotal (name text role=name) (value u64 role=value)\n"
      "type 1025 delta role=counterDelta (name text role=name) (value i64 role=value)\nstream 1 \"main\"\n"
      "0.000000000 1 total name=\"t\" value=5\n0.000000000 1 delta name=\"d\" value=5\n"
      "0.000000050 1 total name=\"t\" value=7\n0.000000050 1 delta name=\"d\" value=7\n0.000000100 1 total name=\"t\" "
      "value=7\n",
      Scale(0, 100, 2));
  std::vector<std::string> rows;
  for (const Track& track : tracks) {
    if (track.kind == TrackKind::kCounter) {
      rows.push_back(fmt::format("{} {} {}", track.name, track.values[0].mean(), track.values[1].mean()));
    }
  }
  EXPECT_THAT(rows, ElementsAre("d 5 12", "t 5 7"));
}

}  // namespace
}  // namespace evt::testing
