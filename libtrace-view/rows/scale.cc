#include "scale.h"

#include <algorithm>

namespace evt::view {

Scale::Scale(std::int64_t from_ns, std::int64_t to_ns, std::uint32_t columns, End end)
    : from_ns_(from_ns),
      to_ns_(std::max(to_ns, from_ns + 1)),
      length_(ns_between(from_ns, to_ns_)),
      columns_(static_cast<std::uint32_t>(std::min<std::uint64_t>(std::max(columns, 1u), length_))),
      end_(end) {}

Scale Scale::of_level(unsigned level, std::int64_t first, std::uint32_t columns) {
  const auto at = [&](std::int64_t column) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(column) << level);
  };
  Scale scale(at(first), at(first + columns), columns, End::kExcluded);
  scale.level_ = static_cast<std::uint8_t>(level);
  return scale;
}

// The product of column and length may have more than 64 bits: quotient and rest are multiplied apart.
std::int64_t Scale::edge_of_part(std::uint32_t column) const {
  const std::uint64_t whole = length_ / columns_ * column;
  const std::uint64_t rest = length_ % columns_ * column / columns_;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(from_ns_) + whole + rest);
}

// By a quotient that may be wrong in its last digit.
std::uint32_t Scale::part_of(std::int64_t ns) const {
  const auto since = static_cast<double>(ns_between(from_ns_, ns));
  auto column = std::min(static_cast<std::uint32_t>(since / static_cast<double>(length_) * columns_), columns_ - 1);
  while (column > 0 && edge(column) > ns) --column;
  while (column + 1 < columns_ && edge(column + 1) <= ns) ++column;
  return column;
}

}  // namespace evt::view
