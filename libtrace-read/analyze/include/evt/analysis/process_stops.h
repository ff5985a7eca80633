// When processes were stopped: each time, and for how long in all.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order; memory grows with parts of a merged session, and with stops up to
// kMaxStops.
class ProcessStops {
 public:
  static constexpr std::size_t kMaxStops = 100'000;

  struct Stop {
    std::uint32_t part = Actor::kNone;        // of a merged session; kNone: of a process that has no part
    std::uint32_t cause = EventNames::kNone;  // of Timeline::names(); kNone: not stated
    std::int64_t began_ns = 0;                // or where counting began, if that was later
    std::int64_t ended_ns = 0;
    std::uint64_t suspended_ns = 0;  // the machine was suspended: no time of the trace
    bool is_open = false;            // it has not ended
  };
  struct Process {
    std::uint32_t part = Actor::kNone;
    std::uint64_t stops = 0;
    std::uint64_t ns = 0;  // two stops at a time count once
    std::uint64_t suspended_ns = 0;
  };

  // The session of the items, which must outlive it.
  explicit ProcessStops(const Session& session);

  void take(const TimelineItem& item);
  // Counts from this moment on alone.
  void restart(std::int64_t ns);

  // The first kMaxStops, in the order of their ends.
  const std::vector<Stop>& stops() const;
  // Those that were stopped, by their part; what has no part first.
  std::vector<Process> processes() const;
  // Of all processes: what several were stopped at a time counts once.
  const Process& all() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
