// Places of the lengths that a histogram counts.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/spans.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Keeps the shortest and the longest for each row and bucket of its histogram. So the one found next to a number is the
// nearest, or one in the same bucket. Memory grows with used buckets, and a little with the distance between those of a
// row.
class LengthPlaces {
 public:
  using Place = Spans::Place;

  void add(std::uint32_t row, const Place& place) {
    const std::size_t bucket = Histogram::bucket_of(place.ns);
    const std::uint32_t index = known(row, bucket);
    if (index == kNone) return add_bucket(row, bucket, place);
    // Usually it is neither.
    if (place.ns < lengths_[index].shortest) set_shortest(index, place);
    if (place.ns > lengths_[index].longest) set_longest(index, place);
  }
  // The longest of a row that is not longer; null if there is none.
  const Place* at_most(std::uint32_t row, std::uint64_t ns) const;
  // The shortest that is longer, but not longer than `most_ns`.
  const Place* above(std::uint32_t row, std::uint64_t ns, std::uint64_t most_ns) const;
  // Threads are forgotten, and places of one row move to another.
  void fold(const FoldedActors& gone, const std::vector<std::uint32_t>& row_of);
  void clear();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Row {
    std::size_t first = 0;               // bucket
    std::vector<std::uint32_t> indexes;  // for buckets from there on; kNone for an unused one
  };
  // For a bucket: both bounds that each length is compared with, adjacent.
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
    const std::size_t place = bucket - rows_[row].first;  // out of range if it is before the first
    return place < rows_[row].indexes.size() ? rows_[row].indexes[place] : kNone;
  }
  void add_bucket(std::uint32_t row, std::size_t bucket, const Place& first);
  void set_shortest(std::uint32_t index, const Place& place);
  void set_longest(std::uint32_t index, const Place& place);

  std::vector<Row> rows_;
  std::vector<Lengths> lengths_;
  std::vector<Places> places_;  // with the same indexes
};

}  // namespace evt
