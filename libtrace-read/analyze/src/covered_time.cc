#include "covered_time.h"

#include <algorithm>

#include "parts.h"

namespace evt {

void CoveredTime::add(std::int64_t from_ns, std::int64_t to_ns) {
  constexpr std::size_t kMax = 4096;
  const auto begin = std::ranges::find_if(latest_, [&](const Stretch& other) { return other.to_ns >= from_ns; });
  auto end = begin;
  for (; end != latest_.end() && end->from_ns <= to_ns; ++end) {
    from_ns = std::min(from_ns, end->from_ns);
    to_ns = std::max(to_ns, end->to_ns);
  }
  latest_.insert(latest_.erase(begin, end), {from_ns, to_ns});
  if (latest_.size() < kMax) return;
  for (std::size_t i = 0; i < kMax / 2; ++i) before_ns_ += length(latest_[i].from_ns, latest_[i].to_ns);
  latest_.erase(latest_.begin(), latest_.begin() + kMax / 2);
}

std::uint64_t CoveredTime::ns() const {
  std::uint64_t ns = before_ns_;
  for (const Stretch& each : latest_) ns += length(each.from_ns, each.to_ns);
  return ns;
}

}  // namespace evt
