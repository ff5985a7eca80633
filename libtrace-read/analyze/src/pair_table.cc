#include "pair_table.h"

#include <algorithm>
#include <bit>

namespace evt {

std::uint32_t PairTable::index_of_other(std::uint32_t first, std::uint32_t second, std::uint32_t next) {
  if (next != kNone && make_room(first, second)) return index(first, second, next);
  has_others_ |= next != kNone;
  return others_.index(first, second, next);
}

// By powers of two, so that this is done a few times.
bool PairTable::make_room(std::uint32_t first, std::uint32_t second) {
  const std::size_t firsts = std::max(firsts_, std::bit_ceil(std::size_t{first} + 1));
  const std::size_t seconds = std::max(this->seconds(), std::bit_ceil(std::size_t{second} + 1));
  if (has_others_ || firsts > kMost / seconds) return false;
  PairTable larger;
  larger.firsts_ = firsts;
  larger.bits_ = static_cast<unsigned>(std::bit_width(seconds) - 1);
  larger.all_.resize(firsts * seconds, kNone);
  for (std::uint32_t i = 0; i < firsts_; ++i) {
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(place_of(i, 0));
    std::copy_n(from, this->seconds(), larger.all_.begin() + static_cast<std::ptrdiff_t>(larger.place_of(i, 0)));
  }
  *this = std::move(larger);
  return true;
}

}  // namespace evt
