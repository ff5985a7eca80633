// How often functions were called, for traces that have counts of calls instead of calls.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order (events of role callCounts); memory grows with functions, their callers, and
// threads. Refers to the timeline. Durations are nanoseconds.
class CallCounts {
 public:
  struct Row {
    std::uint32_t thread = Actor::kNone;  // index in Actors
    std::uint32_t function = 0;           // index in Timeline::names(), like the next two
    std::uint32_t library = EventNames::kNone;
    std::uint32_t caller = EventNames::kNone;
    std::uint64_t calls = 0;
    std::uint64_t returned = 0;  // calls that returned; 0: their durations are unknown
    std::uint64_t timed = 0;     // timed ones among those; if fewer, the members below are estimated from them
    std::uint64_t sum_ns = 0;    // saturates at 2^64 - 1
    std::uint64_t min_ns = 0;
    std::uint64_t max_ns = 0;
    // The approximate standard error of the sum: in two of three cases it is larger than the error of the estimate. 0:
    // not an estimate.
    std::uint64_t error_ns() const;
    // The smallest length that at least this part of them (0 to 1) do not exceed, as exactly as the trace has it.
    std::uint64_t quantile(double part) const;

    // Number of calls of about that length; the shortest first.
    struct Length {
      std::uint64_t ns = 0;
      std::uint64_t calls = 0;
    };
    std::vector<Length> lengths{};
  };

  // What distinguishes rows, besides function and library.
  struct Keep {
    bool thread = true;
    bool caller = true;
  };

  CallCounts(Timeline& timeline, const Keep& keep);

  void take(const TimelineItem& item);
  void restart();  // counts only from here on

  // In the order of the trace. Threads that share a number in it are one.
  const std::vector<Row>& rows() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
