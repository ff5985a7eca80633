#include "column_stacks.h"

#include <algorithm>
#include <numeric>

namespace evt::view {

std::vector<Heights> shares_of(const Track& track, const Scale& scale) {
  std::vector<Heights> columns(scale.columns(), Heights{});
  for (const Shares& shares : track.shares) {
    for (const Shares::Cell& cell : shares.cells()) {
      columns[cell.column][cell.key] +=
          static_cast<double>(cell.ns) / static_cast<double>(scale.width(cell.column)) / std::max(track.rows, 1u);
    }
  }
  return columns;
}

Heights stacked(const Heights& shares, double height, double least) {
  Heights heights{};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    heights[i] = shares[i] > 0 ? std::max(shares[i] * height, least) : 0;
  }
  double excess = std::accumulate(heights.begin(), heights.end(), -height);
  while (excess > 1e-9) {
    double& largest = *std::max_element(heights.begin(), heights.end());
    const double cut = std::min(excess, largest - std::min(largest, least));
    if (cut <= 0) break;  // there is no room for all of them
    largest -= cut;
    excess -= cut;
  }
  return heights;
}

}  // namespace evt::view
