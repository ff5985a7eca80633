// Paths of names, as a tree of which each node is a path.
#pragma once

#include <evt/analysis/call_paths.h>

#include <vector>

#include "flat_map.h"

namespace evt {

// One tree, or one for each thread. Nodes are never moved but by fold().
class PathTree {
 public:
  using Node = CallPaths::Node;

  static constexpr std::uint32_t kNone = CallPaths::kNone;

  Node& operator[](std::uint32_t index) { return nodes_[index]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  bool has_other_paths() const { return has_other_paths_; }

  // `thread`: kNone for the tree of all.
  std::uint32_t root(std::uint32_t thread);
  // Where a name leads to from a path. Behind the limits that is one node of the tree for each name.
  std::uint32_t child(std::uint32_t parent, std::uint32_t name, bool is_call);
  // What is known of threads that are forgotten becomes known of `(others)`. Returns where each node is now.
  std::vector<std::uint32_t> fold(const FoldedActors& gone);

 private:
  std::uint32_t add(std::uint32_t parent, std::uint32_t name, bool is_call, bool is_kept);

  std::vector<Node> nodes_;
  FlatMap<std::uint32_t> roots_;     // by thread
  FlatMap<std::uint32_t> children_;  // by parent, name and kind
  std::size_t kept_ = 0;
  bool has_other_paths_ = false;
};

}  // namespace evt
