// The values of a counter in columns of a scale: columns in which one value holds are one run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "zoom.h"

namespace evt::view {

// Values of a counter in one column.
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

// The least and the largest value.
std::pair<double, double> met_values(const std::vector<ValueColumn>& columns);
// The same, or zero if they are both on one side of it: a counter's row is drawn between these,
// as heights are in proportion.
std::pair<double, double> value_range(const std::vector<ValueColumn>& columns);

class ValueRuns {
 public:
  // In order of time; what is outside the scale is left out. The value was held from one time to another.
  void hold(const Scale& scale, double value, std::int64_t from_ns, std::int64_t to_ns);
  // It was the value at this time, perhaps for no time at all. REQUIRES: scale.has(ns).
  void meet(const Scale& scale, double value, std::int64_t ns);
  // What it has in columns twice as wide.
  void coarsen();
  // Adds to each column of zoom.as() what it has there.
  void show(const Zoom& zoom, std::vector<ValueColumn>* columns) const;
  std::size_t size() const { return runs_.size(); }

 private:
  struct Run {
    std::uint32_t column = 0;
    std::uint32_t columns = 1;
    ValueColumn each;

    std::uint32_t end() const { return column + columns; }
  };

  void add(std::uint32_t column, std::uint32_t columns, const ValueColumn& each);

  std::vector<Run> runs_;
};

}  // namespace evt::view
