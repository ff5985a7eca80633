// What tracing itself took: what events of role overhead say, and how many events each stream emitted.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order; memory grows with reasons, streams, and threads that run on them. Who pays
// is who emits: a stream, and the thread that runs on it.
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
    std::uint32_t reason = 0;  // of Timeline::names()
    Emitter of;                // the thread: also one that the event names
    Histogram lengths;
  };
  struct Doubts {
    std::uint64_t without_duration = 0;  // events of role overhead that do not say how long it took
    std::uint64_t negative = 0;          // they say less than nothing; counted as nothing
    std::uint64_t clipped = 0;           // it began before counting did, and counts from then
    std::uint64_t losses = 0;            // so often events were lost, which took time too
  };

  // The timeline of the items, which must outlive it.
  explicit Overhead(Timeline& timeline);

  void take(const TimelineItem& item);
  // Counts from this moment on alone.
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
