// Rows whose columns became wider have what rows have that were made in these columns.
#include "libtrace-view/tiles/fine_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "analyze/scheduling.h"
#include "rows.h"

namespace evt::testing {
namespace {

using view::Bands;
using view::FineRows;
using view::Rows;
using view::Scale;
using view::Shares;
using view::Track;
using view::TrackLabel;
using view::ValueColumn;

// All that a track has, whatever the order of states in a column.
std::string text_of(const Track& track) {
  std::string text = track.key + " " + track.name + ":";
  for (const Shares& shares : track.shares) {
    std::map<std::pair<std::uint32_t, int>, std::uint64_t> cells;
    for (const Shares::Cell& cell : shares.cells()) cells[{cell.column, cell.key}] += cell.ns;
    for (const auto& [where, ns] : cells) text += fmt::format(" {}/{}={}", where.first, where.second, ns);
  }
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    const ValueColumn& column = track.values[i];
    if (!column.is_empty()) {
      text += fmt::format(" {}={}..{} {}/{}", i, column.min, column.max, column.value_ns, column.ns);
    }
  }
  for (std::size_t i = 0; i < track.counts.size(); ++i) {
    if (track.counts[i] > 0) text += fmt::format(" {}={}", i, track.counts[i]);
  }
  for (std::size_t of = 0; of < track.classes.size(); ++of) {
    for (std::size_t i = 0; i < track.classes[of].size(); ++i) {
      if (track.classes[of][i] > 0) text += fmt::format(" {}:{}={}", of, i, track.classes[of][i]);
    }
  }
  for (const Bands* const bands : {&track.lost, &track.stopped, &track.uncertain}) {
    text += " |";
    for (const Bands::Run& run : bands->runs()) text += fmt::format(" {}-{}", run.first, run.end);
  }
  for (const TrackLabel& label : track.labels) text += fmt::format(" {}-{} {}", label.first, label.end, label.text);
  return text;
}

std::vector<std::string> texts_of(const std::vector<Track>& tracks) {
  std::vector<std::string> texts;
  for (const Track& track : tracks) texts.push_back(text_of(track));
  return texts;
}

// Of the first session.
Timeline begun(Trace& trace) {
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  return timeline;
}

// What Rows in columns of this scale have when all of the session was read.
std::vector<std::string> made_at_once(Trace& trace, const Scale& scale, std::int64_t until_ns) {
  Timeline timeline = begun(trace);
  Rows rows(timeline, scale);
  while (const TimelineItem* const item = timeline.next()) rows.take(*item);
  return texts_of(rows.tracks(all_rows, rows.plan(all_rows, scale, until_ns), rows.object_plan(), scale, until_ns));
}

// The same of rows that began with columns of a nanosecond and could not keep them.
std::vector<std::string> made_wider(Trace& trace, const Scale& scale, std::int64_t until_ns, std::size_t most) {
  const Scale fine = Scale::of_level(0, 0, 1u << 20);
  FineRows rows(begun(trace), fine, {most, scale.level(), false});
  while (rows.go_on(37)) continue;
  return texts_of(rows.rows().tracks(all_rows, rows.rows().plan(all_rows, scale, until_ns), rows.rows().object_plan(),
                                     scale, until_ns));
}

std::string with_spans_and_counters(unsigned seed) {
  std::mt19937 random(seed);
  std::string text =
      "type 1 in role=spanBegin (name text role=name)\ntype 2 out role=spanEnd\n"
      "type 3 load role=counter (name text role=name) (value i64 role=value)\n"
      "type 4 note role=mark (message text role=message)\n"
      "type 5 spark role=sparkCreate\ntype 6 flush role=overhead (d u32 role=duration unit=nanoseconds)\n"
      "type 7 read role=call (f text role=function) (o u32 role=object) (a u32 role=amount) (d u32 role=duration "
      "unit=nanoseconds)\n"
      "type 8 began role=asyncBegin (id u32 role=spanId) (name text role=name)\n"
      "type 9 ended role=asyncEnd (id u32 role=spanId) (name text role=name)\n"
      "stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\n";
  std::int64_t ns = 0;
  int open[3] = {};
  for (int i = 0; i < 400; ++i) {
    ns += random() % 8 == 0 ? random() % 20'000 : random() % 300;
    const unsigned stream = 1 + random() % 2;
    const std::string at = fmt::format("0.{:09} {} ", ns, stream);
    switch (random() % 11) {
      case 0:
      case 1:
        text += at + fmt::format("in name=\"n{}\"\n", random() % 4);
        ++open[stream];
        break;
      case 2:
        if (open[stream]-- > 0) text += at + "out\n";
        open[stream] = std::max(open[stream], 0);
        break;
      case 3:
        text += at + fmt::format("load name=\"queue\" value={}\n", static_cast<int>(random() % 100) - 50);
        break;
      case 4:
        text += at + "spark\n";
        break;
      case 5:
        text += at + fmt::format("flush d={}\n", random() % 500);
        break;
      case 6:
        text += at + fmt::format("read f=\"read\" o={} a={} d={}\n", 1 + random() % 3, random() % 100, random() % 200);
        break;
      case 7:
      case 8:
        text += at + fmt::format("began id={} name=\"n{}\"\n", random() % 3, random() % 2);
        break;
      case 9:
        text += at + fmt::format("ended id={} name=\"n{}\"\n", random() % 3, random() % 2);
        break;
      default:
        if (random() % 4 == 0) text += at + "!lost count=3 cause=ring_full duration=0.000000050\n";
        text += at + fmt::format("note message=\"m{}\"\n", i);
    }
  }
  return text;
}

void expect_the_same(const std::string& text, unsigned seed) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const std::int64_t last_ns = trace.sessions().front().last_ns;
  for (const unsigned level : {10u, 14u, 18u}) {
    const Scale scale = Scale::of_level(level, 0, (1u << 20) >> level);
    for (const std::size_t most : {std::size_t{1}, std::size_t{300}, std::size_t{1'000'000}}) {
      EXPECT_EQ(made_wider(trace, scale, last_ns, most), made_at_once(trace, scale, last_ns))
          << "seed " << seed << ", level " << level << ", most " << most;
    }
  }
}

TEST(FineRows, OfRandomSchedulesAreTheSameWhateverMemoryTheyHad) {
  for (unsigned seed = 0; seed < 8; ++seed) expect_the_same(Scheduling(seed).text(), seed);
}

TEST(FineRows, OfRandomSpansAndCountersAreTheSameWhateverMemoryTheyHad) {
  for (unsigned seed = 0; seed < 8; ++seed) expect_the_same(with_spans_and_counters(seed), seed);
}

TEST(FineRows, ShowAPartOfTheirColumns) {
  const std::string bytes = trace_from_text(with_spans_and_counters(5));
  Trace trace = open_trace(bytes);
  const std::int64_t last_ns = trace.sessions().front().last_ns;
  FineRows rows(begun(trace), Scale::of_level(2, 0, 1u << 18), {1'000'000, 2, false});
  while (rows.go_on(1000)) continue;
  const view::LanePlan plan = rows.rows().plan(all_rows, rows.scale(), last_ns);
  for (std::int64_t first = -3; first < 40; first += 6) {
    const Scale window = Scale::of_level(9, first, 10);
    Timeline timeline = begun(trace);
    Rows exact(timeline, window);
    while (const TimelineItem* const item = timeline.next()) exact.take(*item);
    EXPECT_EQ(texts_of(rows.rows().tracks(all_rows, plan, {}, window, last_ns)),
              texts_of(exact.tracks(all_rows, plan, {}, window, last_ns)))
        << first;
  }
}

// Rows that go on from a mark have in a window what rows have that were read from the start.
void expect_the_same_behind_marks(const std::string& text, unsigned seed) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const std::int64_t last_ns = trace.sessions().front().last_ns;
  Timeline whole = begun(trace);
  Rows rows(whole, Scale(0, 1, 1));
  for (int items = 0; const TimelineItem* const item = whole.next(); ++items) {
    rows.take(*item);
    if (items % 20 != 0) continue;
    const std::optional<Timeline::Mark> mark = whole.mark();
    if (!mark) continue;
    const Rows state(rows, whole, Scale(0, 1, 1));
    const Scale window = Scale::of_level(8, (mark->ns() >> 8) + 1, 50);
    const std::int64_t until_ns = std::min(last_ns, window.to_ns());
    FineRows later(whole.behind(*mark, window.to_ns()), state, window, {1000, 8, false});
    while (later.go_on(1000)) continue;
    Timeline::Options options;
    options.range = [&](const Session&) { return TimeRange{INT64_MIN, window.to_ns()}; };
    Timeline from_start(trace, options);
    ASSERT_TRUE(from_start.next_session());
    Rows exact(from_start, window);
    while (const TimelineItem* const each = from_start.next()) exact.take(*each);
    const view::LanePlan plan = exact.plan(all_rows, window, until_ns);
    ASSERT_EQ(texts_of(later.rows().tracks(all_rows, plan, exact.object_plan(), window, until_ns)),
              texts_of(exact.tracks(all_rows, plan, exact.object_plan(), window, until_ns)))
        << "seed " << seed << ", behind " << mark->ns();
  }
}

TEST(FineRows, GoOnFromMarks) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    expect_the_same_behind_marks(Scheduling(seed).text(), seed);
    expect_the_same_behind_marks(with_spans_and_counters(seed), seed);
  }
}

// By the blocks' headers: a tenth of the time was read, and the events of all of it are there.
TEST(FineRows, ShowHowManyEventsStreamsHaveThatWereNotRead) {
  std::string text = "type 1 note role=mark (message text role=message)\nstream 1 \"a\"\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("0.0000{:02}000 1 note message=\"n\"\n", i);
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const Scale scale = Scale::of_level(14, 0, 10);
  FineRows rows(begun(trace), scale, {1000, 14, false});
  rows.rows().expect(trace.rows_in_time(trace.sessions().front()));
  const auto counts = [&] {
    return rows.rows()
        .tracks([](view::TrackKind kind, const std::string&) { return kind == view::TrackKind::kEvents; },
                rows.until_ns())
        .at(0)
        .counts;
  };
  while (rows.until_ns() < 10'000) rows.go_on(1);
  const std::vector<std::uint64_t> expected = counts();
  EXPECT_NEAR(static_cast<double>(std::accumulate(expected.begin(), expected.end(), std::uint64_t{0})), 100, 1);
  while (rows.go_on(1000)) continue;
  const std::vector<std::uint64_t> all = counts();
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 100u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(expected[i]), static_cast<double>(all[i]), 1) << i;
  }
}

// Half of the events: what goes on is drawn up to the last one that was read.
TEST(FineRows, HaveWhatWasReadSoFar) {
  std::string text =
      "type 1 in role=spanBegin (name text role=name)\ntype 2 out role=spanEnd\nstream 1 \"a\" thread=1\n";
  for (int i = 0; i < 10; ++i) text += fmt::format("0.00000{}000 1 in name=\"n\"\n0.00000{}500 1 out\n", i, i);
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const Scale scale = Scale::of_level(9, 0, 40);
  FineRows rows(begun(trace), scale, {1000, 9, false});
  while (rows.until_ns() < 5'000) rows.go_on(1);
  EXPECT_FALSE(rows.is_complete());
  std::uint64_t ns = 0;
  const std::vector<Track> tracks = rows.rows().tracks(
      [](view::TrackKind kind, const std::string&) { return kind == view::TrackKind::kSpan; }, rows.until_ns());
  ASSERT_EQ(tracks.size(), 1u);
  for (const Shares::Cell& cell : tracks[0].shares[0].cells()) ns += cell.ns;
  EXPECT_EQ(ns, 5u * 500u);
}

}  // namespace
}  // namespace evt::testing
