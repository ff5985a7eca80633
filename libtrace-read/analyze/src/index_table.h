// Pairs of numbers -> small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "flat_map.h"

namespace evt {

// Made for pairs of small numbers: threads and cpus, or numbers of threads and parts of a merge. They are in an array,
// which grows until it is as large as a cache. A hash table has the other pairs.
class IndexTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The index of a pair; if it is new, that is `next`. With kNone it is not added.
  std::uint32_t index(std::uint64_t first, std::uint32_t second, std::uint32_t next) {
    if (!has_place(first, second)) return index_of_other(first, second, next);
    std::uint32_t& index = all_[place_of(first, second)];
    if (index == kNone) index = next;
    return index;
  }
  // Like index(), for a pair in the array; kNone if it has none, and for other pairs.
  std::uint32_t known(std::uint64_t first, std::uint32_t second) const {
    return has_place(first, second) ? all_[place_of(first, second)] : kNone;
  }
  // Gives the pair another index from now on. REQUIRES: it has one.
  void move(std::uint64_t first, std::uint32_t second, std::uint32_t to) {
    (has_place(first, second) ? all_[place_of(first, second)] : *others_.find({first, second})) = to;
  }
  bool has(std::uint64_t first, std::uint32_t second) const {
    return has_place(first, second) ? all_[place_of(first, second)] != kNone : others_.find({first, second}) != nullptr;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 18;

  bool has_place(std::uint64_t first, std::uint32_t second) const { return first < firsts_ && second < seconds_; }
  std::size_t place_of(std::uint64_t first, std::uint32_t second) const {
    return static_cast<std::size_t>(first) * seconds_ + second;
  }
  std::uint32_t index_of_other(std::uint64_t first, std::uint32_t second, std::uint32_t next);
  bool grow(std::uint64_t first, std::uint32_t second);

  std::size_t firsts_ = 0;  // powers of two
  std::size_t seconds_ = 1;
  std::vector<std::uint32_t> all_;  // by first and second
  FlatMap<std::uint32_t, NumberPair> others_;
  bool has_near_others_ = false;  // that a larger array would include: then it no longer grows
};

}  // namespace evt
