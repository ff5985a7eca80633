// Where the lengths were that a histogram counts.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/spans.h>

#include <cstdint>
#include <vector>

#include "flat_map.h"

namespace evt {

// For each row and bucket of its histogram the shortest and the longest. So what is found next to a number is the
// nearest there was, or one in the same bucket. Memory grows with buckets that are in use.
class LengthPlaces {
 public:
  using Place = Spans::Place;

  void add(std::uint32_t row, const Place& place);
  // The longest of a row that is no longer; null if there is none.
  const Place* at_most(std::uint32_t row, std::uint64_t ns) const;
  // The shortest that is longer, and no longer than `most_ns`.
  const Place* above(std::uint32_t row, std::uint64_t ns, std::uint64_t most_ns) const;
  // Threads are forgotten, and what was of a row is of another.
  void fold(const FoldedActors& gone, const std::vector<std::uint32_t>& row_of);
  void clear();

 private:
  struct Bucket {
    std::uint64_t key = 0;
    Place shortest;
    Place longest;
  };

  Bucket& bucket(std::uint64_t key, const Place& first);
  const Bucket* find(std::uint32_t row, std::size_t bucket) const;

  FlatMap<std::uint32_t> by_key_;  // of a row and a bucket: its place among `buckets_`
  std::vector<Bucket> buckets_;
};

}  // namespace evt
