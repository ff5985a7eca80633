// A timeline that goes on behind a mark has the items that the one had where the mark was made.
#include <evt/timeline.h>
#include <fmt/core.h>

#include <random>

#include "random_spans.h"
#include "scheduling.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

std::string words_of(const TimelineItem& item, Timeline& timeline) {
  std::string words = fmt::format("{} kind={}", item.ns, static_cast<int>(item.kind));
  const auto add = [&](const char* name, auto value) { words += fmt::format(" {}={}", name, value); };
  add("state", static_cast<int>(item.state));
  add("before", static_cast<int>(item.before));
  add("phases", static_cast<int>(item.phase) * 10 + static_cast<int>(item.phase_before));
  for (const bool flag : {item.is_call, item.is_complete, item.is_open, item.is_cut, item.is_uncertain, item.overlaps,
                          item.is_negative, item.is_wanted, item.resumes}) {
    words += flag ? " 1" : " 0";
  }
  add("thread", item.thread);
  add("cpu", item.cpu);
  add("other", item.other);
  const bool is_named = item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded;
  if (is_named) add("name", timeline.names().text(item.name));
  add("depth", item.depth);
  add("part", item.part);
  add("value", item.value);
  add("began", item.began_ns);
  add("ended", item.ended_ns);
  add("stream", item.stream != nullptr ? item.stream->id : 0);
  if (item.call != nullptr) add("amount", item.call->amount);
  if (item.event != nullptr && item.event->event != nullptr) add("type", item.event->event->type().name());
  return words;
}

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

// Losses, collections, stops, counters and marks beside threads and spans, on streams that share threads.
std::string anything(unsigned seed) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<unsigned>(engine()); };
  std::string text =
      "type 1 create role=threadCreate (t u8 role=thread)\ntype 2 run role=threadRun (t u8 role=thread) (c u8 "
      "role=cpu)\n"
      "type 3 stop role=threadStop (t u8 role=thread)\ntype 4 exit role=threadExit (t u8 role=thread)\n"
      "type 5 in role=spanBegin (n text role=name)\ntype 6 out role=spanEnd\n"
      "type 7 was role=span (n text role=name) (d u32 role=duration unit=nanoseconds)\n"
      "type 8 gc role=gcStart (g u16 role=generation)\ntype 9 gcend role=gcEnd\n"
      "type 10 halt role=stopped (d u32 role=duration unit=nanoseconds)\n"
      "type 11 wake role=threadWake (t u8 role=thread) (w u8 role=waker)\n"
      "stream 1 \"a\"\nstream 2 \"b\" thread=3\nstream 3 \"c\"\n";
  std::int64_t ns = 1000;
  for (int i = 0; i < 150; ++i) {
    ns += random() % 3 == 0 ? 0 : random() % 40;
    const unsigned t = 1 + random() % 5;
    std::string event;
    switch (random() % 12) {
      case 0:
        event = fmt::format("create t={}", t);
        break;
      case 1:
      case 2:
        event = fmt::format("run t={} c={}", t, random() % 3);
        break;
      case 3:
        event = fmt::format("stop t={}", t);
        break;
      case 4:
        event = fmt::format("exit t={}", t);
        break;
      case 5:
        event = fmt::format("in n=\"n{}\"", t);
        break;
      case 6:
        event = "out";
        break;
      case 7:
        event = fmt::format("was n=\"w{}\" d={}", t, random() % 90);
        break;
      case 8:
        event = fmt::format("gc g={}", t % 2);
        break;
      case 9:
        event = "gcend";
        break;
      case 10:
        event = random() % 3 == 0 ? fmt::format("halt d={}", random() % 30) : fmt::format("wake t={} w=1", t);
        break;
      default:
        event = random() % 2 == 0 ? fmt::format("!lost count={} cause=ring_full", t) : "out";
    }
    text += fmt::format("0.{:09} {} {}\n", ns, 1 + random() % 3, event);
  }
  return text;
}

TEST(TimelineMarks, OfRandomSchedulesHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    marks += expect_the_same_behind_marks(Scheduling(seed).text(), fmt::format("schedule {}", seed));
  }
  EXPECT_GT(marks, 300);
}

TEST(TimelineMarks, OfRandomSpansHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    marks += expect_the_same_behind_marks(RandomSpans(seed).text(), fmt::format("spans {}", seed));
  }
  EXPECT_GT(marks, 300);
}

TEST(TimelineMarks, OfAnythingHaveWhatWasBehindThem) {
  int marks = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
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
