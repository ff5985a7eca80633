#include "zoom.h"

namespace evt::view {
namespace {

// More columns than a scale has, and few enough to calculate with.
constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::int64_t columns_between(std::int64_t from_ns, std::int64_t to_ns, unsigned level) {
  if (to_ns < from_ns) return -columns_between(to_ns, from_ns, level);
  const std::uint64_t columns = ns_between(from_ns, to_ns) >> level;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(columns, kFar));
}

}  // namespace

Zoom::Zoom(const Scale& of, const Scale& as) : of_(&of), as_(&as), end_(of.columns()) {
  if (of == as) return;
  shift_ = as.level() - of.level();
  skipped_ = columns_between(of.from_ns(), as.from_ns(), of.level());
  const std::int64_t columns = of.columns();
  first_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(skipped_, 0, columns));
  const std::int64_t behind = columns_between(of.from_ns(), as.to_ns(), of.level());
  end_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(behind, first_, columns));
}

}  // namespace evt::view
