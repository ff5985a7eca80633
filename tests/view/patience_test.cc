// Long readings end when their answers are no longer waited for.
#include "tools/view/patience.h"

#include <gtest/gtest.h>

namespace evt::testing {
namespace {

using tools::Patience;

std::uint64_t items_until_it_ends(Patience patience, std::uint64_t most) {
  std::uint64_t items = 0;
  while (items < most && patience.lasts()) ++items;
  return items;
}

TEST(Patience, LastsAsLongAsSomebodyWaits) {
  EXPECT_EQ(items_until_it_ends(Patience(), 1'000'000), 1'000'000u);
  EXPECT_EQ(items_until_it_ends(Patience([] { return true; }), 1'000'000), 1'000'000u);
}

TEST(Patience, EndsSoonAndStaysEnded) {
  int asked = 0;
  Patience patience([&] { return ++asked < 3; });
  std::uint64_t items = 0;
  while (patience.lasts()) ++items;
  EXPECT_LT(items, 200'000u);
  for (int i = 0; i < 200'000; ++i) ASSERT_FALSE(patience.lasts());
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace evt::testing
