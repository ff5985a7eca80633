// Where the lengths were that a histogram counts.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/spans.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// For each row and bucket of its histogram the shortest and the longest. So what is found next to a number is the
// nearest there was, or one in the same bucket. Memory grows with buckets that are in use, and a little with how far
// those of a row lie apart.
class LengthPlaces {
 public:
  using Place = Spans::Place;

  void add(std::uint32_t row, const Place& place) {
    const std::size_t bucket = Histogram::bucket_of(place.ns);
    const std::uint32_t index = known(row, bucket);
    if (index == kNone) return add_bucket(row, bucket, place);
    // As a rule it is neither.
    if (place.ns < lengths_[index].shortest) set_shortest(index, place);
    if (place.ns > lengths_[index].longest) set_longest(index, place);
  }
  // The longest of a row that is no longer; null if there is none.
  const Place* at_most(std::uint32_t row, std::uint64_t ns) const;
  // The shortest that is longer, and no longer than `most_ns`.
  const Place* above(std::uint32_t row, std::uint64_t ns, std::uint64_t most_ns) const;
  // Threads are forgotten, and what was of a row is of another.
  void fold(const FoldedActors& gone, const std::vector<std::uint32_t>& row_of);
  void clear();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Row {
    std::size_t first = 0;               // bucket
    std::vector<std::uint32_t> indexes;  // of buckets from there on; kNone of one that is not in use
  };
  // Of a bucket: what each length is compared with lies side by side.
  struct Lengths {
    std::uint64_t shortest = 0;
    std::uint64_t longest = 0;
  };
  struct Places {
    Place shortest;
    Place longest;
  };

  std::uint32_t known(std::uint32_t row, std::size_t bucket) const {
    if (row >= rows_.size()) return kNone;
    const std::size_t place = bucket - rows_[row].first;  // beyond all of them if it lies before the first
    return place < rows_[row].indexes.size() ? rows_[row].indexes[place] : kNone;
  }
  void add_bucket(std::uint32_t row, std::size_t bucket, const Place& first);
  void set_shortest(std::uint32_t index, const Place& place);
  void set_longest(std::uint32_t index, const Place& place);

  std::vector<Row> rows_;
  std::vector<Lengths> lengths_;
  std::vector<Places> places_;  // of the same indexes
};

}  // namespace evt
