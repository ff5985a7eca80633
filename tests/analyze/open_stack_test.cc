// The stack of what is open, beside an array that moves everything.
#include <evt/open_stack.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace evt::testing {
namespace {

TEST(OpenStack, HasWhatANaiveOneHas) {
  std::mt19937 random(1);
  OpenStack<int> stack;
  std::vector<int> naive;
  for (int i = 0; i < 20'000; ++i) {
    const bool adds = naive.empty() || (naive.size() < 50 && random() % 2 == 0);
    if (adds) {
      stack.add(i);
      naive.push_back(i);
    } else {
      // The innermost, the outermost, or any.
      const std::size_t depths[] = {naive.size() - 1, 0, random() % naive.size()};
      const std::size_t depth = depths[random() % 3];
      ASSERT_EQ(stack.remove(depth), naive[depth]);
      naive.erase(naive.begin() + static_cast<std::ptrdiff_t>(depth));
    }
    ASSERT_EQ(std::vector<int>(stack.begin(), stack.end()), naive);
    ASSERT_EQ(stack.size(), naive.size());
  }
}

TEST(OpenStack, TakesTheRoomAgainOfWhatWasOutermost) {
  OpenStack<int> stack;
  stack.add(0);
  for (int i = 1; i < 100'000; ++i) {
    stack.add(i);
    ASSERT_EQ(stack.remove(0), i - 1);
  }
  EXPECT_EQ(stack.size(), 1U);
  EXPECT_EQ(stack.innermost(), 99'999);
}

}  // namespace
}  // namespace evt::testing
