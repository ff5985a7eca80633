// Consecutive rows of one stream, by their ordinals.
#pragma once

#include <cstdint>

namespace evt {

struct OrdinalRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // after the last one

  std::uint64_t size() const { return end - begin; }
};

}  // namespace evt
