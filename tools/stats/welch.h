// Whether the means of two groups of measurements differ by more than chance.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace evt::tools {

struct Measurements {
  std::size_t size = 0;
  double mean = 0;
  double deviation = 0;  // standard deviation, with size - 1; 0 for fewer than two
};

Measurements measurements_of(const std::vector<double>& values);

struct MeanChange {
  double change = 0;  // from the first mean to the second
  double low = 0;     // its confidence interval
  double high = 0;
  bool is_significant = false;  // 0 is outside of the interval
};

inline constexpr double kConfidence = 0.95;

// Welch's t test of two means whose variances may differ (B. L. Welch, Biometrika 34, 1947), with the degrees of
// freedom of F. E. Satterthwaite (Biometrics Bulletin 2, 1946). Where neither group varies, any change is significant.
// Nothing: a group has fewer than two values.
std::optional<MeanChange> welch(const Measurements& before, const Measurements& after);

// How many standard errors the interval of a confidence is wide on either side: the quantile (1 + confidence) / 2 of
// Student's t distribution. REQUIRES: 0 < confidence < 1, freedom > 0.
double t_quantile(double confidence, double freedom);

}  // namespace evt::tools
