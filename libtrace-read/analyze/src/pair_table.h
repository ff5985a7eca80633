// Pairs of numbers -> small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index_table.h"

namespace evt {

// For pairs of indexes, of which there are few of each kind as a rule, such as threads and cpus: an array of them all,
// as long as it is no larger than the cache that it shall stay in. Pairs beyond it are in a hash table.
class PairTable {
 public:
  static constexpr std::uint32_t kNone = IndexTable::kNone;

  // The index of a pair; if it is new, that is `next`. With kNone it is not added.
  std::uint32_t index(std::uint32_t first, std::uint32_t second, std::uint32_t next) {
    if (!has_place(first, second)) return index_of_other(first, second, next);
    std::uint32_t& index = all_[place_of(first, second)];
    if (index == kNone) index = next;
    return index;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 18;

  bool has_place(std::uint32_t first, std::uint32_t second) const { return first < firsts_ && second < seconds(); }
  std::size_t seconds() const { return std::size_t{1} << bits_; }
  std::size_t place_of(std::uint32_t first, std::uint32_t second) const { return std::size_t{first} << bits_ | second; }
  std::uint32_t index_of_other(std::uint32_t first, std::uint32_t second, std::uint32_t next);
  bool grow(std::size_t firsts, std::size_t seconds);

  std::size_t firsts_ = 0;
  unsigned bits_ = 0;
  std::vector<std::uint32_t> all_;  // by first and second
  IndexTable others_;
  bool has_near_others_ = false;  // that a larger array would have a place for: then it grows no more
};

}  // namespace evt
