#include <evt/analysis/histogram.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace evt {

// Ignores the rounding errors of a decimal part like 0.9 in binary, and of machines with extra digits: 0.9 of 2000 are
// 1800 numbers, not a few more.
constexpr double kMeant = 0x1p-40;
constexpr std::size_t kFew = 64;

// Below 2^(kBits + 1) each number has its own bucket; above, the highest kBits + 1 bits choose it.
std::size_t Histogram::bucket_of(std::uint64_t number) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(number));
  const unsigned unused = bits > kBits + 1 ? bits - (kBits + 1) : 0;
  return (std::size_t{unused} << kBits) + static_cast<std::size_t>(number >> unused);
}

std::uint64_t Histogram::middle_of(std::size_t bucket) const {
  const std::size_t power = bucket >> kBits;
  const std::size_t unused = power > 1 ? power - 1 : 0;
  const std::uint64_t first = std::uint64_t{bucket - (unused << kBits)} << unused;
  return std::clamp(first + ((std::uint64_t{1} << unused) >> 1), min_, max_);
}

std::uint64_t& Histogram::bucket(std::size_t index) {
  if (buckets_.empty()) first_ = index;
  if (index < first_) {
    buckets_.insert(buckets_.begin(), first_ - index, 0);
    first_ = index;
  }
  if (index - first_ >= buckets_.size()) buckets_.resize(index - first_ + 1);
  return buckets_[index - first_];
}

// The first numbers go where all others do.
void Histogram::spread() {
  for (const std::uint16_t index : few_) ++bucket(index);
  few_ = {};
}

// In order, until it returns false.
template <typename Take>
void Histogram::each_bucket(Take take) const {
  std::vector<std::uint16_t> few = few_;
  std::ranges::sort(few);
  for (const std::uint16_t index : few) {
    if (!take(std::size_t{index}, std::uint64_t{1})) return;
  }
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    if (!take(first_ + i, buckets_[i])) return;
  }
}

void Histogram::add(std::uint64_t number) {
  const std::size_t index = bucket_of(number);
  if (buckets_.empty() && few_.size() < kFew) {
    few_.push_back(static_cast<std::uint16_t>(index));
  } else {
    if (!few_.empty()) spread();
    const std::size_t place = index - first_;  // out of range if it is before the first
    ++(place < buckets_.size() ? buckets_[place] : bucket(index));
  }
  ++count_;
  if (__builtin_add_overflow(sum_, number, &sum_)) sum_ = UINT64_MAX;
  min_ = std::min(min_, number);
  max_ = std::max(max_, number);
}

void Histogram::add(const Histogram& other) {
  if (buckets_.empty() && other.buckets_.empty() && few_.size() + other.few_.size() <= kFew) {
    few_.insert(few_.end(), other.few_.begin(), other.few_.end());
  } else {
    spread();
    other.each_bucket([this](std::size_t index, std::uint64_t count) {
      if (count > 0) bucket(index) += count;
      return true;
    });
  }
  count_ += other.count_;
  if (__builtin_add_overflow(sum_, other.sum_, &sum_)) sum_ = UINT64_MAX;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

std::uint64_t Histogram::quantile(double part) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_) * (1 - kMeant)));
  if (wanted <= 1) return min_;
  if (wanted >= count_) return max_;
  std::uint64_t seen = 0;
  std::uint64_t found = 0;
  each_bucket([&](std::size_t bucket, std::uint64_t count) {
    found = middle_of(bucket);
    return (seen += count) < wanted;
  });
  return found;
}

Histogram::Outliers Histogram::outliers() const {
  const std::uint64_t upper = quantile(0.75);
  const std::uint64_t distance = upper - quantile(0.25);
  std::uint64_t fence = 0;
  if (__builtin_mul_overflow(distance, 3, &fence) || __builtin_add_overflow(fence, upper, &fence)) return {};
  if (upper > UINT64_MAX / 2) return {};
  const std::size_t last = bucket_of(std::max(fence, upper * 2));
  Outliers found;
  each_bucket([&](std::size_t bucket, std::uint64_t count) {
    if (bucket <= last) return true;
    found.count += count;
    found.sum += count * middle_of(bucket);
    return true;
  });
  return found;
}

std::uint64_t Histogram::trimmed_mean(double part) const {
  const auto cut = static_cast<std::uint64_t>(part * static_cast<double>(count_) * (1 + kMeant));
  if (cut == 0 || cut * 2 >= count_) return mean();
  const std::uint64_t last = count_ - cut;
  double sum = 0;
  std::uint64_t seen = 0;
  each_bucket([&](std::size_t bucket, std::uint64_t count) {
    const std::uint64_t from = std::max(seen, cut);
    seen += count;
    const std::uint64_t to = std::min(seen, last);
    if (to > from) sum += static_cast<double>(to - from) * static_cast<double>(middle_of(bucket));
    return seen < last;
  });
  return static_cast<std::uint64_t>(sum / static_cast<double>(last - cut));
}

}  // namespace evt
