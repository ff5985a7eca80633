#include "path_tree.h"

namespace evt {

std::uint32_t PathTree::root(std::uint32_t thread) {
  const auto [place, is_new] = roots_.add(thread);
  if (is_new) {
    *place = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back().thread = thread;
  }
  return *place;
}

std::uint32_t PathTree::child(std::uint32_t parent, std::uint32_t name, bool is_call) {
  const Node& from = nodes_[parent];
  if (from.is_kept) {
    const std::uint32_t* const known = children_.find(std::uint64_t{parent} << 32 | name << 1 | std::uint32_t{is_call});
    if (known != nullptr) return *known;
    if (from.depth < CallPaths::kMaxDepth && kept_ < CallPaths::kMaxPaths) {
      ++kept_;
      return add(parent, name, is_call, true);
    }
  }
  has_other_paths_ = true;
  const std::uint32_t top = root(from.thread);
  return add(add(top, kNone, false, false), name, is_call, false);
}

// Returns the node, which exists from now on.
std::uint32_t PathTree::add(std::uint32_t parent, std::uint32_t name, bool is_call, bool is_kept) {
  const auto [place, is_new] = children_.add(std::uint64_t{parent} << 32 | name << 1 | std::uint32_t{is_call});
  if (!is_new) return *place;
  *place = static_cast<std::uint32_t>(nodes_.size());
  Node node;
  node.parent = parent;
  node.thread = nodes_[parent].thread;
  node.name = name;
  node.is_call = is_call;
  node.is_kept = is_kept;
  node.depth = nodes_[parent].depth + 1;
  nodes_.push_back(node);
  return *place;
}

std::vector<std::uint32_t> PathTree::fold(const FoldedActors& gone) {
  const std::vector<Node> before = std::move(nodes_);
  nodes_.clear();
  roots_.clear();
  children_.clear();
  kept_ = 0;
  std::vector<std::uint32_t> to;
  to.reserve(before.size());
  for (const Node& node : before) {
    to.push_back(node.is_root() ? root(gone(node.thread))
                                : add(to[node.parent], node.name, node.is_call, node.is_kept));
    Node& sum = nodes_[to.back()];
    sum.count += node.count;
    sum.squares += node.squares;
    sum.unfinished += node.unfinished;
    sum.sum_ns += node.sum_ns;
    sum.self += node.self;
  }
  for (const Node& node : nodes_) kept_ += node.is_kept && !node.is_root() ? 1 : 0;
  return to;
}

}  // namespace evt
