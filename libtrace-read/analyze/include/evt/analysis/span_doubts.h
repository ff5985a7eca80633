// What does not fit of spans, calls and asynchronous spans: ends without a begin, what has not ended, lengths that make
// no sense.
#pragma once

#include <evt/analysis/spans.h>

#include <array>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order, and counts those that are wanted, for all analyses of spans and calls.
class SpanDoubts {
 public:
  struct Counts {
    std::uint64_t unmatched_ends = 0;  // of nothing that was seen to begin
    std::uint64_t open_at_end = 0;     // of the range
    std::uint64_t left_open = 0;       // when one around them ended, or their thread; when too many were open
    std::uint64_t overlaps = 0;        // with another, neither of which is within the other
    // Recorded at their end, without a duration that can be understood; begins and ends without an id.
    std::uint64_t not_timed = 0;
    std::uint64_t negative = 0;   // or with one below 0
    std::uint64_t uncertain = 0;  // their end may be among events that were lost
    std::uint64_t clipped = 0;    // began before counting did
  };

  void take(const TimelineItem& item) {
    const bool fits =
        item.kind == ItemKind::kBegan ? !item.is_negative
        : item.kind == ItemKind::kEnded || item.kind == ItemKind::kAsyncEnded
            ? !(item.is_open || item.is_cut || item.overlaps || item.is_uncertain || item.began_ns < since_)
            : item.kind != ItemKind::kUnmatchedEnd && item.kind != ItemKind::kNotTimed &&
                  item.kind != ItemKind::kAsyncUnmatched;
    if (!fits && item.is_wanted) count(item);
  }
  // Counts from this moment on alone.
  void restart(std::int64_t ns);
  const Counts& of(SpanKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  void count(const TimelineItem& item);
  void count_async(const TimelineItem& item);
  void count_end(const TimelineItem& item, Counts* counts) const;

  std::array<Counts, 3> counts_;
  std::int64_t since_ = INT64_MIN;
};

}  // namespace evt
#pragma GCC visibility pop
