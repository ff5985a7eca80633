// Counts spans, calls and asynchronous spans that do not fit: ends without a begin, begins without an end, invalid
// lengths.
#pragma once

#include <evt/analysis/spans.h>

#include <array>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order, and counts those that are wanted, for all analyses of spans and calls.
class SpanDoubts {
 public:
  struct Counts {
    std::uint64_t unmatched_ends = 0;  // no begin was seen
    std::uint64_t open_at_end = 0;     // still open where the range ends
    std::uint64_t left_open = 0;       // when an enclosing one ended, or their thread; or too many were open
    std::uint64_t overlaps = 0;        // two overlap, and neither contains the other
    // Recorded at their end, without a valid duration; begins and ends without an id.
    std::uint64_t not_timed = 0;
    std::uint64_t negative = 0;   // or with a negative one
    std::uint64_t uncertain = 0;  // their end may be among lost events
    std::uint64_t clipped = 0;    // began before counting did
  };

  void take(const TimelineItem& item) {
    if (is_doubtful(item) && item.is_wanted) count(item);
  }
  // Counts only from this moment on.
  void restart(std::int64_t ns);
  const Counts& of(SpanKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  bool is_doubtful(const TimelineItem& item) const {
    switch (item.kind) {
      case ItemKind::kBegan:
        return item.is_negative;
      case ItemKind::kEnded:
      case ItemKind::kAsyncEnded:
        return item.is_open || item.is_cut || item.overlaps || item.is_uncertain || item.began_ns < since_;
      case ItemKind::kUnmatchedEnd:
      case ItemKind::kNotTimed:
      case ItemKind::kAsyncUnmatched:
        return true;
      default:
        return false;
    }
  }
  void count(const TimelineItem& item);
  void count_async(const TimelineItem& item);
  void count_end(const TimelineItem& item, Counts* counts) const;

  std::array<Counts, 3> counts_;
  std::int64_t since_ = INT64_MIN;
};

}  // namespace evt
#pragma GCC visibility pop
