#include "length_places.h"

#include <utility>

#include "parts.h"

namespace evt {

void LengthPlaces::add_bucket(std::uint32_t row, std::size_t bucket, const Place& first) {
  Row& in = grown(&rows_, row);
  if (in.indexes.empty()) in.first = bucket;
  if (bucket < in.first) {
    in.indexes.insert(in.indexes.begin(), in.first - bucket, kNone);
    in.first = bucket;
  }
  if (bucket - in.first >= in.indexes.size()) in.indexes.resize(bucket - in.first + 1, kNone);
  in.indexes[bucket - in.first] = static_cast<std::uint32_t>(lengths_.size());
  lengths_.push_back({first.ns, first.ns});
  places_.push_back({first, first});
}

void LengthPlaces::set_shortest(std::uint32_t index, const Place& place) {
  lengths_[index].shortest = place.ns;
  places_[index].shortest = place;
}

void LengthPlaces::set_longest(std::uint32_t index, const Place& place) {
  lengths_[index].longest = place.ns;
  places_[index].longest = place;
}

const LengthPlaces::Place* LengthPlaces::at_most(std::uint32_t row, std::uint64_t ns) const {
  for (std::size_t i = Histogram::bucket_of(ns) + 1; i-- > 0;) {
    const std::uint32_t index = known(row, i);
    if (index == kNone) continue;
    if (lengths_[index].longest <= ns) return &places_[index].longest;
    if (lengths_[index].shortest <= ns) return &places_[index].shortest;
  }
  return nullptr;
}

const LengthPlaces::Place* LengthPlaces::above(std::uint32_t row, std::uint64_t ns, std::uint64_t most_ns) const {
  for (std::size_t i = Histogram::bucket_of(ns); i <= Histogram::bucket_of(most_ns); ++i) {
    const std::uint32_t index = known(row, i);
    if (index == kNone) continue;
    if (lengths_[index].shortest > ns) return &places_[index].shortest;
    if (lengths_[index].longest > ns) return &places_[index].longest;
  }
  return nullptr;
}

// In the order in which buckets came into use, so that of equal lengths the first one stays.
void LengthPlaces::fold(const FoldedActors& gone, const std::vector<std::uint32_t>& row_of) {
  const std::vector<Row> rows = std::exchange(rows_, {});
  std::vector<Places> before = std::exchange(places_, {});
  std::vector<std::uint32_t> rows_of_buckets(before.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    for (const std::uint32_t index : rows[row].indexes) {
      if (index != kNone) rows_of_buckets[index] = row_of[row];
    }
  }
  lengths_.clear();
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (Place* const place : {&before[i].shortest, &before[i].longest}) {
      place->thread = gone(place->thread);
      add(rows_of_buckets[i], *place);
    }
  }
}

void LengthPlaces::clear() {
  rows_.clear();
  lengths_.clear();
  places_.clear();
}

}  // namespace evt
