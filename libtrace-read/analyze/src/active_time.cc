#include "active_time.h"

#include <algorithm>
#include <array>

#include "libtrace-read/core/src/base/uint128.h"
#include "parts.h"

namespace evt {
namespace {

// floor(2^64 / by): UINT64_MAX / by is one too small if 2^64 is a multiple of it. REQUIRES: by > 1.
constexpr std::uint64_t reciprocal(std::uint32_t by) { return UINT64_MAX / by + ((by & (by - 1)) == 0 ? 1 : 0); }

// Reciprocals of the usual numbers.
constexpr auto kReciprocals = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::uint32_t by = 2; by < all.size(); ++by) all[by] = reciprocal(by);
  return all;
}();

}  // namespace

Uint128 ActiveTime::divided(std::uint64_t ns, std::uint32_t by) {
  if (by <= 1) return {ns, 0};
  return product(ns, by < kReciprocals.size() ? kReciprocals[by] : reciprocal(by));
}

inline SharedTime ActiveTime::stretch(std::uint64_t ns, std::uint32_t active) {
  if (active == 1) return {ns, ns, {ns, 0}, {0, ns}};
  if (active == 0) return {ns, 0, {}, {}};
  return {ns, 0, divided(ns, active), product(ns, active)};
}

SharedTime ActiveTime::until(std::int64_t ns) const { return stretch(length(now_ns_, ns), active_); }

void ActiveTime::change(Member* member, bool active) {
  active_ = active ? active_ + 1 : active_ - 1;
  most_ = active_ <= 1 ? 1 : std::max(most_, active_);
  member->active = active;
  member->since = now_;
}

void ActiveTime::restart(std::int64_t ns) {
  advance(ns);
  start_ns_ = ns;
  before_ = now_;
  idle_ns_ = 0;
}

}  // namespace evt
