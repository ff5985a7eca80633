#include "recent_places.h"

#include <algorithm>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {

void RecentPlaces::become(std::uint32_t thread, const Place& place, std::int64_t ns, std::int64_t needed_ns) {
  std::deque<Change>& changes = grown(&threads_, thread);
  while (changes.size() > 1 && changes[1].ns <= needed_ns) changes.pop_front();
  if (changes.size() >= kMost) changes.pop_front();
  changes.push_back({ns, place});
}

void RecentPlaces::forget(std::uint32_t thread) {
  if (thread < threads_.size()) threads_[thread].clear();
}

void RecentPlaces::divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take) const {
  static const std::deque<Change> kNothing;
  const std::deque<Change>& changes = thread < threads_.size() ? threads_[thread] : kNothing;
  auto next = std::ranges::upper_bound(changes, from_ns, {}, &Change::ns);
  while (from_ns < to_ns) {
    const std::int64_t until = next != changes.end() ? std::min(next->ns, to_ns) : to_ns;
    if (until > from_ns) take(next != changes.begin() ? std::prev(next)->place : Place(), length(from_ns, until));
    from_ns = until;
    if (next != changes.end()) ++next;
  }
}

}  // namespace evt
