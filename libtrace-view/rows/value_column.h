// Values of a counter in one column.
#pragma once

#include <algorithm>
#include <limits>

namespace evt::view {

struct ValueColumn {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double value_ns = 0;  // the sum of each value times how long it was
  double ns = 0;

  bool is_empty() const { return min > max; }
  double mean() const { return ns > 0 ? value_ns / ns : max; }
  // What is in this many columns that are like the other.
  void add(const ValueColumn& other, double columns = 1) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    value_ns += other.value_ns * columns;
    ns += other.ns * columns;
  }
};

}  // namespace evt::view
