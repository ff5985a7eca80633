// Distributions in little memory: what they say is off by a stated part at most.
#include <evt/analysis/histogram.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace evt::testing {
namespace {

constexpr std::size_t kThousandths[] = {0, 1, 100, 500, 900, 990, 999, 1000};

TEST(Histogram, OfNothingSaysNothing) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count() + histogram.sum() + histogram.min() + histogram.max() + histogram.mean(), 0u);
  EXPECT_EQ(histogram.quantile(0.5), 0u);
  EXPECT_EQ(histogram.trimmed_mean(0.01), 0u);
}

TEST(Histogram, KnowsSmallNumbersExactly) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < 256; ++i) histogram.add(255 - i);
  EXPECT_EQ(histogram.min(), 0u);
  EXPECT_EQ(histogram.max(), 255u);
  EXPECT_EQ(histogram.quantile(0.5), 127u);
  EXPECT_EQ(histogram.quantile(0.25), 63u);
}

// 0.07 * 100 is more than 7, as doubles go.
TEST(Histogram, TakesPartsAsTheDecimalNumbersThatTheyAre) {
  Histogram histogram;
  for (std::uint64_t i = 1; i <= 100; ++i) histogram.add(i);
  for (std::uint64_t i = 1; i <= 100; ++i) EXPECT_EQ(histogram.quantile(static_cast<double>(i) / 100), i);
}

TEST(Histogram, IsOffByTheStatedPartAtMost) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint64_t> numbers;
    Histogram histogram;
    for (int i = 0; i < 2000; ++i) {
      numbers.push_back(random() >> random() % 64);
      histogram.add(numbers.back());
    }
    std::sort(numbers.begin(), numbers.end());
    for (const std::size_t thousandths : kThousandths) {
      const double part = static_cast<double>(thousandths) / 1000;
      const std::size_t rank = (thousandths * numbers.size() + 999) / 1000;
      const double exact = static_cast<double>(numbers[std::max<std::size_t>(rank, 1) - 1]);
      EXPECT_LE(std::abs(static_cast<double>(histogram.quantile(part)) - exact), exact * Histogram::kError + 1) << part;
    }
    EXPECT_EQ(histogram.min(), numbers.front());
    EXPECT_EQ(histogram.max(), numbers.back());
  }
}

// Quartiles of the first eleven are 12 and 18: beyond 36.
TEST(Histogram, KnowsWhatIsFarOut) {
  Histogram histogram;
  EXPECT_EQ(histogram.outliers().count, 0U);
  for (std::uint64_t number = 10; number < 20; ++number) histogram.add(number);
  histogram.add(36);
  EXPECT_EQ(histogram.outliers().count, 0U);
  histogram.add(200);
  histogram.add(220);
  EXPECT_EQ(histogram.outliers().count, 2U);
  EXPECT_EQ(histogram.outliers().sum, 420U);
}

TEST(Histogram, OfNearlyEqualNumbersHasNoneThatAreFarOut) {
  Histogram histogram;
  for (int i = 0; i < 99; ++i) histogram.add(100);
  histogram.add(200);
  EXPECT_EQ(histogram.outliers().count, 0U);
  histogram.add(201);
  EXPECT_EQ(histogram.outliers().count, 1U);
}

TEST(Histogram, TrimsWhatIsFarOut) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < 98; ++i) histogram.add(100);
  histogram.add(0);
  histogram.add(1'000'000);
  EXPECT_EQ(histogram.trimmed_mean(0.01), 100u);
  EXPECT_EQ(histogram.mean(), 10'098u);
  EXPECT_EQ(histogram.sum(), 1'009'800u) << "nothing is removed from it";
}

TEST(Histogram, IsTheSumOfItsParts) {
  std::mt19937_64 random(2);
  Histogram all;
  Histogram parts[2];
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = random() >> random() % 40;
    all.add(number);
    parts[i % 2].add(number);
  }
  Histogram sum;
  sum.add(parts[0]);
  sum.add(parts[1]);
  for (const std::size_t thousandths : kThousandths) {
    const double part = static_cast<double>(thousandths) / 1000;
    EXPECT_EQ(sum.quantile(part), all.quantile(part));
  }
  EXPECT_EQ(sum.sum(), all.sum());
}

}  // namespace
}  // namespace evt::testing
