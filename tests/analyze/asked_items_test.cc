// A timeline that is asked for some kinds of items has the same ones as one that has all.
#include <evt/analysis/collections.h>
#include <evt/timeline.h>
#include <fmt/core.h>

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

}  // namespace
}  // namespace evt::testing
