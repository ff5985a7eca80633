#include "column_shares.h"

#include <algorithm>

namespace evt::view {
namespace {

constexpr int kWhole = 255;

int share_of(std::uint64_t ns, std::uint64_t width) {
  return static_cast<int>(static_cast<double>(ns) / static_cast<double>(width) * kWhole);
}

}  // namespace

std::array<std::uint8_t, kKeys> ColumnShares::of(std::uint64_t width) const {
  std::array<std::uint8_t, kKeys> found{};
  if (is_empty()) return found;
  std::size_t largest = 0;
  int sum = 0;
  for (std::size_t key = 0; key < kKeys; ++key) {
    if (ns_[key] == 0) continue;
    found[key] = static_cast<std::uint8_t>(std::clamp(share_of(ns_[key], width), 1, kWhole));
    sum += found[key];
    if (ns_[key] > ns_[largest]) largest = key;
  }
  const int all = all_ >= width ? kWhole : std::min(share_of(all_, width), kWhole - 1);
  found[largest] = static_cast<std::uint8_t>(std::max(1, found[largest] + all - sum));
  return found;
}

}  // namespace evt::view
