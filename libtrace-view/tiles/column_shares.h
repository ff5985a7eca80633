// The states of one column as shares of 255.
#pragma once

#include <array>
#include <cstdint>

#include "libtrace-view/rows/shares.h"

namespace evt::view {

// What is there has one at least, and all of a column are 255; only then. The largest gives way to what would be less
// than one. REQUIRES: together they are no longer than the column.
class ColumnShares {
 public:
  void add(Key key, std::uint64_t ns) {
    ns_[key] += ns;
    all_ += ns;
  }
  bool is_empty() const { return all_ == 0; }
  // Of a column of this width; 0 of those that are not there.
  std::array<std::uint8_t, kKeys> of(std::uint64_t width) const;

 private:
  std::array<std::uint64_t, kKeys> ns_{};
  std::uint64_t all_ = 0;  // their sum
};

}  // namespace evt::view
