// Which of many intervals are slow, and which of median length.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace evt::tools {

// The slowest hundredth, but at least one; and those between percentiles 45 and 55, but at least one. Of equal lengths
// the first are the shorter ones.
class WhyGroups {
 public:
  enum class Group : std::uint8_t { kNone, kSlow, kMedian };

  // Of all intervals. REQUIRES: two at least.
  explicit WhyGroups(std::vector<std::uint64_t> lengths);

  // Each interval again, in the same order.
  Group take(std::uint64_t length);

  std::uint64_t count() const { return lengths_.size(); }
  std::uint64_t slow() const { return count() - slow_from_; }
  std::uint64_t median() const { return median_to_ - median_from_; }

 private:
  std::vector<std::uint64_t> lengths_;  // sorted
  std::uint64_t slow_from_;             // ranks
  std::uint64_t median_from_;
  std::uint64_t median_to_;
  std::map<std::uint64_t, std::uint64_t> taken_;  // of the lengths at the edges: how many so far
};

}  // namespace evt::tools
