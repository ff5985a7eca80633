#include <evt/analysis/index_table.h>

#include <algorithm>

namespace evt {

void IndexTable::grow() {
  std::vector<Place> before(std::max<std::size_t>(16, places_.size() * 2));
  before.swap(places_);
  for (const Place& place : before) {
    if (place.index != kFree) places_[place_of(place.key, place.space)] = place;
  }
}

}  // namespace evt
