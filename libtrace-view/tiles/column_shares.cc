#include "column_shares.h"

#include <algorithm>
#include <numeric>

namespace evt::view {
namespace {

constexpr int kWhole = 255;

int share_of(std::uint64_t ns, std::uint64_t width) {
  return static_cast<int>(static_cast<double>(ns) / static_cast<double>(width) * kWhole);
}

}  // namespace

std::array<std::uint8_t, kKeys> ColumnShares::of(std::uint64_t width) const {
  std::array<int, kKeys> shares{};
  for (std::size_t key = 0; key < kKeys; ++key) {
    if (ns_[key] > 0) shares[key] = std::clamp(share_of(ns_[key], width), 1, kWhole);
  }
  const std::uint64_t covered = std::accumulate(ns_.begin(), ns_.end(), std::uint64_t{0});
  const int all = covered >= width ? kWhole : std::min(share_of(covered, width), kWhole - 1);
  const int sum = std::accumulate(shares.begin(), shares.end(), 0);
  int& largest = *std::max_element(shares.begin(), shares.end());
  if (covered > 0) largest = std::max(1, largest + all - sum);
  std::array<std::uint8_t, kKeys> found{};
  std::copy(shares.begin(), shares.end(), found.begin());
  return found;
}

}  // namespace evt::view
