// Stops of processes: each one, and their total time.
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
    std::uint32_t part = Actor::kNone;        // in a merged session; kNone: of a process that has no part
    std::uint32_t cause = EventNames::kNone;  // index in Timeline::names(); kNone: not stated
    std::int64_t began_ns = 0;                // or where counting began, if that was later
    std::int64_t ended_ns = 0;
    std::uint64_t suspended_ns = 0;  // the machine was suspended, which is not part of the trace's time
    bool is_open = false;            // it has not ended
  };
  struct Process {
    std::uint32_t part = Actor::kNone;
    std::uint64_t stops = 0;
    std::uint64_t ns = 0;  // overlapping stops count once
    std::uint64_t suspended_ns = 0;
  };

  // The session of the items must outlive it.
  explicit ProcessStops(const Session& session);

  void take(const TimelineItem& item);
  // Counts only from this moment on.
  void restart(std::int64_t ns);

  // The first kMaxStops, in the order of their ends.
  const std::vector<Stop>& stops() const;
  // Processes that were stopped, by their part; without a part first.
  std::vector<Process> processes() const;
  // Totals of all processes: time during which several were stopped counts once.
  const Process& all() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
