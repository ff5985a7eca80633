// Products of 128 bits, by hand and by the compiler.
#include "libtrace-read/core/src/base/uint128.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace evt {
namespace {

TEST(Uint128, ProductHas128Bits) {
  EXPECT_EQ(product_by_hand(0, UINT64_MAX), (Uint128{0, 0}));
  EXPECT_EQ(product_by_hand(3, 5), (Uint128{0, 15}));
  EXPECT_EQ(product_by_hand(UINT64_MAX, 2), (Uint128{1, UINT64_MAX - 1}));
  EXPECT_EQ(product_by_hand(UINT64_MAX, UINT64_MAX), (Uint128{UINT64_MAX - 1, 1}));
}

TEST(Uint128, DivisionGivesBackWhatWasMultiplied) {
  EXPECT_EQ(division_by_hand({0, 15}, 4), (Division{3, 3}));
  EXPECT_EQ(division_by_hand({1, UINT64_MAX - 1}, UINT64_MAX), (Division{2, 0}));
  EXPECT_EQ(division_by_hand({UINT64_MAX - 1, UINT64_MAX}, UINT64_MAX), (Division{UINT64_MAX, UINT64_MAX - 1}));
}

TEST(Uint128, IsTheSameByHandAndByTheCompiler) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> numbers = {1, 2, UINT32_MAX, std::uint64_t{1} << 32, std::uint64_t{1} << 63, UINT64_MAX};
  for (int i = 0; i < 200; ++i) numbers.push_back(random() >> random() % 63);
  for (const std::uint64_t a : numbers) {
    for (const std::uint64_t b : numbers) {
      const Uint128 all = product(a, b);
      ASSERT_EQ(product_by_hand(a, b), all) << a << " " << b;
      if (b == 0 || all.high >= b) continue;
      ASSERT_EQ(division_by_hand(all, b), division(all, b)) << a << " " << b;
      ASSERT_EQ(division_by_hand(all, b), (Division{a, 0})) << a << " " << b;
      if (all.high != UINT64_MAX && all.low != UINT64_MAX && b > 1) {
        ASSERT_EQ(division_by_hand({all.high, all.low + 1}, b), (Division{a, 1})) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace evt
