#include "run/unreturned_calls.h"

#include <algorithm>

namespace evt::tools {

void UnreturnedCalls::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kEnded || !item.is_call || !(item.is_open || item.is_cut)) return;
  ++count_;
  OfName& of = by_name_[item.name];
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, item.ns - item.began_ns));
  // What is in one another ends at once, the outermost last.
  if (of.thread == item.thread && of.ended_ns == item.ns) of.ns -= of.latest_ns;
  of = {of.ns + ns, ns, item.ns, item.thread};
}

std::uint64_t UnreturnedCalls::ns_of(std::uint32_t name) const {
  const auto of = by_name_.find(name);
  return of != by_name_.end() ? of->second.ns : 0;
}

}  // namespace evt::tools
