#include "flat_map.h"

#include <random>

namespace evt {

std::uint64_t hash_factor() {
  static const std::uint64_t factor = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32 | random()) | 1;
  }();
  return factor;
}

}  // namespace evt
