#include "why/why_groups.h"

#include <algorithm>

namespace evt::tools {

WhyGroups::WhyGroups(std::vector<std::uint64_t> lengths) : lengths_(std::move(lengths)) {
  std::ranges::sort(lengths_);
  const std::uint64_t count = lengths_.size();
  slow_from_ = count - std::clamp<std::uint64_t>(count / 100, 1, kMost);
  median_from_ = std::max(count * 45 / 100, count / 2 - std::min(count / 2, kMost / 2));
  median_to_ = std::clamp(count * 55 / 100, median_from_ + 1, median_from_ + kMost);
  for (const std::uint64_t edge : {slow_from_, median_from_, median_to_ - 1}) taken_[lengths_[edge]] = 0;
}

WhyGroups::Group WhyGroups::take(std::uint64_t length) {
  auto rank = static_cast<std::uint64_t>(std::ranges::lower_bound(lengths_, length) - lengths_.begin());
  const auto edge = taken_.find(length);
  if (edge != taken_.end()) rank += edge->second++;
  if (rank >= slow_from_) return Group::kSlow;
  return rank >= median_from_ && rank < median_to_ ? Group::kMedian : Group::kNone;
}

}  // namespace evt::tools
