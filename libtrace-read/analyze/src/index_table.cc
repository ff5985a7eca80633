#include "index_table.h"

#include <algorithm>
#include <bit>
#include <random>

namespace evt {

std::uint64_t hash_factor() {
  static const std::uint64_t factor = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32 | random()) | 1;
  }();
  return factor;
}

// So that a small key of this space is never in the hash table.
bool IndexTable::makes_small(std::uint64_t key, std::uint32_t space) {
  if (key >= kMaxSmall || (!small_.empty() && space != small_space_)) return false;
  small_space_ = space;
  small_.resize(std::bit_ceil(std::max<std::uint64_t>(key + 1, 64)), kNone);
  return true;
}

void IndexTable::grow() {
  std::vector<Place> before(std::max<std::size_t>(16, places_.size() * 2));
  before.swap(places_);
  for (const Place& place : before) {
    if (place.index != kNone) places_[place_of(place.key, place.space)] = place;
  }
}

}  // namespace evt
