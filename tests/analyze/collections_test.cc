// Collections of garbage, their pauses, and sparks.
#include <evt/analysis/collections.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr std::string_view kGcTypes =
    "type 4 run role=threadRun (thread u64 role=thread)\ntype 5 stop role=threadStop (thread u64 role=thread)\n"
    "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
    "type 1024 start role=gcStart\ntype 1025 sync role=gcSync\n"
    "type 1026 stats role=gcStatistics (generation u16 role=generation)\n"
    "type 1030 request role=gcRequest\ntype 1031 stop.all role=gcPauseBegin\ntype 1032 go.on role=gcPauseEnd\n"
    "type 1033 mark.begin role=gcConcurrentBegin\ntype 1034 mark.end role=gcConcurrentEnd\n"
    "type 1027 spark role=sparkCreate\ntype 1028 ran role=sparkRun\n"
    "type 1029 sparks role=sparkCounters (created u64) (dud u64) (overflowed u64) (converted u64) (collected u64) "
    "(fizzled u64) (remaining u64)\n"
    "stream 1 \"cap 0\"\nstream 2 \"cap 1\"\n";

std::string words_of_collections(Collections& collections, std::int64_t to_ns) {
  std::string words;
  for (const auto& [generation, pauses] : collections.by_generation()) {
    words += generation == Collections::kNoGeneration ? "collections:" : fmt::format("generation {}:", generation);
    words += fmt::format(" {} in {}, at most {}\n", pauses.count(), pauses.sum(), pauses.max());
  }
  for (const Collections::Capability& row : collections.capabilities(to_ns)) {
    words += fmt::format("{}: {} collections, collector {}, mutator {}\n", row.stream->name, row.collections,
                         row.collector_ns, row.mutator_ns);
    const Collections::Sparks& sparks = row.sparks;
    if (sparks.all() > 0) {
      words += fmt::format("  sparks {} {} {} {} {} {}\n", sparks.created, sparks.dud, sparks.overflowed,
                           sparks.converted, sparks.collected, sparks.fizzled);
    }
  }
  const Collections::Doubts doubts = collections.doubts();
  const std::uint64_t stopping = collections.stopping_ns(to_ns);
  const std::uint64_t concurrent = collections.concurrent_ns(to_ns);
  if (stopping + concurrent > 0) words += fmt::format("stopping {}, concurrent {}\n", stopping, concurrent);
  if (doubts.unmatched_ends > 0) words += fmt::format("{} unmatched\n", doubts.unmatched_ends);
  if (doubts.unended > 0) words += fmt::format("{} unended\n", doubts.unended);
  if (doubts.unfinished > 0) words += fmt::format("{} unfinished\n", doubts.unfinished);
  if (doubts.lost_in > 0) words += fmt::format("{} with losses\n", doubts.lost_in);
  return words;
}

std::string collections_of(const std::string& text, std::int64_t to_ns, std::int64_t from_ns = INT64_MIN) {
  const std::string bytes = trace_from_text(std::string(kGcTypes) + text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  if (!timeline.next_session()) return "no session";
  Collections collections(timeline.actors().session());
  take_all(timeline, collections, from_ns);
  return words_of_collections(collections, to_ns);
}

TEST(Collections, PauseTheProgram) {
  EXPECT_EQ(collections_of("0.000000010 1 run thread=7\n0.000000020 1 stop thread=7\n"
                           "0.000000020 1 gc.start generation=1\n0.000000050 1 gc.end\n"
                           "0.000000050 1 run thread=7\n0.000000090 1 stop thread=7\n",
                           100),
            "generation 1: 1 in 30, at most 30\n"
            "cap 0: 1 collections, collector 30, mutator 50\n");
}

TEST(Collections, OfSeveralStreamsAreOneThatItsLeaderTimes) {
  EXPECT_EQ(
      collections_of("0.000000010 1 start\n0.000000015 2 start\n0.000000016 2 sync\n0.000000040 2 stats generation=0\n"
                     "0.000000041 2 gc.end\n0.000000045 1 gc.end\n",
                     100),
      "generation 0: 1 in 26, at most 26\n"
      "cap 0: 1 collections, collector 35, mutator 0\n"
      "cap 1: 1 collections, collector 26, mutator 0\n");
}

// As GHC 9 has them in order of time: the end is stamped before what describes it.
TEST(Collections, HaveALeaderThatMaySaySoAfterItsEnd) {
  EXPECT_EQ(collections_of("0.000000010 1 start\n0.000000015 2 start\n0.000000041 2 gc.end\n0.000000042 2 sync\n"
                           "0.000000043 2 stats generation=0\n0.000000045 1 gc.end\n"
                           "0.000000060 1 start\n0.000000080 1 gc.end\n",
                           100),
            "generation 0: 1 in 26, at most 26\n"
            "collections: 1 in 20, at most 20\n"
            "cap 0: 2 collections, collector 55, mutator 0\n"
            "cap 1: 1 collections, collector 26, mutator 0\n");
}

TEST(Collections, WithoutALeaderAreOneOfEachStream) {
  EXPECT_EQ(
      collections_of("0.000000010 1 start\n0.000000015 2 start\n0.000000041 2 gc.end\n0.000000045 1 gc.end\n", 100),
      "collections: 2 in 61, at most 35\n"
      "cap 0: 1 collections, collector 35, mutator 0\n"
      "cap 1: 1 collections, collector 26, mutator 0\n");
}

// From a request to the collection, and for what works beside the program. Who collects asks for no other.
TEST(Collections, HaveTimeBetweenThem) {
  const std::string events =
      "0.000000010 1 request\n0.000000015 2 request\n0.000000020 1 start\n0.000000025 1 request\n"
      "0.000000050 1 gc.end\n0.000000060 2 mark.begin\n0.000000070 1 stop.all\n0.000000075 1 go.on\n"
      "0.000000080 2 mark.end\n0.000000090 1 request\n";
  EXPECT_EQ(collections_of(events, 100),
            "collections: 1 in 30, at most 30\ncap 0: 1 collections, collector 30, mutator 0\n"
            "stopping 25, concurrent 20\n");
  EXPECT_EQ(collections_of(events, 100, 73), "stopping 12, concurrent 7\n");
}

TEST(Collections, ThatDoNotFitAreToldOf) {
  EXPECT_EQ(collections_of("0.000000010 1 gc.end\n0.000000020 1 start\n0.000000030 1 start\n0.000000040 1 gc.end\n"
                           "0.000000050 1 start\n0.000000060 1 !lost count=1 cause=ring_full duration=0.000000000\n",
                           60),
            "collections: 1 in 10, at most 10\n"
            "cap 0: 3 collections, collector 20, mutator 0\n"
            "1 unmatched\n1 unended\n1 unfinished\n1 with losses\n");
}

TEST(Collections, CountFromAMomentOn) {
  EXPECT_EQ(
      collections_of("0.000000010 1 start\n0.000000050 1 gc.end\n0.000000060 1 start\n0.000000070 1 gc.end\n", 100, 30),
      "collections: 2 in 30, at most 20\n"
      "cap 0: 2 collections, collector 30, mutator 0\n");
}

TEST(Sparks, AreCountedOneByOne) {
  EXPECT_EQ(collections_of("0.000000010 1 spark\n0.000000020 1 spark\n0.000000030 2 ran\n", 100),
            "cap 0: 0 collections, collector 0, mutator 0\n  sparks 2 0 0 0 0 0\n"
            "cap 1: 0 collections, collector 0, mutator 0\n  sparks 0 0 0 1 0 0\n");
}

TEST(Sparks, AreWhatCountersSayWhereThereAreAny) {
  EXPECT_EQ(
      collections_of("0.000000010 1 spark\n"
                     "0.000000020 1 sparks created=5 dud=4 overflowed=3 converted=2 collected=1 fizzled=6 remaining=0\n"
                     "0.000000030 1 sparks created=15 dud=14 overflowed=13 converted=12 collected=11 fizzled=16 "
                     "remaining=0\n",
                     100),
      "cap 0: 0 collections, collector 0, mutator 0\n  sparks 15 14 13 12 11 16\n");
}

// The least that any window leaves beside these stops, tried at each of many begins.
std::optional<std::int64_t> least_left(const std::vector<std::pair<std::int64_t, std::int64_t>>& stops,
                                       std::int64_t window, std::int64_t end, std::int64_t step) {
  if (window > end) return std::nullopt;
  std::int64_t least = window;
  for (std::int64_t begin = 0; begin + window <= end; begin += step) {
    std::int64_t left = window;
    for (const auto& [from, to] : stops)
      left -= std::max<std::int64_t>(std::min(to, begin + window) - std::max(from, begin), 0);
    least = std::min(least, left);
  }
  return least;
}

std::vector<std::optional<std::uint64_t>> utilization_of(const std::string& text, std::int64_t to_ns,
                                                         std::int64_t from_ns) {
  const std::string bytes = trace_from_text(std::string(kGcTypes) + text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  timeline.next_session();
  Collections collections(timeline.actors().session());
  collections.begin(0);
  take_all(timeline, collections, from_ns);
  return collections.utilization(to_ns);
}

// Pauses begin and end at tenths of milliseconds, so that each window that could be the worst is tried.
TEST(Collections, LeaveTheProgramWhatTheWorstWindowLeaves) {
  constexpr std::int64_t kStep = 100'000;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<std::int64_t, std::int64_t>> stops;
    std::string text;
    std::int64_t now = 0;
    for (int i = 0; i < 30; ++i) {
      const std::int64_t from = now + kStep * static_cast<std::int64_t>(1 + random() % 40);
      now = from + kStep * static_cast<std::int64_t>(1 + random() % (seed % 2 == 0 ? 9 : 60));
      stops.emplace_back(from, now);
      text += fmt::format("{:.9f} 1 start\n{:.9f} 1 gc.end\n", double(from) / 1e9, double(now) / 1e9);
    }
    const std::int64_t end = now + kStep * static_cast<std::int64_t>(random() % 30);
    // Of all, and of what is behind the tenth.
    for (const std::int64_t begin : {std::int64_t{0}, stops[10].second + kStep}) {
      std::vector<std::pair<std::int64_t, std::int64_t>> counted;
      for (const auto& [from, to] : stops) {
        if (from >= begin) counted.emplace_back(from - begin, to - begin);
      }
      const auto found = utilization_of(text, end, begin == 0 ? INT64_MIN : begin);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto wanted = least_left(counted, Collections::windows()[i], end - begin, kStep);
        EXPECT_EQ(found[i].has_value(), wanted.has_value()) << seed << " " << i;
        EXPECT_EQ(static_cast<std::int64_t>(found[i].value_or(0)), wanted.value_or(0))
            << seed << " " << i << " " << begin;
      }
    }
  }
}

// More pauses than are looked at together.
TEST(Collections, OfManyPausesLeaveWhatTheWorstOfManyWindowsLeaves) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) {
    const int length = i == 7000 ? 900 : 100;  // us, of each millisecond
    text += fmt::format("{:.6f} 1 start\n{:.6f} 1 gc.end\n", i / 1e3, i / 1e3 + length / 1e6);
  }
  const auto found = utilization_of(text, 10'000'000'000, INT64_MIN);
  EXPECT_EQ(found[0], 100'000u);
  EXPECT_EQ(found[1], 2'000'000u - 900'000u - 100'000u) << "the next one is as far as the window is long";
  EXPECT_EQ(found[9], 1'000'000'000u - 900'000u - 999u * 100'000u);
}

}  // namespace
}  // namespace evt::testing
