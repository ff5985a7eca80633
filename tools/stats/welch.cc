#include "stats/welch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace evt::tools {
namespace {

// The continued fraction of the incomplete beta function, DLMF 8.17.22, by the modified method of Lentz. Converges
// quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr int kMost = 10'000;
  constexpr double kTiny = 1e-300;
  const auto nonzero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < kMost; ++m) {
    double step = 1;
    const auto advance = [&](double numerator) {
      d = 1 / nonzero(1 + numerator * d);
      c = nonzero(1 + numerator / c);
      step = c * d;
      fraction *= step;
    };
    advance(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    advance(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(step - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

// The regularized incomplete beta function I_x(a, b), DLMF 8.17.
double beta(double x, double a, double b) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a);
  const double front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(front) * beta_fraction(x, a, b) / a;
}

// The probability that Student's t is further from 0.
double beyond(double t, double freedom) { return beta(freedom / (freedom + t * t), freedom / 2, 0.5); }

}  // namespace

Measurements measurements_of(const std::vector<double>& values) {
  Measurements all{values.size()};
  if (values.empty()) return all;
  if (std::ranges::count(values, values.front()) == std::ssize(values)) return {values.size(), values.front(), 0};
  const auto size = static_cast<double>(values.size());
  all.mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
  double squares = 0;
  for (const double value : values) squares += (value - all.mean) * (value - all.mean);
  if (values.size() > 1) all.deviation = std::sqrt(squares / (size - 1));
  return all;
}

// By bisection, as the probability falls with t.
double t_quantile(double confidence, double freedom) {
  double low = 0;
  double high = 1;
  while (beyond(high, freedom) > 1 - confidence) high *= 2;
  for (double middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    (beyond(middle, freedom) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

std::optional<MeanChange> welch(const Measurements& before, const Measurements& after) {
  if (before.size < 2 || after.size < 2) return std::nullopt;
  // The variance of each mean.
  const auto variance = [](const Measurements& s) { return s.deviation * s.deviation / static_cast<double>(s.size); };
  const auto weight = [&](const Measurements& s) {
    return variance(s) * variance(s) / static_cast<double>(s.size - 1);
  };
  const double sum = variance(before) + variance(after);
  const double freedom = sum * sum / (weight(before) + weight(after));
  const double change = after.mean - before.mean;
  if (!std::isfinite(sum) || !std::isfinite(change)) return std::nullopt;
  const double error = std::isfinite(freedom) ? t_quantile(kConfidence, freedom) * std::sqrt(sum) : 0;
  return MeanChange{change, change - error, change + error, std::abs(change) > error};
}

}  // namespace evt::tools
