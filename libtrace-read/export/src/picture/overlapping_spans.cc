#include "overlapping_spans.h"

#include <algorithm>

namespace evt {

// The number of the one that begins or ends.
std::uint64_t OverlappingSpans::take(const TimelineItem& item) {
  return item.kind == ItemKind::kBegan ? open_.begin(item) = ++count_ : open_.end(item);
}

void OverlappingSpans::look(const TimelineItem& item) {
  if (item.kind != ItemKind::kBegan && item.kind != ItemKind::kEnded) return;
  const bool is_last = item.kind == ItemKind::kEnded && item.depth + std::size_t{1} == open_.of(item.thread).size();
  const std::uint64_t number = take(item);
  if (item.kind == ItemKind::kEnded && !is_last) numbers_.push_back(number);
}

void OverlappingSpans::begin_again() {
  std::sort(numbers_.begin(), numbers_.end());
  open_.clear();
  count_ = 0;
}

std::optional<std::uint64_t> OverlappingSpans::number_of(const TimelineItem& item) {
  const std::uint64_t number = take(item);
  const bool overlaps = std::binary_search(numbers_.begin(), numbers_.end(), number);
  return overlaps ? std::optional(number) : std::nullopt;
}

}  // namespace evt
