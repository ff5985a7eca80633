// Which parts of a trace are known to be damaged, as they may be read more than once.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace evt {

class DamagedParts {
 public:
  struct Added {
    bool is_new_block;
    bool is_new_part;
  };
  // The piece of the block at `offset`.
  Added add(std::uint64_t offset, std::uint32_t piece) {
    const auto next = parts_.lower_bound({offset, 0});
    const bool is_new_block = next == parts_.end() || next->first != offset;
    return {is_new_block, parts_.insert({offset, piece}).second};
  }

 private:
  std::set<std::pair<std::uint64_t, std::uint32_t>> parts_;
};

}  // namespace evt
