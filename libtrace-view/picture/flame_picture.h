// Flame graphs as a figure on paper.
#pragma once

#include <string>
#include <vector>

#include "libtrace-view/look/flame_tree.h"
#include "picture.h"

namespace evt::view {

struct FlameGraph {
  std::string heading;
  FlameTree tree;
};

// One below the other. Inverted ones hang from their top, the others stand on their bottom. The same bytes for the same
// graphs.
std::string svg_of(const std::vector<FlameGraph>& graphs, bool inverted, const PictureOptions& options);

// Narrower boxes would not be seen.
std::uint64_t flame_parts(double width);

}  // namespace evt::view
