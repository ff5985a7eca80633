// Which rows of each stream a file has: what recovery must not add once more, and what it must not leave out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "format-spec/src/ring/ring_recovery.h"

namespace fuzz {

class HeldRows {
 public:
  // Rows that the file has, though it may have had some of them before.
  void add(std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
    Ranges& ranges = streams_[stream];
    auto at = ranges.lower_bound(begin);
    if (at != ranges.begin() && std::prev(at)->second >= begin) --at;
    while (at != ranges.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges.erase(at);
    }
    ranges[begin] = end;
  }
  bool has_any(std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
    const evt::OrdinalRange lacking = lacking_of(this, stream, begin);
    return lacking.begin > begin || lacking.end < end;
  }
  std::uint64_t end(std::uint32_t stream) {
    const Ranges& ranges = streams_[stream];
    return ranges.empty() ? 0 : std::prev(ranges.end())->second;
  }
  std::uint64_t count() const {
    std::uint64_t count = 0;
    for (const auto& [stream, ranges] : streams_) {
      for (const auto& [begin, end] : ranges) count += end - begin;
    }
    return count;
  }
  evt::FileRows rows() { return {&lacking_of, this}; }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // ends by begins

  static evt::OrdinalRange lacking_of(void* self, std::uint32_t stream, std::uint64_t from) {
    const Ranges& ranges = static_cast<HeldRows*>(self)->streams_[stream];
    auto behind = ranges.upper_bound(from);
    if (behind != ranges.begin()) from = std::max(from, std::prev(behind)->second);
    behind = ranges.lower_bound(from);
    return {from, behind == ranges.end() ? UINT64_MAX : behind->first};
  }

  std::map<std::uint32_t, Ranges> streams_;
};

}  // namespace fuzz
