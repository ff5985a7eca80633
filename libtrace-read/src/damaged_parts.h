// What reading blocks has shown to be damaged: noted once, however often and by whichever way a block is read.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace evt {

struct Block;

class DamagedParts {
 public:
  struct Added {
    bool is_new_block;
    bool is_new_part;
  };
  // A piece of a block, which stays where it is in memory; in the file it may be found elsewhere than was said first.
  Added add(const Block& block, std::uint32_t piece) {
    const auto key = reinterpret_cast<std::uintptr_t>(&block);
    const auto next = parts_.lower_bound({key, 0});
    const bool is_new_block = next == parts_.end() || next->first != key;
    return {is_new_block, parts_.insert({key, piece}).second};
  }

 private:
  std::set<std::pair<std::uintptr_t, std::uint32_t>> parts_;
};

}  // namespace evt
