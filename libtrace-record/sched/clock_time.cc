#include "clock_time.h"

namespace evt::record {

void TickScale::read(const evt_writer* writer) {
  from_ = to_;
  std::uint64_t narrowest = UINT64_MAX;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::uint64_t before = evt_writer_now(writer);
    const auto ns = static_cast<std::uint64_t>(now_of(CLOCK_MONOTONIC));
    const std::uint64_t width = evt_writer_now(writer) - before;
    if (width >= narrowest) continue;
    narrowest = width;
    to_ = {ns, before + width / 2};
  }
  if (from_.ns == 0) from_ = to_;
}

std::uint64_t TickScale::ticks(std::uint64_t monotonic_ns) const {
  if (to_.ns <= from_.ns) return to_.ticks;
  const double slope = static_cast<double>(to_.ticks - from_.ticks) / static_cast<double>(to_.ns - from_.ns);
  const auto since = static_cast<double>(static_cast<std::int64_t>(monotonic_ns - from_.ns));
  const auto ticks = static_cast<std::int64_t>(since * slope);
  return from_.ticks + static_cast<std::uint64_t>(ticks);
}

}  // namespace evt::record
