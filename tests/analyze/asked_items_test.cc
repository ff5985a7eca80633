// A timeline that is asked for some kinds of items has the same ones as one that has all.
#include <evt/analysis/collections.h>
#include <evt/timeline.h>
#include <fmt/core.h>

#include <set>

#include "anything.h"
#include "item_words.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

std::vector<std::string> words_of_kinds(const std::string& bytes, const ItemKinds& asked, const ItemKinds& kept) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  timeline.hand_out(asked);
  EXPECT_TRUE(timeline.next_session());
  std::vector<std::string> words;
  while (const TimelineItem* const item = timeline.next()) {
    if (kept.has(item->kind)) words.push_back(words_of(*item, timeline));
  }
  return words;
}

void expect_the_same_if_asked_for(const ItemKinds& kinds, bool with_spans) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string bytes = trace_from_text(anything(seed, with_spans));
    EXPECT_EQ(words_of_kinds(bytes, kinds, ItemKinds::all()), words_of_kinds(bytes, ItemKinds::all(), kinds)) << seed;
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(AskedItems, OfOneKindAreTheSame) {
  for (std::size_t i = 0; i < ItemKinds::kKinds; ++i) {
    SCOPED_TRACE(i);
    for (const bool with_spans : {true, false}) expect_the_same_if_asked_for({static_cast<ItemKind>(i)}, with_spans);
  }
}

TEST(AskedItems, OfCollectionsAreTheSame) {
  for (const bool with_spans : {true, false}) expect_the_same_if_asked_for(Collections::items(), with_spans);
}

std::vector<std::string> words_from(const std::string& bytes, std::int64_t from_ns, bool begins_with_range) {
  Trace trace = open_trace(bytes);
  Timeline::Options options;
  options.range = [&](const Session&) { return TimeRange{from_ns, INT64_MAX}; };
  options.begins_with_range = begins_with_range;
  Timeline timeline(trace, std::move(options));
  EXPECT_TRUE(timeline.next_session());
  std::vector<std::string> words;
  while (const TimelineItem* const item = timeline.next()) {
    const bool is_begin = begins_with_range && item->ns == from_ns && item->event == nullptr;
    if (item->ns >= from_ns && !is_begin) words.push_back(words_of(*item, timeline));
  }
  return words;
}

// What `end` ends is what `begin` begins, of the same thread or stream, since the same time.
std::multiset<std::string> going_on_at(const std::string& bytes, std::int64_t ns, ItemKind begin, ItemKind end,
                                       bool begins_with_range) {
  Trace trace = open_trace(bytes);
  Timeline::Options options;
  options.range = [&](const Session&) { return TimeRange{begins_with_range ? ns : INT64_MIN, INT64_MAX}; };
  options.begins_with_range = begins_with_range;
  Timeline timeline(trace, std::move(options));
  EXPECT_TRUE(timeline.next_session());
  if (!begins_with_range) timeline.show_open_every(ns, 0);
  std::multiset<std::string> all;
  while (const TimelineItem* const item = timeline.next()) {
    const bool is_it =
        begins_with_range ? item->event == nullptr && item->kind == begin : item->goes_on && item->kind == end;
    if (item->ns != ns || !is_it) continue;
    const std::uint32_t stream = item->stream != nullptr ? item->stream->id : 0;
    all.insert(fmt::format("{} {} {} {}", words_of_thread(item->thread, timeline.actors()), item->name, item->depth,
                           end == ItemKind::kState ? 0 : item->began_ns + stream));
  }
  return all;
}

// At an odd time nothing else happens.
constexpr std::int64_t kOdd = 1501;

TEST(AskedItems, OfARangeAreThoseOfTheWholeFromThereOn) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::string bytes = trace_from_text(anything(seed, seed % 2 == 0));
    EXPECT_EQ(words_from(bytes, kOdd, true), words_from(bytes, kOdd, false)) << seed;
  }
}

TEST(AskedItems, BeginARangeWithWhatGoesOnThere) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::string bytes = trace_from_text(anything(seed, seed % 2 == 0));
    for (const auto& [begin, end] : {std::pair(ItemKind::kThread, ItemKind::kState),
                                     std::pair(ItemKind::kCollectorBegan, ItemKind::kCollectorEnded),
                                     std::pair(ItemKind::kBegan, ItemKind::kEnded)}) {
      EXPECT_EQ(going_on_at(bytes, kOdd, begin, end, true), going_on_at(bytes, kOdd, begin, end, false)) << seed;
    }
  }
}

TEST(AskedItems, BeginARangeWithAsynchronousSpans) {
  const std::string bytes = trace_from_text(
      "type 1 in role=asyncBegin (id u64 role=spanId) (n text role=name)\ntype 2 out role=asyncEnd (id u64 "
      "role=spanId)\n"
      "stream 1 \"a\"\nstream 2 \"b\"\n0.000001000 1 in id=7 n=\"x\"\n0.000001100 1 in id=8 n=\"y\"\n"
      "0.000001200 1 out id=8\n0.000001300 2 in id=7 n=\"z\"\n0.000002000 1 out id=7\n");
  const auto begun = going_on_at(bytes, kOdd, ItemKind::kAsyncBegan, ItemKind::kAsyncEnded, true);
  EXPECT_EQ(begun.size(), 2u);
  EXPECT_EQ(begun, going_on_at(bytes, kOdd, ItemKind::kAsyncBegan, ItemKind::kAsyncEnded, false));
}

TEST(AskedItems, AreTheSameWhereWhatIsOpenIsShown) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::string bytes = trace_from_text(anything(seed, seed % 2 == 0));
    const std::vector<std::string> plain = words_of_kinds(bytes, ItemKinds::all(), ItemKinds::all());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    timeline.show_open_every(97, -5);
    std::vector<std::string> words;
    std::size_t shown = 0;
    while (const TimelineItem* const item = timeline.next()) {
      shown += item->goes_on ? 1 : 0;
      if (!item->goes_on) words.push_back(words_of(*item, timeline));
    }
    EXPECT_EQ(words, plain) << seed;
    EXPECT_GT(shown, 0u) << seed;
  }
}

// From where the state of no thread is known, another timeline could not go on.
TEST(AskedItems, WithoutStatesOfThreadsHaveNoMarks) {
  const std::string bytes = trace_from_text("type 1 a\nstream 1 \"s\"\n0.000000001 1 a\n0.000000002 1 a\n");
  for (const ItemKinds& kinds : {ItemKinds{ItemKind::kRow}, ItemKinds{ItemKind::kRow, ItemKind::kState}}) {
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    timeline.hand_out(kinds);
    ASSERT_TRUE(timeline.next_session());
    ASSERT_NE(timeline.next(), nullptr);
    EXPECT_EQ(timeline.mark().has_value(), kinds.has(ItemKind::kState));
  }
}

TEST(AskedItems, WithoutSpansHaveNoMarksIfThereAreAny) {
  const std::string bytes =
      trace_from_text("type 1 a role=spanBegin\nstream 1 \"s\"\n0.000000001 1 a\n0.000000002 1 a\n");
  for (const ItemKinds& kinds : {ItemKinds{ItemKind::kState}, ItemKinds{ItemKind::kState, ItemKind::kBegan}}) {
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    timeline.hand_out(kinds);
    ASSERT_TRUE(timeline.next_session());
    while (timeline.next() != nullptr && timeline.actors().now() < 1) continue;
    EXPECT_EQ(timeline.mark().has_value(), kinds.has(ItemKind::kBegan));
  }
}

}  // namespace
}  // namespace evt::testing
