// What intervals were spent on, as a tree of causes.
#pragma once

#include <evt/analysis/why.h>

#include <map>
#include <utility>
#include <vector>

namespace evt::report {

// Adds up parts of an interval that have one path; or those of many intervals, in two sums. Memory is bounded: beyond
// that many nodes, what is new below a node is one node.
class WhyTree {
 public:
  struct Node {
    WhyStep step;
    std::uint64_t ns = 0;         // with all below it
    std::uint64_t own_ns = 0;     // without
    std::uint64_t median_ns = 0;  // the same of intervals of median length
    std::uint64_t own_median_ns = 0;
    std::vector<std::uint32_t> below{};
  };

  WhyTree() : nodes_(1) {}

  void add(std::int64_t from_ns, std::int64_t to_ns, const Why::Path& path, bool is_median = false);
  // The first is the interval itself.
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 17;

  std::uint32_t node_of(std::uint32_t above, const WhyStep& step);

  std::vector<Node> nodes_;
  std::map<std::pair<std::uint32_t, WhyStep>, std::uint32_t> places_;
};

}  // namespace evt::report
