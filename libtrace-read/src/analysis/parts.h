// What analyses have in common.
#pragma once

#include <cstdint>
#include <vector>

namespace evt {

inline std::uint64_t length(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

// The element, which exists from now on.
template <typename T>
T& grown(std::vector<T>* all, std::uint32_t index) {
  if (index >= all->size()) all->resize(std::size_t{index} + 1);
  return (*all)[index];
}

}  // namespace evt
