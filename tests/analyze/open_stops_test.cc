// Stops of processes that go on, beside a list of them.
#include "libtrace-read/analyze/src/timeline/open_stops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace evt {
namespace {

LateEvent stop_of(std::uint64_t order, std::uint32_t part, bool is_end) {
  LateEvent late;
  late.order = order;
  late.part = part;
  late.is_end = is_end;
  return late;
}

TEST(OpenStops, HaveAsTheirDepthHowManyOfTheProcessGoOnBeside) {
  Session session;
  session.parts.resize(2);
  std::mt19937 random(1);
  OpenStops stops(session);
  std::vector<LateEvent> open;
  for (std::uint64_t order = 1; order <= 1000; ++order) {
    const bool is_end = !open.empty() && random() % 2 == 0;
    const std::size_t place = is_end ? random() % open.size() : open.size();
    LateEvent late = is_end ? open[place] : stop_of(order, static_cast<std::uint32_t>(random() % 3) - 1, false);
    late.is_end = is_end;
    if (is_end) open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
    const auto beside =
        std::count_if(open.begin(), open.end(), [&](const LateEvent& o) { return o.part == late.part; });
    TimelineItems items;
    stops.take(late, {}, &items);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].kind, is_end ? ItemKind::kStopEnded : ItemKind::kStopBegan);
    EXPECT_EQ(items[0].part, late.part);
    EXPECT_EQ(items[0].depth, beside);
    if (!is_end) open.push_back(late);
  }
  TimelineItems begun;
  stops.begin({}, &begun);
  ASSERT_EQ(begun.size(), open.size());
  for (std::size_t i = 0; i < open.size(); ++i) EXPECT_EQ(begun[i].part, open[i].part) << i;
}

// What many cost is not seen here; if each cost as much as there are, this would take hours.
TEST(OpenStops, MayBeAMillion) {
  Session session;
  OpenStops stops(session);
  TimelineItems items;
  constexpr std::uint64_t kMany = 1'000'000;
  for (const bool is_end : {false, true}) {
    for (std::uint64_t order = 1; order <= kMany; ++order) {
      items.clear();
      stops.take(stop_of(order, Actor::kNone, is_end), {}, &items);
      ASSERT_EQ(items[0].depth, is_end ? kMany - order : order - 1);
    }
  }
}

}  // namespace
}  // namespace evt
