#include "index_table.h"

#include <algorithm>
#include <random>

namespace evt {

std::uint64_t hash_factor() {
  static const std::uint64_t factor = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32 | random()) | 1;
  }();
  return factor;
}

void IndexTable::grow() {
  std::vector<Place> before(std::max<std::size_t>(16, places_.size() * 2));
  before.swap(places_);
  for (const Place& place : before) {
    if (place.index != kNone) places_[place_of(place.key, place.space)] = place;
  }
}

}  // namespace evt
