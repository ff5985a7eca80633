#include <evt/analysis/span_doubts.h>

namespace evt {

void SpanDoubts::count(const TimelineItem& item) {
  Counts& counts = counts_[item.is_call ? 1 : 0];
  switch (item.kind) {
    case ItemKind::kBegan:
      counts.negative += item.is_negative ? 1 : 0;
      break;
    case ItemKind::kUnmatchedEnd:
      counts.unmatched_ends += item.thread != Actor::kNone ? 1 : 0;
      break;
    case ItemKind::kNotTimed:
      counts.not_timed += item.event->role != Role::kStopped ? 1 : 0;
      break;
    case ItemKind::kEnded:
      return count_end(item, &counts);
    default:
      return count_async(item);
  }
}

void SpanDoubts::count_async(const TimelineItem& item) {
  Counts& counts = counts_[static_cast<std::size_t>(SpanKind::kAsync)];
  if (item.kind == ItemKind::kAsyncEnded) return count_end(item, &counts);
  if (item.kind != ItemKind::kAsyncUnmatched) return;
  const bool has_id = item.event->event->number(Role::kSpanId).has_value();
  ++(has_id ? counts.unmatched_ends : counts.not_timed);
}

void SpanDoubts::count_end(const TimelineItem& item, Counts* counts) const {
  counts->open_at_end += item.is_open ? 1 : 0;
  counts->left_open += item.is_cut ? 1 : 0;
  counts->overlaps += item.overlaps ? 1 : 0;
  counts->uncertain += item.is_uncertain ? 1 : 0;
  counts->clipped += item.began_ns < since_ ? 1 : 0;
}

void SpanDoubts::restart(std::int64_t ns) {
  counts_ = {};
  since_ = ns;
}

}  // namespace evt
