#include "value_range.h"

#include <algorithm>

namespace evt::view {

std::pair<double, double> value_range(const Track& counter) {
  double min = 0;
  double max = 0;
  for (const ValueColumn& column : counter.values) {
    if (column.is_empty()) continue;
    min = std::min(min, column.min);
    max = std::max(max, column.max);
  }
  return {min, max};
}

}  // namespace evt::view
