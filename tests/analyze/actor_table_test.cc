// Which actors are remembered, and what becomes of those that are not.
#include "libtrace-read/analyze/src/actor_table.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace evt::testing {
namespace {

constexpr std::uint32_t kMax = 16;  // so two that have ended are worth folding

class ActorTables : public ::testing::Test {
 protected:
  std::uint32_t index(std::uint64_t number) { return table_.index(number, Actor::kNone, false); }
  void given_full() {
    for (std::uint64_t number = 100; number < 100 + kMax; ++number) index(number);
  }

  ActorTable table_{kMax};
};

TEST_F(ActorTables, GiveEachTheIndexThatItKeeps) {
  EXPECT_EQ(index(7), 0U);
  EXPECT_EQ(index(8), 1U);
  EXPECT_EQ(table_.index(7, 0, false), 2U);
  EXPECT_EQ(table_.index(7, Actor::kNone, true), 3U);
  EXPECT_EQ(index(7), 0U);
  EXPECT_EQ(table_.size(), 4U);
  EXPECT_FALSE(table_.has_others());
}

TEST_F(ActorTables, AreFullOfThoseThatLive) {
  given_full();
  EXPECT_FALSE(table_.has_others());
  EXPECT_EQ(index(200), Actor::kOthers);
  EXPECT_EQ(index(201), Actor::kOthers);
  EXPECT_EQ(index(115), 15U);
  EXPECT_FALSE(table_.has(200, Actor::kNone, false));
  EXPECT_EQ(table_.no_room(), 2U);
}

TEST_F(ActorTables, FoldWhereSeveralHaveEnded) {
  given_full();
  table_.end(3);
  EXPECT_FALSE(table_.can_fold());
  table_.end(5);
  EXPECT_TRUE(table_.can_fold());
  const FoldedActors gone = table_.fold({});
  EXPECT_EQ(gone.all(), (std::vector<std::uint32_t>{3, 5}));
  EXPECT_EQ(gone(3), Actor::kOthers);
  EXPECT_EQ(gone(4), 4U);
  EXPECT_EQ(gone(Actor::kNone), Actor::kNone);
  EXPECT_EQ(table_.folded(), 2U);
  EXPECT_EQ(index(200), 3U);
  EXPECT_EQ(index(201), 5U);
  EXPECT_EQ(index(202), Actor::kOthers);
  EXPECT_EQ(table_[3].number, 200U);
  EXPECT_EQ(index(104), 4U);
}

TEST_F(ActorTables, FoldNothingBeforeTheyAreFull) {
  index(7);
  index(8);
  index(9);
  table_.end(0);
  table_.end(1);
  table_.end(2);
  EXPECT_FALSE(table_.can_fold());
}

TEST_F(ActorTables, KeepWhatStaysAndWhatLivesAgain) {
  given_full();
  for (const std::uint32_t ended : {1U, 2U, 3U}) table_.end(ended);
  table_.revive(2);
  EXPECT_EQ(table_.fold({false, true}).all(), std::vector<std::uint32_t>{3});
  EXPECT_EQ(index(101), 1U);
  EXPECT_EQ(index(102), 2U);
}

// Going over all actors for each event, and in vain, would take for ever.
TEST_F(ActorTables, DoNotAskAgainAtOnceWhereNothingCouldBeFolded) {
  given_full();
  table_.end(0);
  table_.end(1);
  EXPECT_TRUE(table_.fold({true, true}).all().empty());
  EXPECT_FALSE(table_.can_fold());
  table_.end(2);
  EXPECT_FALSE(table_.can_fold());
  table_.end(3);
  EXPECT_TRUE(table_.can_fold());
}

TEST_F(ActorTables, ThatWereFoldedAreNewWhenTheyComeAgain) {
  given_full();
  table_.end(0);
  table_.end(1);
  table_.fold({});
  EXPECT_FALSE(table_.has(100, Actor::kNone, false));
  EXPECT_EQ(index(100), 0U);
  EXPECT_FALSE(table_[0].has_ended);
}

// As many as there may be, and no more of them than that, whatever their numbers.
TEST(ActorTable, RemembersNoMoreThanItMay) {
  ActorTable table;
  for (std::uint64_t number = 0; number < 200'000; ++number) table.index(number << 32, Actor::kNone, false);
  EXPECT_EQ(table.size(), 65'537U);
  EXPECT_EQ(table.no_room(), 200'000U - 65'536U);
}

}  // namespace
}  // namespace evt::testing
