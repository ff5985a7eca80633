// The columns of a scale as those of another.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scale.h"

namespace evt::view {

// Both are equal, or of levels, and `as` is the coarser one: then each of its columns is some whole columns of `of`.
class Zoom {
 public:
  // REQUIRES: what is above. They must outlive it.
  Zoom(const Scale& of, const Scale& as);

  const Scale& of() const { return *of_; }
  const Scale& as() const { return *as_; }
  // Those of `of` that `as` has too: [first(), end()).
  std::uint32_t first() const { return first_; }
  std::uint32_t end() const { return end_; }
  // REQUIRES: first() <= column < end().
  std::uint32_t column(std::uint32_t column) const {
    return static_cast<std::uint32_t>((std::int64_t{column} - skipped_) >> shift_);
  }
  // Calls f(column of `as`, how many columns of `of` in it) for those of [first, end) that both have.
  template <typename F>
  void each(std::uint32_t first, std::uint32_t end, F f) const {
    first = std::max(first, first_);
    end = std::min(end, end_);
    while (first < end) {
      const std::uint32_t as = column(first);
      const auto next =
          static_cast<std::uint32_t>(std::min<std::int64_t>(end, ((std::int64_t{as} + 1) << shift_) + skipped_));
      f(as, next - first);
      first = next;
    }
  }

 private:
  const Scale* of_;
  const Scale* as_;
  unsigned shift_ = 0;
  std::int64_t skipped_ = 0;  // columns of `of` before the first of `as`
  std::uint32_t first_ = 0;
  std::uint32_t end_;
};

}  // namespace evt::view
