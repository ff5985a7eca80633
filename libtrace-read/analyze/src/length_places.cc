#include "length_places.h"

#include <utility>

namespace evt {
namespace {

constexpr unsigned kBucketBits = 16;

std::uint64_t key_of(std::uint32_t row, std::size_t bucket) { return std::uint64_t{row} << kBucketBits | bucket; }

}  // namespace

LengthPlaces::Bucket& LengthPlaces::bucket(std::uint64_t key, const Place& first) {
  const auto [index, is_new] = by_key_.add(key);
  if (is_new) {
    *index = static_cast<std::uint32_t>(buckets_.size());
    buckets_.push_back({key, first, first});
  }
  return buckets_[*index];
}

void LengthPlaces::add(std::uint32_t row, const Place& place) {
  Bucket& in = bucket(key_of(row, Histogram::bucket_of(place.ns)), place);
  if (place.ns < in.shortest.ns) in.shortest = place;
  if (place.ns > in.longest.ns) in.longest = place;
}

const LengthPlaces::Bucket* LengthPlaces::find(std::uint32_t row, std::size_t bucket) const {
  const std::uint32_t* const index = by_key_.find(key_of(row, bucket));
  return index != nullptr ? &buckets_[*index] : nullptr;
}

const LengthPlaces::Place* LengthPlaces::at_most(std::uint32_t row, std::uint64_t ns) const {
  for (std::size_t i = Histogram::bucket_of(ns) + 1; i-- > 0;) {
    const Bucket* const in = find(row, i);
    if (in == nullptr) continue;
    if (in->longest.ns <= ns) return &in->longest;
    if (in->shortest.ns <= ns) return &in->shortest;
  }
  return nullptr;
}

const LengthPlaces::Place* LengthPlaces::above(std::uint32_t row, std::uint64_t ns, std::uint64_t most_ns) const {
  for (std::size_t i = Histogram::bucket_of(ns); i <= Histogram::bucket_of(most_ns); ++i) {
    const Bucket* const in = find(row, i);
    if (in == nullptr) continue;
    if (in->shortest.ns > ns) return &in->shortest;
    if (in->longest.ns > ns) return &in->longest;
  }
  return nullptr;
}

void LengthPlaces::fold(const FoldedActors& gone, const std::vector<std::uint32_t>& row_of) {
  const std::vector<Bucket> before = std::exchange(buckets_, {});
  by_key_.clear();
  for (Bucket old : before) {
    for (Place* const place : {&old.shortest, &old.longest}) place->thread = gone(place->thread);
    const std::uint32_t row = row_of[old.key >> kBucketBits];
    add(row, old.shortest);
    add(row, old.longest);
  }
}

void LengthPlaces::clear() {
  by_key_.clear();
  buckets_.clear();
}

}  // namespace evt
