// Times from events to the next ones of the same key: of random events, what a search forward from each finds.
#include <evt/analysis/event_pairs.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kPairTypes =
    "type 1024 out (key u32)\ntype 1025 in (key u64)\ntype 1026 both (key u16)\nstream 1 \"a\"\nstream 2 \"b\"\n";

struct Marked {
  std::int64_t ns = 0;
  std::string type;
  std::uint32_t key = 0;

  bool begins() const { return type != "in"; }
  bool ends() const { return type != "out"; }
};

std::vector<Marked> random_events(unsigned seed) {
  std::mt19937 random(seed);
  const char* const types[] = {"out", "in", "both"};
  std::vector<Marked> events;
  std::int64_t now = 0;
  for (int i = 0; i < 100; ++i) {
    now += 1 + random() % 1'000'000;
    events.push_back({now, types[random() % (seed % 2 == 0 ? 2 : 3)], static_cast<std::uint32_t>(random() % 5)});
  }
  return events;
}

struct Wanted {
  std::vector<std::uint64_t> lengths;
  std::uint64_t without_end = 0;
  std::uint64_t without_begin = 0;
};

// An end has a begin if one of its key is before it, after the end of its key before that.
Wanted found_in(const std::vector<Marked>& events) {
  Wanted wanted;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto is_of_it = [&](const Marked& one) { return one.key == events[i].key; };
    if (events[i].begins()) {
      const auto end = std::find_if(events.begin() + static_cast<std::ptrdiff_t>(i) + 1, events.end(),
                                    [&](const Marked& one) { return one.ends() && is_of_it(one); });
      if (end == events.end()) ++wanted.without_end;
      if (end != events.end()) wanted.lengths.push_back(static_cast<std::uint64_t>(end->ns - events[i].ns));
    }
    if (!events[i].ends()) continue;
    bool has_begin = false;
    for (std::size_t j = i; j-- > 0 && !has_begin;) {
      if (!is_of_it(events[j])) continue;
      has_begin = events[j].begins();
      if (events[j].ends()) break;
    }
    wanted.without_begin += has_begin ? 0 : 1;
  }
  return wanted;
}

TEST(EventPairs, AreThoseOfASearchForwardFromEach) {
  for (unsigned seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Marked> events = random_events(seed);
    std::string text(kPairTypes);
    for (const Marked& one : events) {
      text += fmt::format("0.{:09} {} {} key={}\n", one.ns, 1 + one.ns % 2, one.type, one.key);
    }
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    EventPairs pairs(timeline.actors(), {[](const EventType& type) { return type.name() != "in"; },
                                         [](const EventType& type) { return type.name() != "out"; }, "key", 3});
    while (const TimelineItem* const item = timeline.next()) pairs.take(*item);
    Wanted wanted = found_in(events);
    const EventPairs::Counts counts = pairs.counts();
    EXPECT_EQ(counts.lengths.count(), wanted.lengths.size());
    EXPECT_EQ(counts.without_end, wanted.without_end);
    EXPECT_EQ(counts.without_begin, wanted.without_begin);
    std::ranges::sort(wanted.lengths, std::greater<>());
    wanted.lengths.resize(std::min<std::size_t>(wanted.lengths.size(), 3));
    std::vector<std::uint64_t> longest;
    for (const EventPairs::Pair& pair : pairs.longest()) longest.push_back(pair.ns);
    EXPECT_EQ(longest, wanted.lengths);
  }
}

}  // namespace
}  // namespace evt::testing
