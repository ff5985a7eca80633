// What is kept of spans that have ended, and of what tracing took: how much, and how right it is.

#include "libtrace-read/analyze/src/span_stack.h"

#include <algorithm>
#include <random>

#include "libtrace-read/analyze/src/tracing_cost.h"

namespace evt::testing {
namespace {

TEST(SpentHistory, IsRightToAHundredthOfWhatCameAfter) {
  SpentHistory history;
  for (std::uint64_t i = 1; i <= 100'000; ++i) history.add(static_cast<std::int64_t>(i * 10), i * 50);
  for (const std::uint64_t at : {1u, 100u, 5'000u, 50'000u, 99'000u, 99'990u}) {
    const std::uint64_t spent = history.until(static_cast<std::int64_t>(at * 10));
    EXPECT_LE(spent, at * 50);
    EXPECT_LE(at * 50 - spent, (100'000 - at) * 50 / 100) << at;
  }
}

TEST(SpanStack, KnowsHowFarItIsOffWhereItForgot) {
  std::mt19937 random(1);
  SpanStack stack;
  std::int64_t now = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t start = now + static_cast<std::int64_t>(random() % 100);
    now = start + static_cast<std::int64_t>(random() % 100) + 1;
    stack.complete({.start = start, .end = now});
    all.emplace_back(start, now);
  }
  const std::size_t first = 5'000;
  std::uint64_t inside = 0;
  for (std::size_t i = first; i < all.size(); ++i) inside += static_cast<std::uint64_t>(all[i].second - all[i].first);
  const SpanStack::Ended ended = stack.complete({.start = all[first].first, .end = now + 10});
  const std::uint64_t self = ended.ns - inside;
  EXPECT_LE(std::max(self, ended.self_ns) - std::min(self, ended.self_ns), ended.off_ns);
  EXPECT_LT(ended.off_ns, ended.ns / 64);
}

TEST(SpanStack, ForgetsTheOutermostOfTooMany) {
  SpanStack stack;
  std::uint64_t forgotten = 0;
  for (std::int64_t i = 0; i < 200'000; ++i) forgotten += stack.begin({.began = i, .start = i});
  EXPECT_LE(stack.open().size(), 65536u);
  EXPECT_EQ(forgotten + stack.open().size(), 200'000u);
  EXPECT_EQ(stack.end(200'000, 0).ns, 1u);
}

TEST(SpanStack, WhatOverlapsIsCountedOnceInWhatIsAround) {
  SpanStack stack;
  stack.begin({.began = 0, .start = 0});
  stack.complete({.start = 10, .end = 30});
  const SpanStack::Ended second = stack.complete({.start = 20, .end = 40});
  EXPECT_TRUE(second.overlaps);
  EXPECT_EQ(second.self_ns, 10u);
  EXPECT_EQ(stack.end(100, 0).self_ns, 70u);
}

TEST(SpanStack, ADurationThatIsRoundedDownMayHaveBegunAStepEarlier) {
  SpanStack stack;
  stack.complete({.start = 900, .end = 1'500});  // it began behind the other, whose 2.3 us are recorded as 2
  const SpanStack::Ended outer = stack.complete({.start = 1'200, .end = 3'200, .step_ns = 1'000});
  EXPECT_FALSE(outer.overlaps);
  EXPECT_EQ(outer.self_ns, 1'400u);
}

TEST(SpanStack, AcrossAStepBackNothingLastsLessThanNoTime) {
  SpanStack stack;
  stack.begin({.began = 1'000, .start = 1'000});
  stack.complete({.start = 1'100, .end = 1'200});
  stack.jump(500);
  stack.complete({.start = 510, .end = 520});
  const SpanStack::Ended ended = stack.end(600, 0);
  EXPECT_EQ(ended.ns, 0u);
  EXPECT_EQ(ended.self_ns, 0u);
  EXPECT_TRUE(ended.is_uncertain);
}

}  // namespace
}  // namespace evt::testing
