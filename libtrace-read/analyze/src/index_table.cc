#include "index_table.h"

#include <algorithm>
#include <bit>

namespace evt {

std::uint32_t IndexTable::index_of_other(std::uint64_t first, std::uint32_t second, std::uint32_t next) {
  if (next == kNone) {
    const std::uint32_t* index = others_.find({first, second});
    return index != nullptr ? *index : kNone;
  }
  if (grow(first, second)) return index(first, second, next);
  const auto [index, is_new] = others_.add({first, second});
  if (is_new) *index = next;
  return *index;
}

// Grows to include the pair. By powers of two, so that this happens only a few times.
bool IndexTable::grow(std::uint64_t first, std::uint32_t second) {
  if (first >= kMost || second >= kMost) return false;
  const std::size_t least_firsts = std::bit_ceil(static_cast<std::size_t>(first) + 1);
  const std::size_t least_seconds = std::bit_ceil(std::size_t{second} + 1);
  // No possible array would include it.
  if (least_firsts > kMost / least_seconds) return false;
  const std::size_t firsts = std::max(firsts_, least_firsts);
  const std::size_t seconds = std::max(seconds_, least_seconds);
  if (has_near_others_ || firsts > kMost / seconds) {
    has_near_others_ = true;
    return false;
  }
  // The last row first, so that none is overwritten before it has moved.
  all_.resize(firsts * seconds, kNone);
  for (std::size_t i = firsts_; seconds > seconds_ && i-- > 1;) {
    const auto row = all_.begin() + static_cast<std::ptrdiff_t>(i * seconds_);
    std::copy_n(row, seconds_, all_.begin() + static_cast<std::ptrdiff_t>(i * seconds));
    std::fill_n(row, seconds_, kNone);
  }
  firsts_ = firsts;
  seconds_ = seconds;
  return true;
}

}  // namespace evt
