// Keys -> small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// An odd number that is another in each process: a file cannot have keys that all fall into one place.
std::uint64_t hash_factor();

// A hash table with its keys side by side: analyses look into it for each event. Small keys of one space, that of the
// first of them, are in an array instead: most programs number their threads from 1 on.
class IndexTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The index of a key, which consists of both numbers; if it is new, that is `next`. With kNone it is not added.
  std::uint32_t index(std::uint64_t key, std::uint32_t space, std::uint32_t next) {
    if (is_small(key, space)) {
      std::uint32_t& index = small_[key];
      if (index == kNone) index = next;
      return index;
    }
    return index_of_other(key, space, next);
  }
  // The same of a small key, without a look elsewhere; kNone where it has none, and of keys that are not small.
  std::uint32_t known(std::uint64_t key, std::uint32_t space) const {
    return is_small(key, space) ? small_[key] : kNone;
  }
  // The same key has another index from now on. REQUIRES: it has one.
  void move(std::uint64_t key, std::uint32_t space, std::uint32_t to) {
    (is_small(key, space) ? small_[key] : places_[place_of(key, space)].index) = to;
  }
  bool has(std::uint64_t key, std::uint32_t space) const {
    if (is_small(key, space)) return small_[key] != kNone;
    return !places_.empty() && places_[place_of(key, space)].index != kNone;
  }

 private:
  static constexpr std::uint64_t kMaxSmall = 65536;

  struct Place {
    std::uint64_t key = 0;
    std::uint32_t space = 0;
    std::uint32_t index = kNone;
  };

  bool is_small(std::uint64_t key, std::uint32_t space) const { return key < small_.size() && space == small_space_; }
  std::uint32_t index_of_other(std::uint64_t key, std::uint32_t space, std::uint32_t next) {
    if (makes_small(key, space)) return small_[key] = next;
    if (count_ * 2 >= places_.size()) grow();
    Place& place = places_[place_of(key, space)];
    if (place.index == kNone && next != kNone) {
      place = {key, space, next};
      ++count_;
    }
    return place.index;
  }
  // Where a key is, or would be.
  std::size_t place_of(std::uint64_t key, std::uint32_t space) const {
    const std::size_t mask = places_.size() - 1;
    // The upper half of a product depends on all bits of what was multiplied.
    const std::uint64_t product = (key + std::uint64_t{space} * 0xC2B2AE3D27D4EB4F) * factor_;
    std::size_t at = static_cast<std::size_t>(product >> 32) & mask;
    while (places_[at].index != kNone && (places_[at].key != key || places_[at].space != space)) at = (at + 1) & mask;
    return at;
  }
  bool makes_small(std::uint64_t key, std::uint32_t space);
  void grow();

  std::vector<std::uint32_t> small_;
  std::uint32_t small_space_ = 0;
  std::uint64_t factor_ = hash_factor();
  std::vector<Place> places_;  // a power of two of them
  std::size_t count_ = 0;
};

}  // namespace evt
