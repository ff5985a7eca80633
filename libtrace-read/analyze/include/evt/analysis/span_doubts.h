// What does not fit of spans and calls: ends without a begin, what has not ended, lengths that make no sense.
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
    std::uint64_t left_open = 0;       // when one around them ended, or their thread
    std::uint64_t overlaps = 0;        // with another, neither of which is within the other
    std::uint64_t not_timed = 0;       // recorded at their end, without a duration that can be understood
    std::uint64_t negative = 0;        // or with one below 0
    std::uint64_t uncertain = 0;       // their end may be among events that were lost
    std::uint64_t clipped = 0;         // began before counting did
  };

  void take(const TimelineItem& item) {
    const bool fits =
        item.kind == ItemKind::kBegan ? !item.is_negative
        : item.kind == ItemKind::kEnded
            ? !(item.is_open || item.is_cut || item.overlaps || item.is_uncertain || item.began_ns < since_)
            : item.kind != ItemKind::kUnmatchedEnd && item.kind != ItemKind::kNotTimed;
    if (!fits && item.is_wanted) count(item);
  }
  // Counts from this moment on alone.
  void restart(std::int64_t ns);
  const Counts& of(SpanKind kind) const { return counts_[kind == SpanKind::kCall ? 1 : 0]; }

 private:
  void count(const TimelineItem& item);

  std::array<Counts, 2> counts_;
  std::int64_t since_ = INT64_MIN;
};

}  // namespace evt
#pragma GCC visibility pop
