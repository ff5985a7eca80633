// Rows of sparks, of objects and of the tracer, by hand; and that they are the same in columns that became wider.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "rows.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using view::Scale;
using view::Track;
using view::TrackKind;
using Lines = std::vector<std::string>;

// Each column that has something: `column: class=count ...`
Lines classes_of(const Track& track) {
  Lines lines;
  for (std::size_t column = 0; column < track.classes.front().size(); ++column) {
    std::string line;
    for (std::size_t i = 0; i < track.classes.size(); ++i) {
      if (track.classes[i][column] > 0) line += fmt::format(" {}={}", i, track.classes[i][column]);
    }
    if (!line.empty()) lines.push_back(fmt::format("{}:{}", column, line));
  }
  return lines;
}

// The same of counts, `column: count`, and of shares, `column: key=ns ...` by the names of the hues of these reasons.
Lines counts_of(const Track& track) {
  Lines lines;
  for (std::size_t column = 0; column < track.counts.size(); ++column) {
    if (track.counts[column] > 0) lines.push_back(fmt::format("{}: {}", column, track.counts[column]));
  }
  return lines;
}

Lines shares_of_reasons(const Track& track, const Lines& reasons) {
  std::map<std::uint32_t, std::string> columns;
  for (const view::Shares& shares : track.shares) {
    for (const view::Shares::Cell& cell : shares.cells()) {
      for (const std::string& reason : reasons) {
        if (view::hue_of(reason) == cell.key) columns[cell.column] += fmt::format(" {}={}", reason, cell.ns);
      }
    }
  }
  Lines lines;
  for (const auto& [column, text] : columns) lines.push_back(fmt::format("{}:{}", column, text));
  return lines;
}

std::vector<Track> of_kind(std::vector<Track> tracks, TrackKind kind) {
  std::erase_if(tracks, [&](const Track& track) { return track.kind != kind; });
  return tracks;
}

constexpr const char* kSparkTypes =
    "type 1 create role=sparkCreate\ntype 2 dud role=sparkDud\ntype 3 overflow role=sparkOverflow\n"
    "type 4 run role=sparkRun\ntype 5 steal role=sparkSteal (victim u16)\ntype 6 fizzle role=sparkFizzle\n"
    "type 7 collect role=sparkCollect\n"
    "type 8 counters role=sparkCounters (created u64) (dud u64) (overflowed u64) (converted u64) (collected u64) "
    "(fizzled u64) (remaining u64)\n"
    "stream 1 \"cap 0\"\nstream 2 \"cap 1\"\n";

TEST(SparkRows, CountWhatBecomesOfSparksOfEachStream) {
  const auto tracks = of_kind(
      tracks_of(std::string(kSparkTypes) + "0.000000001 1 create\n0.000000002 1 create\n0.000000003 1 dud\n"
                                           "0.000000011 1 run\n0.000000012 1 overflow\n0.000000013 2 steal victim=0\n"
                                           "0.000000020 1 fizzle\n0.000000029 1 collect\n",
                Scale(0, 30, 3)),
      TrackKind::kSparks);
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].name, "cap 0");
  EXPECT_THAT(classes_of(tracks[0]), ElementsAre("0: 0=2 3=1", "1: 1=1 2=1", "2: 4=1 5=1"));
  EXPECT_EQ(tracks[1].name, "cap 1");
  EXPECT_THAT(classes_of(tracks[1]), ElementsAre("1: 1=1"));
}

// What counters add is where they are recorded; events that they count already are not counted again.
TEST(SparkRows, AreCountedByCountersWhereThereAreSuch) {
  const auto counters = [](int ns, int created, int converted) {
    return fmt::format(
        "0.{:09} 1 counters created={} dud=0 overflowed=0 converted={} collected=0 fizzled=0 remaining=0\n", ns,
        created, converted);
  };
  const auto tracks =
      of_kind(tracks_of(std::string(kSparkTypes) + "0.000000001 1 create\n" + counters(5, 4, 1) +
                            "0.000000012 1 create\n0.000000013 1 run\n" + counters(25, 10, 1) +
                            "0.000000026 2 counters created=0 dud=0 overflowed=0 converted=0 collected=0 "
                            "fizzled=0 remaining=0\n",
                        Scale(0, 30, 3)),
              TrackKind::kSparks);
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_THAT(classes_of(tracks[0]), ElementsAre("0: 0=4 1=1", "2: 0=6"));
}

constexpr const char* kCallTypes =
    "type 1 open role=objectOpen (fd u64 role=object) (kind text role=resource)\n"
    "type 2 named role=objectName (fd u64 role=object) (path text role=name)\n"
    "type 3 close role=objectClose (fd u64 role=object)\n"
    "type 4 enter role=callBegin (function text role=function) (fd u64 role=object) (asked u64 role=amount)\n"
    "type 5 leave role=callEnd (got i64 role=amount)\n"
    "type 6 whole role=call (function text role=function) (fd u64 role=object) (done u64 role=amount) "
    "(ns u64 role=duration unit=nanoseconds)\n"
    "type 7 tick\n"
    "stream 1 \"main\" thread=1\n";

TEST(ObjectRows, HaveTheAmountsOfCallsWhereTheyEnd) {
  const auto tracks =
      of_kind(tracks_of(std::string(kCallTypes) +
                            "0.000000001 1 open fd=3 kind=\"file\"\n0.000000001 1 named fd=3 path=\"/etc/hosts\"\n"
                            "0.000000002 1 enter function=\"read\" fd=3 asked=100\n0.000000012 1 leave got=60\n"
                            "0.000000013 1 enter function=\"read\" fd=3 asked=100\n0.000000014 1 leave got=-1\n"
                            "0.000000022 1 whole function=\"write\" fd=4 done=500 ns=5\n"
                            "0.000000023 1 close fd=3\n"
                            "0.000000024 1 open fd=3 kind=\"socket\"\n"
                            "0.000000025 1 whole function=\"send\" fd=3 done=7 ns=1\n0.000000029 1 tick\n",
                        Scale(0, 30, 3)),
              TrackKind::kObject);
  ASSERT_EQ(tracks.size(), 3u);
  EXPECT_EQ(tracks[0].name, "object 4");
  EXPECT_EQ(tracks[0].unit, "B");
  EXPECT_THAT(counts_of(tracks[0]), ElementsAre("2: 500"));
  EXPECT_EQ(tracks[1].name, "/etc/hosts");
  EXPECT_THAT(counts_of(tracks[1]), ElementsAre("1: 60"));
  EXPECT_EQ(tracks[2].name, "socket 3");
  EXPECT_THAT(counts_of(tracks[2]), ElementsAre("2: 7"));
}

TEST(ObjectRows, AreBehindAllOthers) {
  const auto tracks = tracks_of(std::string(kCallTypes) + "0.000000022 1 whole function=\"write\" fd=4 done=500 ns=5\n",
                                Scale(0, 30, 3));
  EXPECT_EQ(tracks.back().name, "object 4");
  EXPECT_GT(tracks.size(), 1u);
}

// Object i has i bytes, in one column of three; the largest come first.
TEST(ObjectRows, AreOneForAllThatHaveLessThanThe64Largest) {
  std::string text = kCallTypes;
  std::uint64_t least[3] = {};
  for (int column = 0; column < 3; ++column) {
    for (int i = 1; i <= 70; ++i) {
      if (i % 3 != column) continue;
      text += fmt::format("0.{:09} 1 whole function=\"write\" fd={} done={} ns=1\n", 10 * column + 5, i, i);
      if (i <= 6) least[column] += static_cast<std::uint64_t>(i);
    }
  }
  const auto tracks = of_kind(tracks_of(text, Scale(0, 30, 3)), TrackKind::kObject);
  ASSERT_EQ(tracks.size(), 65u);
  EXPECT_EQ(tracks.front().name, "object 70");
  EXPECT_EQ(tracks[63].name, "object 7");
  EXPECT_EQ(tracks.back().name, "other objects");
  EXPECT_EQ(tracks.back().counts, (std::vector<std::uint64_t>{least[0], least[1], least[2]}));
}

TEST(ObjectRows, AreNoneWithoutAmounts) {
  EXPECT_THAT(of_kind(tracks_of("type 1 whole role=call (fd u64 role=object) (ns u64 role=duration unit=nanoseconds)\n"
                                "stream 1 \"main\"\n0.000000005 1 whole fd=3 ns=1\n",
                                Scale(0, 30, 3)),
                      TrackKind::kObject),
              IsEmpty());
}

constexpr const char* kOverheadTypes =
    "type 1 cost role=overhead (why text role=reason) (ns u64 role=duration unit=nanoseconds)\n"
    "stream 1 \"main\"\nstream 2 \"flusher\"\n";

// Two streams: each has half of the row.
TEST(TracerRows, AreTheSumOfWhatTracingTookOnEachStream) {
  const auto tracks = of_kind(tracks_of(std::string(kOverheadTypes) + "0.000000008 1 cost why=\"wait for room\" ns=3\n"
                                                                      "0.000000025 2 cost why=\"flush\" ns=20\n",
                                        Scale(0, 30, 30)),
                              TrackKind::kTracer);
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].name, "tracer");
  EXPECT_EQ(tracks[0].rows, 2u);
  const Lines columns = shares_of_reasons(tracks[0], {"wait for room", "flush"});
  ASSERT_EQ(columns.size(), 20u);
  EXPECT_EQ(columns[0], "5: wait for room=1 flush=1");
  EXPECT_EQ(columns[3], "8: flush=1");
  EXPECT_EQ(columns[19], "24: flush=1");
  ASSERT_EQ(tracks[0].labels.size(), 1u);
  EXPECT_EQ(tracks[0].labels[0].text, "flush");
  EXPECT_EQ(tracks[0].labels[0].first, 5u);
  EXPECT_EQ(tracks[0].labels[0].end, 25u);
}

TEST(TracerRows, CountWhatOverlapsOnAStreamOnce) {
  const auto tracks =
      of_kind(tracks_of(std::string(kOverheadTypes) +
                            "0.000000010 1 cost why=\"flush\" ns=5\n0.000000012 1 cost why=\"wait\" ns=10\n",
                        Scale(0, 30, 3)),
              TrackKind::kTracer);
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_THAT(shares_of_reasons(tracks[0], {"flush", "wait"}), ElementsAre("0: flush=5", "1: wait=2"));
}

// All of a trace's rows as text, in columns of 2^level ns.
Lines lines_of(const std::string& bytes, unsigned level, unsigned coarsened) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  const unsigned fine = level - coarsened;
  view::Rows rows(timeline, Scale::of_level(fine, 0, 1024u >> fine));
  while (const TimelineItem* const item = timeline.next()) rows.take(*item);
  for (unsigned i = 0; i < coarsened; ++i) rows.coarsen();
  Lines lines;
  for (const Track& track : rows.tracks(all_rows, 1024)) {
    lines.push_back(track.name);
    Lines columns;
    if (track.kind == TrackKind::kSparks) columns = classes_of(track);
    if (track.kind == TrackKind::kObject) columns = counts_of(track);
    if (track.kind == TrackKind::kTracer) columns = shares_of_reasons(track, {"flush", "wait"});
    lines.insert(lines.end(), columns.begin(), columns.end());
  }
  return lines;
}

TEST(MoreRows, AreTheSameInColumnsThatBecameWider) {
  std::string text =
      "type 1 create role=sparkCreate\ntype 2 run role=sparkRun\n"
      "type 3 cost role=overhead (why text role=reason) (ns u64 role=duration unit=nanoseconds)\n"
      "type 4 whole role=call (function text role=function) (fd u64 role=object) (done u64 role=amount) "
      "(ns u64 role=duration unit=nanoseconds)\nstream 1 \"main\"\n";
  for (int i = 1; i < 200; ++i) {
    const int ns = 5 * i;
    text += fmt::format("0.{:09} 1 create\n", ns);
    if (i % 3 == 0) text += fmt::format("0.{:09} 1 run\n", ns);
    if (i % 5 == 0) text += fmt::format("0.{:09} 1 cost why=\"{}\" ns={}\n", ns, i % 2 == 0 ? "flush" : "wait", i % 40);
    if (i % 7 == 0) text += fmt::format("0.{:09} 1 whole function=\"f\" fd={} done={} ns=1\n", ns, 1 + i % 4, i);
  }
  const std::string bytes = trace_from_text(text);
  EXPECT_GT(lines_of(bytes, 4, 0).size(), 100u);
  for (const unsigned coarsened : {1u, 3u, 4u}) EXPECT_EQ(lines_of(bytes, 4, coarsened), lines_of(bytes, 4, 0));
}

}  // namespace
}  // namespace evt::testing
