#include "why_tree.h"

namespace evt::report {

void WhyTree::add(std::int64_t from_ns, std::int64_t to_ns, const Why::Path& path, bool is_median) {
  const std::uint64_t ns = static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
  const auto sum = is_median ? &Node::median_ns : &Node::ns;
  std::uint32_t node = 0;
  nodes_[node].*sum += ns;
  for (const WhyStep& step : path) {
    node = node_of(node, step);
    nodes_[node].*sum += ns;
    if (nodes_[node].step.kind == WhyKind::kAndSoOn) break;
  }
  nodes_[node].*(is_median ? &Node::own_median_ns : &Node::own_ns) += ns;
}

std::uint32_t WhyTree::node_of(std::uint32_t above, const WhyStep& step) {
  const auto known = places_.find({above, step});
  if (known != places_.end()) return known->second;
  const bool has_room = nodes_.size() < kMostNodes || step.kind == WhyKind::kAndSoOn;
  if (!has_room) return node_of(above, {.kind = WhyKind::kAndSoOn});
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  places_.emplace(std::pair(above, step), next);
  nodes_.push_back({.step = step});
  nodes_[above].below.push_back(next);
  return next;
}

}  // namespace evt::report
