#include <evt/analysis/shared_time.h>

#include <algorithm>
#include <numeric>

namespace evt {

std::vector<std::uint64_t> whole_shares(const std::vector<Uint128>& shares, std::uint64_t total) {
  std::vector<std::uint64_t> whole(shares.size());
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return shares[a].low > shares[b].low; });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) sum += whole[i] = shares[i].high;
  for (std::size_t i = 0; i < order.size() && sum < total; ++i, ++sum) ++whole[order[i]];
  return whole;
}

}  // namespace evt
