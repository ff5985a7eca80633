#include "why/why_tree.h"

#include <algorithm>

namespace evt::tools {

void WhyTree::add(std::int64_t from_ns, std::int64_t to_ns, const Why::Path& path) {
  const std::uint64_t ns = static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
  std::uint32_t node = 0;
  nodes_[node].ns += ns;
  for (const WhyStep& step : path) {
    node = node_of(node, step);
    nodes_[node].ns += ns;
    if (nodes_[node].step.kind == WhyKind::kAndSoOn) break;
  }
  nodes_[node].own_ns += ns;
}

std::uint32_t WhyTree::node_of(std::uint32_t above, const WhyStep& step) {
  const auto known = places_.find({above, step});
  if (known != places_.end()) return known->second;
  const bool has_room = nodes_.size() < kMostNodes || step.kind == WhyKind::kAndSoOn;
  if (!has_room) return node_of(above, {.kind = WhyKind::kAndSoOn});
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  places_.emplace(std::pair(above, step), next);
  nodes_.push_back({step, 0, 0, {}});
  nodes_[above].below.push_back(next);
  return next;
}

std::vector<std::uint32_t> WhyTree::below(std::uint32_t node) const {
  std::vector<std::uint32_t> below = nodes_[node].below;
  std::ranges::stable_sort(below, [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].ns > nodes_[b].ns; });
  return below;
}

}  // namespace evt::tools
