// Rows of asynchronous spans: their lanes and bounds, what they are called, and those of merged sessions.
#include <evt/analysis/spans.h>
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "merged.h"
#include "rows.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using view::Scale;
using view::Track;
using Lines = std::vector<std::string>;

constexpr const char* kTypes =
    "type 1 began role=asyncBegin (id u64 role=spanId) (name text role=name)\n"
    "type 2 ended role=asyncEnd (id u64 role=spanId) (name text role=name)\n"
    "type 3 tick\nstream 1 \"s\"\nstream 2 \"t\"\n";

std::string began(int ns, int id, const std::string& name) {
  return fmt::format("0.{:09} 1 began id={} name=\"{}\"\n", ns, id, name);
}
std::string ended(int ns, int id, const std::string& name) {
  return fmt::format("0.{:09} 1 ended id={} name=\"{}\"\n", ns, id, name);
}

// Of asynchronous spans: `key name: column=ns ...`
Lines lines_of(const std::vector<Track>& tracks) {
  Lines lines;
  for (const Track& track : tracks) {
    if (track.kind != view::TrackKind::kAsync) continue;
    std::string line = track.key + " " + track.name + ":";
    for (const view::Shares::Cell& cell : track.shares.front().cells())
      line += fmt::format(" {}={}", cell.column, cell.ns);
    lines.push_back(line);
  }
  return lines;
}

TEST(AsyncRows, HaveTheLowestLaneThatIsFree) {
  EXPECT_THAT(lines_of(tracks_of(kTypes + began(0, 1, "a") + began(10, 2, "a") + began(10, 1, "b") + ended(20, 1, "a") +
                                     began(20, 3, "a") + ended(25, 1, "b") + ended(30, 2, "a") + ended(35, 3, "a") +
                                     began(40, 4, "a") + "0.000000050 1 tick\n",
                                 Scale(0, 50, 5))),
              ElementsAre("async/0/0 a: 0=10 1=10 2=10 3=5 4=10", "async/0/1 : 1=10 2=10", "async/1/0 b: 1=10 2=5"));
}

// One span cannot be told from another of the same name, id and time, and needs not be.
TEST(AsyncRows, EndWhatBeganWhereIdsAreUsedTwice) {
  EXPECT_THAT(lines_of(tracks_of(kTypes + began(0, 1, "a") + began(0, 1, "a") + began(10, 1, "a") + ended(20, 1, "a") +
                                     ended(30, 1, "a") + ended(40, 1, "a"),
                                 Scale(0, 50, 5))),
              ElementsAre("async/0/0 a: 0=10 1=10 2=10", "async/0/1 : 0=10 1=10 2=10 3=10", "async/0/2 : 1=10"));
}

// Of 20 ids and 3 names, so that all have lanes.
TEST(AsyncRows, AddUpToTheStatisticsOfRandomTraces) {
  std::mt19937 random(4);
  std::string text = kTypes;
  std::map<int, std::string> open;
  for (int ns = 0; ns < 2000; ns += 1 + static_cast<int>(random() % 9)) {
    const int id = static_cast<int>(random() % 20);
    const auto [its, is_new] = open.try_emplace(id, fmt::format("n{}", random() % 3));
    text += is_new ? began(ns, id, its->second) : ended(ns, id, its->second);
    if (!is_new) open.erase(its);
  }
  for (const auto& [id, name] : open) text += ended(2000, id, name);
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  Spans spans(timeline, {});
  while (const TimelineItem* const item = timeline.next()) spans.take(*item);
  std::map<std::string, std::uint64_t> expected;
  for (const Spans::Row& row : spans.rows(SpanKind::kAsync)) expected[timeline.names().text(row.name)] = row.sum_ns;
  std::map<std::string, std::uint64_t> found;
  std::string name;
  for (const Track& track : tracks_of(trace, Scale(0, 2000, 70))) {
    if (track.kind != view::TrackKind::kAsync) continue;
    if (!track.name.empty()) name = track.name;
    for (const view::Shares::Cell& cell : track.shares.front().cells()) found[name] += cell.ns;
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), 3u);
}

TEST(AsyncRows, AreOneForAllThatOverlapWith32Others) {
  std::string text = kTypes;
  for (int i = 0; i < 40; ++i) text += began(i, i, "a");
  for (int i = 0; i < 40; ++i) text += ended(60 + i, i, "a");
  text += began(100, 5, "a") + ended(110, 5, "a");
  const Lines lines = lines_of(tracks_of(text, Scale(0, 120, 12)));
  ASSERT_EQ(lines.size(), 33u);
  EXPECT_EQ(lines[0], "async/0/0 a: 0=10 1=10 2=10 3=10 4=10 5=10 10=10");
  EXPECT_EQ(lines[31], "async/0/31 : 3=9 4=10 5=10 6=10 7=10 8=10 9=1");
  EXPECT_EQ(lines[32], "async/0/32 more a: 3=8 4=10 5=10 6=10 7=10 8=10 9=9");
}

TEST(AsyncRows, ShareLanesBeyond64Names) {
  std::string text = kTypes;
  for (int i = 0; i < 67; ++i) text += began(i, 1, fmt::format("n{}", i));
  for (int i = 0; i < 67; ++i) {
    if (i != 65) text += ended(70 + i / 10, 1, fmt::format("n{}", i));
  }
  text += ended(90, 1, "n65");
  const Lines lines = lines_of(tracks_of(text, Scale(0, 100, 10)));
  ASSERT_EQ(lines.size(), 67u);
  EXPECT_EQ(lines[63], "async/63/0 n63: 6=7 7=6");
  EXPECT_EQ(lines[64], "async/64/0 other async spans: 6=6 7=6");
  EXPECT_EQ(lines[65], "async/64/1 : 6=5 7=10 8=10");
  EXPECT_EQ(lines[66], "async/64/2 : 6=4 7=6");
}

// Whatever names are in it, the row of those without a lane has one colour: a part of it would state nothing.
TEST(AsyncRows, OfOtherNamesWithoutALaneHaveOneColour) {
  std::string text = kTypes;
  for (int i = 0; i < 100; ++i) text += began(i, 1, fmt::format("n{}", i));
  text += "0.000000120 1 tick\n";
  const Lines lines = lines_of(tracks_of(text, Scale(0, 120, 6)));
  ASSERT_EQ(lines.size(), 97u);
  EXPECT_EQ(lines[95], "async/64/31 : 4=5 5=20");
  EXPECT_EQ(lines[96], "async/64/32 more other async spans: 4=4 5=20");
}

std::string part_of(const char* uuid, const std::string& events) {
  return fmt::format(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{} start=1767225600.000000000 program=\"p\"\n{}{}",
      uuid, kTypes, events);
}

TEST(AsyncRows, OfPartsAreApart) {
  const std::string bytes = merged_of(
      {part_of("01", began(0, 1, "a") + ended(10, 1, "a")), part_of("02", began(5, 1, "a") + ended(15, 1, "a"))});
  Trace trace = open_trace(bytes);
  const std::vector<Track> tracks = tracks_of(trace, Scale(0, 20, 2));
  EXPECT_THAT(lines_of(tracks), ElementsAre("async/0/0 a: 0=10", "async/1/0 a: 0=5 1=5"));
  EXPECT_EQ(tracks[0].part, 0u);
  EXPECT_EQ(tracks[2].part, 1u);
}

// Events of the first part are lost from 10 on; the second span begins meanwhile.
TEST(AsyncRows, AreUncertainFromALossInTheirPartToTheirEnd) {
  const std::string bytes =
      merged_of({part_of("01", began(0, 1, "a") + began(25, 2, "a") +
                                   "0.000000030 2 !lost count=3 cause=ring_full duration=0.000000020\n" +
                                   ended(50, 1, "a") + ended(60, 2, "a")),
                 part_of("02", began(0, 1, "b") + ended(60, 1, "b"))});
  Trace trace = open_trace(bytes);
  Lines uncertain;
  for (const Track& track : tracks_of(trace, Scale(0, 100, 20))) {
    if (track.kind != view::TrackKind::kAsync) continue;
    uncertain.push_back(track.key + ":");
    for (const view::Bands::Run& run : track.uncertain.runs()) {
      uncertain.back() += fmt::format(" {}-{}", run.first, run.end);
    }
  }
  EXPECT_THAT(uncertain, ElementsAre("async/0/0: 2-10", "async/0/1: 5-12", "async/1/0:"));
}

}  // namespace
}  // namespace evt::testing
