// A timeline that goes on behind a mark has the items that the one had where the mark was made.
#include <evt/timeline.h>
#include <fmt/core.h>

#include "anything.h"
#include "item_words.h"
#include "random_spans.h"
#include "scheduling.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

std::vector<std::string> rest_of(Timeline& timeline) {
  std::vector<std::string> words;
  while (const TimelineItem* const item = timeline.next()) words.push_back(words_of(*item, timeline));
  return words;
}

// Marks wherever there can be one. Returns how many there were.
int expect_the_same_behind_marks(const std::string& text, const std::string& what) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  std::vector<std::string> all;
  std::vector<std::pair<std::size_t, Timeline::Mark>> marks;  // how many items were before
  while (const TimelineItem* const item = timeline.next()) {
    all.push_back(words_of(*item, timeline));
    if (auto mark = timeline.mark()) marks.emplace_back(all.size(), std::move(*mark));
  }
  for (const auto& [before, mark] : marks) {
    Timeline later = timeline.behind(mark, INT64_MAX);
    EXPECT_EQ(rest_of(later), std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()))
        << what << ", behind " << mark.ns();
    if (::testing::Test::HasFailure()) break;
  }
  return static_cast<int>(marks.size());
}

// The same with an end: what is open there is ended.
void expect_the_same_up_to(const std::string& text, std::int64_t to_ns, const std::string& what) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Timeline whole(trace, {});
  EXPECT_TRUE(whole.next_session());
  std::optional<Timeline::Mark> mark;
  while (const TimelineItem* const item = whole.next()) {
    if (item->ns >= to_ns / 2) break;
    if (auto later = whole.mark()) mark = std::move(later);
  }
  if (!mark) return;
  Timeline::Options options;
  options.range = [&](const Session&) { return TimeRange{INT64_MIN, to_ns}; };
  Timeline limited(trace, options);
  EXPECT_TRUE(limited.next_session());
  std::vector<std::string> words;
  while (const TimelineItem* const item = limited.next()) {
    if (item->ns > mark->ns()) words.push_back(words_of(*item, limited));
  }
  Timeline later = whole.behind(*mark, to_ns);
  EXPECT_EQ(rest_of(later), words) << what;
}

TEST(TimelineMarks, OfRandomSchedulesHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 15; ++seed) {
    marks += expect_the_same_behind_marks(Scheduling(seed).text(), fmt::format("schedule {}", seed));
  }
  EXPECT_GT(marks, 300);
}

TEST(TimelineMarks, OfRandomSpansHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    marks += expect_the_same_behind_marks(RandomSpans(seed).text(), fmt::format("spans {}", seed));
  }
  EXPECT_GT(marks, 300);
}

TEST(TimelineMarks, OfAnythingHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    marks += expect_the_same_behind_marks(anything(seed), fmt::format("anything {}", seed));
  }
  EXPECT_GT(marks, 300);
}

TEST(TimelineMarks, EndWhereTheirRangeDoes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    expect_the_same_up_to(anything(seed), 2000 + 20 * seed, fmt::format("anything {}", seed));
  }
}

TEST(TimelineMarks, AreNotWithinOneTime) {
  const std::string bytes =
      trace_from_text("type 1 a\nstream 1 \"s\"\n0.000000001 1 a\n0.000000002 1 a\n0.000000002 1 a\n0.000000003 1 a\n");
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_FALSE(timeline.mark());
  ASSERT_TRUE(timeline.next_session());
  std::vector<bool> can;
  while (timeline.next() != nullptr) can.push_back(timeline.mark().has_value());
  EXPECT_EQ(can, (std::vector<bool>{true, false, true, false}));
}

TEST(TimelineMarks, AreNotBehindAStepBackInTime) {
  const std::string bytes = trace_from_text(
      "type 1 a\nstream 1 \"s\"\n0.000000005 1 a\n0.000000002 1 !jump\n0.000000003 1 a\n0.000000009 1 a\n");
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  int marks = 0;
  while (timeline.next() != nullptr) marks += timeline.mark() && timeline.doubts().jumps > 0 ? 1 : 0;
  EXPECT_EQ(marks, 0);
}

}  // namespace
}  // namespace evt::testing
