#include "tick_scale.h"

#include <time.h>

namespace evt::record {
namespace {

std::uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

void TickScale::read(const evt_writer* writer) {
  from_ = to_;
  std::uint64_t narrowest = UINT64_MAX;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::uint64_t before = evt_writer_now(writer);
    const std::uint64_t ns = now_ns();
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
