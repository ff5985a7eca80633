// The values of a counter in columns of a scale: columns in which one value holds are one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "value_column.h"
#include "zoom.h"

namespace evt::view {

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
