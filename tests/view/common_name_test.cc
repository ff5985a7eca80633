// What a row of several threads is called.
#include "libtrace-view/rows/common_name.h"

#include <gtest/gtest.h>

namespace evt::view {
namespace {

TEST(CommonName, OfOneIsItsOwn) { EXPECT_EQ(common_name({"main"}), "main"); }

TEST(CommonName, OfNumberedOnesHasTheirNumbers) {
  EXPECT_EQ(common_name({"thread 5", "thread 3", "thread 4"}), "threads 3 to 5");
  EXPECT_EQ(common_name({"thread 5", "thread 17", "thread 3", "thread 9"}), "threads 4 of 3 to 17");
  EXPECT_EQ(common_name({"worker 1", "worker 4"}), "worker 1, 4");
  EXPECT_EQ(common_name({"pool-7", "pool-12", "pool-10"}), "pool-7, 10, 12");
}

TEST(CommonName, OfEqualOnesHasHowManyThereAre) { EXPECT_EQ(common_name({"io", "io", "io"}), "io, 3 times"); }

TEST(CommonName, OfOthersIsTheFirst) {
  EXPECT_EQ(common_name({"main", "ticker", "thread 3"}), "main and 2 more");
  EXPECT_EQ(common_name({"thread 3", "ticker"}), "thread 3 and 1 more");
  EXPECT_EQ(common_name({"7", "9"}), "7 and 1 more");
  EXPECT_EQ(common_name({"t 99999999999999999999", "t 5"}), "t 99999999999999999999 and 1 more");
}

}  // namespace
}  // namespace evt::view
