// Single spans that are kept of many, against all of them.
#include <evt/analysis/spans.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

using Length = std::tuple<std::uint64_t, std::int64_t>;  // how long, and when it began

struct RandomLengths {
  explicit RandomLengths(unsigned seed) {
    std::mt19937 random(seed);
    text = "type 1 whole role=span (duration tick_delta role=duration)\nstream 1 \"s\" thread=70\n";
    std::int64_t now = 0;
    for (unsigned i = 0; i < 400; ++i) {
      const auto ns = static_cast<std::int64_t>(random() % 1000 >> random() % 8);
      now += ns + 1;
      text += fmt::format("0.{:09} 1 whole duration=0.{:09}\n", now, ns);
      all.emplace_back(static_cast<std::uint64_t>(ns), now - ns);
    }
  }

  std::string text;
  std::vector<Length> all;
};

Length length_of(const Spans::Place& place) { return {place.ns, place.began_ns}; }

TEST(LongestSpans, AreTheFirstOfAllInOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomLengths lengths(seed);
    const std::string bytes = trace_from_text(lengths.text);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    Spans spans(timeline, {.by_thread = false, .subtract_event_ps = {}, .longest = 25});
    take_all(timeline, spans);
    std::vector<Length> expected = lengths.all;
    std::stable_sort(expected.begin(), expected.end(), [](const Length& a, const Length& b) {
      return std::tuple(std::get<0>(b), std::get<1>(a)) < std::tuple(std::get<0>(a), std::get<1>(b));
    });
    expected.resize(25);
    std::vector<Length> said;
    for (const Spans::Instance& each : spans.longest()) said.push_back(length_of(each.place));
    EXPECT_EQ(said, expected) << "seed " << seed;
  }
}

// Numbers below 256 have a bucket each, so they are exact; others are as near as a bucket is wide.
TEST(LongestSpans, NextToANumberAreTheNearestThatThereAre) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomLengths lengths(seed);
    const std::string bytes = trace_from_text(lengths.text);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    Spans spans(timeline, {});
    take_all(timeline, spans);
    for (std::uint64_t ns = 0; ns < 1200; ns += 7) {
      std::optional<std::uint64_t> below;
      std::optional<std::uint64_t> above;
      for (const auto& [each, began] : lengths.all) {
        if (each <= ns && (!below || each > *below)) below = each;
        if (each > ns && (!above || each < *above)) above = each;
      }
      const auto expect_near = [&](const std::optional<Spans::Place>& said,
                                   const std::optional<std::uint64_t>& nearest) {
        ASSERT_EQ(said.has_value(), nearest.has_value()) << ns;
        if (!said) return;
        EXPECT_EQ(Histogram::bucket_of(said->ns), Histogram::bucket_of(*nearest)) << ns;
        EXPECT_EQ(std::count(lengths.all.begin(), lengths.all.end(), length_of(*said)), 1) << ns;
      };
      expect_near(spans.at_most(SpanKind::kSpan, 0, ns), below);
      expect_near(spans.above(SpanKind::kSpan, 0, ns), above);
    }
  }
}

}  // namespace
}  // namespace evt::testing
