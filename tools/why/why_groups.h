// Which of many intervals are slow, and which of median length.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace evt::tools {

// The slowest hundredth, and those between percentiles 45 and 55: at least one, and at most kMost, as each is divided
// by itself. Of equal lengths the first are the shorter ones.
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
  static constexpr std::uint64_t kMost = 1000;

  std::vector<std::uint64_t> lengths_;  // sorted
  std::uint64_t slow_from_;             // ranks
  std::uint64_t median_from_;
  std::uint64_t median_to_;
  std::map<std::uint64_t, std::uint64_t> taken_;  // of the lengths at the edges: how many so far
};

}  // namespace evt::tools
