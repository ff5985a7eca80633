// Ticks into nanoseconds, exactly as FORMAT.md, section 9 has it.
#include "libtrace-read/core/src/session/clock_map.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace evt {
namespace {

struct Anchor {
  std::uint64_t ticks;
  std::int64_t ns;
};

ClockMap map_of(const std::vector<Anchor>& anchors, std::uint64_t hz, std::uint32_t denominator = 1) {
  ClockInfo info;
  info.hz = hz;
  info.hz_denominator = denominator;
  info.start_ticks = anchors.front().ticks;
  info.start_ns = anchors.front().ns;
  ClockMap map(info);
  for (std::size_t i = 1; i < anchors.size(); ++i) map.add_anchor(anchors[i].ticks, anchors[i].ns);
  return map;
}

#ifdef __SIZEOF_INT128__
__extension__ using Int128 = __int128;

Int128 floor_div(Int128 a, Int128 b) {
  Int128 q = a / b;
  while (q * b > a) --q;
  return q;
}

// The section's words, one after another, for a clock whose first anchor is the CLOCK block's.
std::int64_t by_the_book(const std::vector<Anchor>& anchors, std::uint64_t hz, std::uint32_t denominator,
                         std::uint64_t ticks) {
  const Anchor& first = anchors.front();
  const Anchor& last = anchors.back();
  for (std::size_t i = 0; i + 1 < anchors.size(); ++i) {
    const Anchor& a = anchors[i];
    const Anchor& b = anchors[i + 1];
    if (ticks < a.ticks || ticks >= b.ticks) continue;
    return static_cast<std::int64_t>(a.ns +
                                     floor_div(Int128{ticks - a.ticks} * (Int128{b.ns} - a.ns), b.ticks - a.ticks));
  }
  const Anchor& from = ticks < first.ticks ? first : last;
  const Int128 distance = Int128{ticks} - from.ticks;
  const bool measured = Int128{last.ns} - first.ns >= 100'000'000;
  const Int128 ns = from.ns + (measured ? floor_div(distance * (Int128{last.ns} - first.ns), last.ticks - first.ticks)
                                        : floor_div(distance * 1'000'000'000 * denominator, hz));
  return static_cast<std::int64_t>(std::clamp<Int128>(ns, INT64_MIN, INT64_MAX));
}

void expect_by_the_book(const std::vector<Anchor>& anchors, std::uint64_t hz, std::uint32_t denominator = 1) {
  const ClockMap map = map_of(anchors, hz, denominator);
  std::mt19937_64 random(hz);
  std::vector<std::uint64_t> ticks = {0, 1, UINT64_MAX, UINT64_MAX - 1};
  for (const Anchor& a : anchors) {
    for (std::uint64_t near = 0; near < 5; ++near) ticks.insert(ticks.end(), {a.ticks - near, a.ticks + near});
  }
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t span = anchors.back().ticks - anchors.front().ticks;
    ticks.push_back(anchors.front().ticks - span / 2 + random() % (span * 2 + 1000));
    ticks.push_back(random());
  }
  for (const std::uint64_t t : ticks) ASSERT_EQ(map.to_ns(t), by_the_book(anchors, hz, denominator, t)) << t;
  std::sort(ticks.begin(), ticks.end());
  for (std::size_t i = 1; i < ticks.size(); ++i) ASSERT_LE(map.to_ns(ticks[i - 1]), map.to_ns(ticks[i])) << ticks[i];
}

#else  // the book needs numbers that these machines have not
void expect_by_the_book(const std::vector<Anchor>&, std::uint64_t, std::uint32_t = 1) {}
#endif

TEST(ClockMap, WithOneAnchorGoesByTheNominalRate) {
  const ClockMap map = map_of({{1000, 50}}, 3'000'000'000);
  EXPECT_EQ(map.to_ns(1000), 50);
  EXPECT_EQ(map.to_ns(1003), 51);
  EXPECT_EQ(map.to_ns(1002), 50) << "rounded towards minus infinity";
  EXPECT_EQ(map.to_ns(999), 49) << "before the anchor too";
  EXPECT_EQ(map.to_ns(997), 49);
  EXPECT_EQ(map.to_ns(996), 48);
  expect_by_the_book({{1000, 50}}, 3'000'000'000);
}

// 32768 Hz / 3: each tick is 91552.734375 ns.
TEST(ClockMap, MayHaveARateThatIsNoWholeNumber) {
  const ClockMap map = map_of({{0, 0}}, 32768, 3);
  EXPECT_EQ(map.to_ns(1), 91552);
  EXPECT_EQ(map.to_ns(32768), 3'000'000'000);
  expect_by_the_book({{7, -5}}, 32768, 3);
  expect_by_the_book({{0, 0}, {1000, 99}}, 1'000'000'007, UINT32_MAX);
}

TEST(ClockMap, OfAClockWithoutARateCountsNanoseconds) {
  const ClockMap map = map_of({{1000, 50}}, 0);
  EXPECT_EQ(map.to_ns(1007), 57);
}

TEST(ClockMap, GoesInAStraightLineBetweenAnchors) {
  const ClockMap map = map_of({{0, 0}, {10, 3}, {20, 100}}, 1'000'000'000);
  EXPECT_EQ(map.to_ns(3), 0);
  EXPECT_EQ(map.to_ns(4), 1);
  EXPECT_EQ(map.to_ns(9), 2);
  EXPECT_EQ(map.to_ns(10), 3);
  EXPECT_EQ(map.to_ns(11), 12);
  EXPECT_EQ(map.to_ns(19), 90);
}

TEST(ClockMap, RoundsDownBetweenAnchorsBeforeZeroToo) {
  const ClockMap map = map_of({{0, -10}, {10, -7}}, 1'000'000'000);
  EXPECT_EQ(map.to_ns(1), -10);
  EXPECT_EQ(map.to_ns(4), -9);
}

TEST(ClockMap, BehindAnchorsThatAreNearEachOtherGoesByTheNominalRate) {
  const std::vector<Anchor> anchors = {{1000, 0}, {2000, 99'999'999}};
  const ClockMap map = map_of(anchors, 1'000'000'000);
  EXPECT_EQ(map.to_ns(3000), 99'999'999 + 1000);
  EXPECT_EQ(map.to_ns(900), -100);
}

TEST(ClockMap, BehindAnchorsThatAreFarFromEachOtherGoesByTheirSlope) {
  const std::vector<Anchor> anchors = {{1000, 0}, {1500, 1}, {2000, 100'000'000}};
  const ClockMap map = map_of(anchors, 1'000'000'000);
  EXPECT_EQ(map.to_ns(3000), 200'000'000) << "the slope from the first to the last anchor";
  EXPECT_EQ(map.to_ns(900), -10'000'000);
}

TEST(ClockMap, LeavesOutAnchorsThatAreNotLaterInBoth) {
  ClockMap map = map_of({{1000, 1000}}, 1'000'000'000);
  map.add_anchor(1000, 2000);
  map.add_anchor(2000, 1000);
  map.add_anchor(900, 3000);
  map.add_anchor(3000, 900);
  EXPECT_EQ(map.to_ns(2000), 2000) << "as if they were not there";
  map.add_anchor(2000, 5000);
  EXPECT_EQ(map.to_ns(1500), 3000);
  map.add_anchor(3000, 4999);  // earlier than the last one kept
  EXPECT_EQ(map.to_ns(2001), 5001);
}

TEST(ClockMap, IsExactForAllRatesAndTimes) {
  expect_by_the_book({{0, 0}, {2'893'000'123, 1'000'000'007}, {5'786'000'001, 2'000'000'001}}, 2'893'000'000);
  expect_by_the_book({{1, -5}, {1000, -4}, {1001, 3}}, 24'000'000'000);
  expect_by_the_book({{1ull << 63, 0}, {(1ull << 63) + 10'000'000'000'000, 4'000'000'000'000'000}}, 1);
  expect_by_the_book({{77, 0}}, UINT64_MAX);
  expect_by_the_book({{UINT64_MAX, 0}}, 3);
}

TEST(ClockMap, IsExactForRandomAnchorsAndRates) {
  std::mt19937_64 random(1);
  const auto of_any_width = [&] { return random() >> random() % 63; };
  for (int i = 0; i < 200; ++i) {
    std::vector<Anchor> anchors = {{of_any_width(), static_cast<std::int64_t>(of_any_width() / 4)}};
    while (anchors.size() < 1 + random() % 8) {
      const Anchor next = {anchors.back().ticks + 1 + of_any_width() / 8,
                           anchors.back().ns + 1 + static_cast<std::int64_t>(of_any_width() / 64)};
      if (next.ticks < anchors.back().ticks) break;
      anchors.push_back(next);
    }
    ASSERT_NO_FATAL_FAILURE(expect_by_the_book(anchors, of_any_width() + 1)) << i;
  }
}

// More than 2^63 ns between an anchor and the moment, whose own ns fit all the same.
TEST(ClockMap, IsExactForMomentsThatAreFarFromAnAnchor) {
  expect_by_the_book({{0, INT64_MIN}}, 1'000'000'000);
  expect_by_the_book({{~0ull - 1000, 1'000'000'000'000}, {~0ull - 3, 1'000'100'000'000}}, 19'200'000);
}

TEST(ClockMap, StaysWithin64Bits) {
  const ClockMap map = map_of({{1ull << 63, 0}}, 1);
  EXPECT_EQ(map.to_ns(UINT64_MAX), INT64_MAX);
  EXPECT_EQ(map.to_ns(0), INT64_MIN);
}

TEST(ClockMap, CountsFarMomentsByHandAsTheCompilerDoes) {
  const ClockMap map = map_of({{0, INT64_MIN}, {1'000'000'007, -5'000'000'000'000'000'000}}, 24'000'000);
  EXPECT_EQ(map.to_ns(999'999'999), -5'000'000'033'786'976'059);
  EXPECT_EQ(map.to_ns(2'000'000'014), -776'627'963'145'224'192);
  EXPECT_EQ(map.to_ns(3'000'000'000), 3'446'743'985'018'739'462);
  EXPECT_EQ(map.to_ns(5'000'000'000), INT64_MAX);
}

TEST(ClockMap, KnowsUtcByTheLastSyncBeforeAMoment) {
  ClockMap map = map_of({{0, 0}}, 1'000'000'000);
  map.add_utc(100, 5100);
  map.add_utc(200, 9200);
  EXPECT_EQ(map.to_utc(100), 5100);
  EXPECT_EQ(map.to_utc(199), 5199);
  EXPECT_EQ(map.to_utc(200), 9200);
  EXPECT_EQ(map.to_utc(1000), 10000);
  EXPECT_EQ(map.to_utc(50), 5050) << "before them all by the first";
}

}  // namespace
}  // namespace evt
