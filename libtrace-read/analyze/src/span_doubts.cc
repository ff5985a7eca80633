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
      counts.open_at_end += item.is_open ? 1 : 0;
      counts.left_open += item.is_cut ? 1 : 0;
      counts.overlaps += item.overlaps ? 1 : 0;
      counts.uncertain += item.is_uncertain ? 1 : 0;
      counts.clipped += item.began_ns < since_ ? 1 : 0;
      break;
    default:
      break;
  }
}

void SpanDoubts::restart(std::int64_t ns) {
  counts_ = {};
  since_ = ns;
}

}  // namespace evt
