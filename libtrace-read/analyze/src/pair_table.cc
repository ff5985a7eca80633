#include "pair_table.h"

#include <algorithm>
#include <bit>

namespace evt {

std::uint32_t PairTable::index_of_other(std::uint32_t first, std::uint32_t second, std::uint32_t next) {
  const std::size_t firsts = std::bit_ceil(std::size_t{first} + 1);
  const std::size_t seconds = std::bit_ceil(std::size_t{second} + 1);
  // In no array that there may be it would have a place.
  const bool is_far = firsts > kMost / seconds;
  if (next != kNone && !is_far) {
    if (grow(std::max(firsts_, firsts), std::max(this->seconds(), seconds))) return index(first, second, next);
    has_near_others_ = true;
  }
  return others_.index(first, second, next);
}

// By powers of two, so that this is done a few times.
bool PairTable::grow(std::size_t firsts, std::size_t seconds) {
  if (has_near_others_ || firsts > kMost / seconds) return false;
  PairTable larger;
  larger.firsts_ = firsts;
  larger.bits_ = static_cast<unsigned>(std::bit_width(seconds) - 1);
  larger.all_.resize(firsts * seconds, kNone);
  for (std::uint32_t i = 0; i < firsts_; ++i) {
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(place_of(i, 0));
    std::copy_n(from, this->seconds(), larger.all_.begin() + static_cast<std::ptrdiff_t>(larger.place_of(i, 0)));
  }
  larger.others_ = std::move(others_);
  *this = std::move(larger);
  return true;
}

}  // namespace evt
