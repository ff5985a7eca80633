// The distribution of durations, in little memory.
#pragma once

#include <evt/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Numbers below 256 are kept exactly, others in buckets, 128 of equal width for each power of two: reported numbers are
// off by at most kError of the number. Count, sum, min and max are exact. Up to 64 numbers take two bytes each; beyond,
// memory grows with the range of the numbers.
class Histogram {
 public:
  static constexpr double kError = 1.0 / 256;

  void add(std::uint64_t number);
  void add(const Histogram& other);

  // The bucket of a number; numbers of later buckets are larger.
  static std::size_t bucket_of(std::uint64_t number);

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }  // saturates at 2^64 - 1
  std::uint64_t min() const { return count_ > 0 ? min_ : 0; }
  std::uint64_t max() const { return max_; }
  std::uint64_t mean() const { return count_ > 0 ? sum_ / count_ : 0; }

  // The smallest number that at least this part of all (0 to 1) do not exceed; 0 if there are none.
  std::uint64_t quantile(double part) const;
  // Numbers far beyond the others: above the upper quartile by more than three times its distance to the lower one, and
  // more than twice as large (J. W. Tukey, Exploratory Data Analysis, 1977, section 2D: "far out").
  struct Outliers {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  Outliers outliers() const;
  // The mean without this part of all, rounded down, at each end; of the rest, if there is any.
  std::uint64_t trimmed_mean(double part) const;

 private:
  static constexpr unsigned kBits = 7;

  std::uint64_t middle_of(std::size_t bucket) const;

  std::uint64_t& bucket(std::size_t index);
  void spread();
  template <typename Take>
  void each_bucket(Take take) const;

  std::vector<std::uint16_t> few_;      // the buckets of the first numbers, while there are no others
  std::vector<std::uint64_t> buckets_;  // from that of the smallest number to that of the largest
  std::size_t first_ = 0;               // the index of the first of them
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = UINT64_MAX;
  std::uint64_t max_ = 0;
};

}  // namespace evt
#pragma GCC visibility pop
