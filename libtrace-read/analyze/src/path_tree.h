// Paths of names, as a tree with a node for each path.
#pragma once

#include <evt/analysis/call_paths.h>

#include <vector>

#include "flat_map.h"

namespace evt {

// One tree, or one for each thread. Only fold() moves nodes.
class PathTree {
 public:
  using Node = CallPaths::Node;

  static constexpr std::uint32_t kNone = CallPaths::kNone;

  Node& operator[](std::uint32_t index) { return nodes_[index]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  bool has_other_paths() const { return has_other_paths_; }

  // `thread`: kNone for the tree of all.
  std::uint32_t root(std::uint32_t thread);
  // The child of a path for a name. Beyond the limits that is one node of the tree for each name.
  std::uint32_t child(std::uint32_t parent, std::uint32_t name, bool is_call);
  // Moves the data of forgotten threads to `(others)`. Returns the new index of each node.
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
