// The cost of tracing itself: from events of role overhead, and the number of events that each stream emitted.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order; memory grows with reasons, streams, and threads that run on them. The
// emitter pays: a stream, and the thread that runs on it.
class Overhead {
 public:
  struct Emitter {
    const StreamInfo* stream = nullptr;
    std::uint32_t thread = Actor::kNone;  // that ran there; kNone: no event recorded one
  };
  struct Emitted {
    Emitter by;
    std::uint64_t events = 0;
  };
  struct Stall {
    std::uint32_t reason = 0;  // index in Timeline::names()
    Emitter of;                // the thread, possibly one that the event names
    Histogram lengths;
  };
  struct Doubts {
    std::uint64_t without_duration = 0;  // events of role overhead without a duration
    std::uint64_t negative = 0;          // negative durations; counted as 0
    std::uint64_t clipped = 0;           // it began before counting did, and counts from then
    std::uint64_t losses = 0;            // how often events were lost, which took time too
  };

  // The timeline of the items must outlive it.
  explicit Overhead(Timeline& timeline);

  void take(const TimelineItem& item);
  // Counts only from this moment on.
  void restart(std::int64_t ns);

  // In the order in which they were first met.
  const std::vector<Emitted>& emitted() const;
  const std::vector<Stall>& stalls() const;
  const Doubts& doubts() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
