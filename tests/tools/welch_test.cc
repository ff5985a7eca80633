// Welch's t test. The expected figures are those of scipy 1.10 (special.betaincinv), to nine digits, and of tables of
// Student's t.
#include "stats/welch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace evt::tools {
namespace {

TEST(Welch, HasTheQuantilesOfStudentsTables) {
  const std::pair<double, double> two_sided_95[] = {
      {1, 12.706204736},   {1.5, 6.016663104},  {2, 4.302652730},    {2.7, 3.392148383}, {3, 3.182446305},
      {5, 2.570581836},    {4.25, 2.713205847}, {10, 2.228138852},   {7.5, 2.333039627}, {30, 2.042272456},
      {1000, 1.962339081}, {1e6, 1.959966357},  {100.5, 1.983850655}};
  for (const auto& [freedom, quantile] : two_sided_95) {
    EXPECT_NEAR(t_quantile(0.95, freedom), quantile, 2e-9) << freedom;
  }
  const std::pair<double, double> of_seven[] = {
      {0.5, 0.711141778}, {0.9, 1.894578605}, {0.99, 3.499483297}, {0.999, 5.407882521}};
  for (const auto& [confidence, quantile] : of_seven) EXPECT_NEAR(t_quantile(confidence, 7), quantile, 2e-9);
}

// With one and with two degrees of freedom the quantile has a closed form.
TEST(Welch, HasTheQuantilesOfCauchysDistribution) {
  for (const double confidence : {0.001, 0.1, 0.5, 0.95, 0.9999}) {
    const double cauchy = std::tan(std::numbers::pi * confidence / 2);
    EXPECT_NEAR(t_quantile(confidence, 1) / cauchy, 1, 1e-9) << confidence;
    const double p = (1 + confidence) / 2;
    const double of_two = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    EXPECT_NEAR(t_quantile(confidence, 2) / of_two, 1, 1e-9) << confidence;
  }
}

TEST(Welch, HasTheIntervalOfADifference) {
  // 2.941 degrees of freedom.
  const auto change = welch(measurements_of({100, 110, 120}), measurements_of({130, 150, 170}));
  ASSERT_TRUE(change.has_value());
  EXPECT_DOUBLE_EQ(change->change, 40);
  EXPECT_NEAR(change->low, -1.553995032, 1e-8);
  EXPECT_NEAR(change->high, 81.553995032, 1e-8);
  EXPECT_FALSE(change->is_significant);
  // 4 degrees of freedom, as both vary alike.
  const auto larger = welch(measurements_of({10, 12, 11}), measurements_of({14, 15, 13}));
  EXPECT_NEAR(larger->low, 0.733042064, 1e-8);
  EXPECT_NEAR(larger->high, 5.266957936, 1e-8);
  EXPECT_TRUE(larger->is_significant);
  // 3.044: one of four is far away.
  const auto scattered = welch(measurements_of({10, 12, 11, 30}), measurements_of({14, 15, 13, 14}));
  EXPECT_NEAR(scattered->low, -16.854123066, 1e-8);
  EXPECT_NEAR(scattered->high, 13.354123066, 1e-8);
}

TEST(Welch, KnowsNothingOfOneValue) {
  EXPECT_FALSE(welch(measurements_of({1}), measurements_of({2, 3})).has_value());
  EXPECT_FALSE(welch(measurements_of({1, 2}), measurements_of({})).has_value());
}

TEST(Welch, TakesAnyChangeOfWhatNeverVariesAsSignificant) {
  EXPECT_TRUE(welch(measurements_of({7, 7}), measurements_of({8, 8, 8}))->is_significant);
  EXPECT_FALSE(welch(measurements_of({7, 7}), measurements_of({7, 7, 7}))->is_significant);
}

}  // namespace
}  // namespace evt::tools
