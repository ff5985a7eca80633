// Which block numbers were met, beside a plain set of them.
#include "libtrace-read/core/src/block/seen_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace evt {
namespace {

using State = SeenBlocks::State;

TEST(SeenBlocks, AreASetForEachSession) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    SeenBlocks seen;
    std::set<std::pair<std::uint64_t, std::uint64_t>> model;
    for (int i = 0; i < 400; ++i) {
      const std::uint64_t session = random() % 2;
      const std::uint64_t number = random() % 200;
      const bool is_new = !model.contains({session, number});
      ASSERT_EQ(seen.look(session, number), is_new ? State::kNew : State::kSeen) << round << " " << i;
      if (!is_new) continue;
      seen.add(session, number);
      model.insert({session, number});
      std::uint64_t end = 0;
      for (const auto& [of, met] : model) end = of == session ? std::max(end, met + 1) : end;
      ASSERT_EQ(seen.end(session), end);
      ASSERT_TRUE(seen.has_session(session));
    }
  }
}

TEST(SeenBlocks, MayHaveTheLargestNumber) {
  SeenBlocks seen;
  seen.add(1, UINT64_MAX - 1);
  EXPECT_EQ(seen.look(1, UINT64_MAX - 1), State::kSeen);
  EXPECT_EQ(seen.look(1, UINT64_MAX), State::kNew);
  EXPECT_EQ(seen.look(1, 0), State::kNew);
}

// Numbers without a neighbour: no more of them are kept than the bound, and what is not kept is refused.
TEST(SeenBlocks, AreRefusedWhereTooManyAreMissingBetweenThem) {
  SeenBlocks seen;
  const std::uint64_t all = 3 * SeenBlocks::kMaxRanges;
  for (std::uint64_t number = 0; number < all; ++number) {
    ASSERT_TRUE(seen.is_new(1, 2 * number));
    seen.add(1, 2 * number);
  }
  EXPECT_EQ(seen.look(1, 2 * SeenBlocks::kMaxRanges + 1), State::kRefused) << "a gap that was not kept";
  EXPECT_EQ(seen.look(1, 1), State::kNew) << "closes a gap that was";
  EXPECT_EQ(seen.look(2, 7), State::kNew);
  seen.add(1, 1);
  EXPECT_EQ(seen.look(1, 1), State::kRefused) << "again, or in a gap that was not kept";
  EXPECT_EQ(seen.look(1, 2 * all), State::kNew);
}

TEST(SeenBlocks, FromTheLastToTheFirstAreOneRange) {
  SeenBlocks seen;
  for (std::uint64_t number = 4 * SeenBlocks::kMaxRanges; number-- > 0;) {
    ASSERT_TRUE(seen.is_new(1, number));
    seen.add(1, number);
  }
  EXPECT_EQ(seen.look(1, 0), State::kSeen);
}

}  // namespace
}  // namespace evt
