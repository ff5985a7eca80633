#include "limited_use.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "parts.h"

namespace evt {

void LimitedUse::add(const Limited& of, std::int64_t began_ns, std::int64_t ended_ns, std::uint64_t amount,
                     std::uint64_t takes_ns, bool counts) {
  Server& server = servers_.try_emplace({of.resource, of.target, of.limit}, Server{.sum = of}).first->second;
  const std::int64_t from = std::max(server.busy_until_ns, began_ns);
  const bool has_time = from < ended_ns && takes_ns > 0;
  if (has_time && from > server.busy_until_ns) server.busy_since_ns = from;
  if (has_time) {
    const std::uint64_t most = length(from, ended_ns);
    server.busy_until_ns = from + static_cast<std::int64_t>(std::min(takes_ns, most));
  }
  if (!counts) return;
  Limited& sum = server.sum;
  ++sum.calls;
  saturating_add(&sum.amount, amount);
  const std::int64_t counted = std::max(from, counted_from_);
  if (!has_time || counted >= server.busy_until_ns) return;
  sum.busy_ns += length(counted, server.busy_until_ns);
  const std::int64_t since = std::max(server.busy_since_ns, counted_from_);
  sum.longest_ns = std::max(sum.longest_ns, length(since, server.busy_until_ns));
}

void LimitedUse::restart(std::int64_t ns) {
  counted_from_ = ns;
  for (auto& [key, server] : servers_) {
    server.sum.calls = server.sum.amount = server.sum.busy_ns = server.sum.longest_ns = 0;
  }
}

std::vector<LimitedUse::Limited> LimitedUse::rows() const {
  std::vector<Limited> rows;
  for (const auto& [key, server] : servers_) {
    if (server.sum.calls > 0) rows.push_back(server.sum);
  }
  return rows;
}

}  // namespace evt
