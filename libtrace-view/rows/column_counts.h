// How much there is in each column of a scale: those without anything take no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "zoom.h"

namespace evt::view {

class ColumnCounts {
 public:
  // In order of time. REQUIRES: scale.has(ns).
  void add(const Scale& scale, std::int64_t ns, std::uint64_t amount = 1) { add_to(scale.column_of(ns), amount); }
  // In columns twice as wide.
  void coarsen();
  // For each column of zoom.as() what it has.
  std::vector<std::uint64_t> seen(const Zoom& zoom) const;
  // Whether there is anything in these columns.
  bool has_any(const Zoom& zoom) const;
  std::size_t size() const { return counts_.size(); }

 private:
  struct Count {
    std::uint32_t column = 0;
    std::uint64_t amount = 0;
  };

  void add_to(std::uint32_t column, std::uint64_t amount);
  std::vector<Count>::const_iterator first_in(const Zoom& zoom) const;

  std::vector<Count> counts_;  // in order
};

}  // namespace evt::view
