// How often functions were called, of traces that have counts of calls in place of calls.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order (events of role callCounts); memory grows with functions, what calls them,
// and threads. Refers to the timeline. Durations are nanoseconds.
class CallCounts {
 public:
  struct Row {
    std::uint32_t thread = Actor::kNone;  // of Actors
    std::uint32_t function = 0;           // of Timeline::names(), as the next two
    std::uint32_t library = EventNames::kNone;
    std::uint32_t caller = EventNames::kNone;
    std::uint64_t calls = 0;
    std::uint64_t returned = 0;  // of them; 0: how long they took is not known
    std::uint64_t timed = 0;     // of those; fewer: what follows is an estimate by them
    std::uint64_t sum_ns = 0;    // 2^64 - 1 if it is more
    std::uint64_t min_ns = 0;
    std::uint64_t max_ns = 0;
    // The standard error of the sum, about: of two sums in three it is more than what the estimate is wrong by. 0: of
    // one that is none.
    std::uint64_t error_ns() const;
    // The length to which at least this part of them come, from 0 to 1, as exactly as the trace has it.
    std::uint64_t quantile(double part) const;

    // How many calls were about that long; the shortest first.
    struct Length {
      std::uint64_t ns = 0;
      std::uint64_t calls = 0;
    };
    std::vector<Length> lengths{};
  };

  // What rows are kept apart by, beside function and library.
  struct Keep {
    bool thread = true;
    bool caller = true;
  };

  CallCounts(Timeline& timeline, const Keep& keep);

  void take(const TimelineItem& item);
  void restart();  // counts from here on alone

  // In the order in which the trace has them. Threads that are one number in it are one.
  const std::vector<Row>& rows() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
