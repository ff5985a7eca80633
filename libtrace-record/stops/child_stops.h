// When a child process is stopped, as its parent sees it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "libtrace-write/src/stop_clock.h"

namespace evt::record {

struct ChildStop {
  enum class Cause : std::uint8_t {
    kSignal,   // only the child, or with its parent: SIGSTOP, the terminal
    kPause,    // its parent too, by no signal: a freezer, a debugger, or their machine
    kSuspend,  // their machine slept, in which CLOCK_MONOTONIC does not count
  };

  Cause cause{};
  std::int64_t began_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t ended_ns = 0;
  bool has_edges = false;          // the system reported both; else it may have begun earlier
  std::uint64_t suspended_ns = 0;  // kSuspend: for how long, which does not pass between the two
};

// The parent sleeps, and looks at the child when it wakes. The system reports the edges of a stop. A stop whose
// beginning the parent did not see, because it was stopped too, lasted as long as the parent is late. Each stop is
// found once. Used by one thread.
class ChildStops {
 public:
  // What the parent sees when it is awake.
  struct Look {
    enum class Edge : std::uint8_t { kNone, kStopped, kContinued, kEnded };

    std::int64_t now_ns = 0;         // CLOCK_MONOTONIC
    std::uint64_t suspended_ns = 0;  // CLOCK_BOOTTIME minus CLOCK_MONOTONIC
    Edge edge{};                     // the child's, since the last look
    bool was_continued = false;      // the parent got SIGCONT: it was late by itself
  };
  using Take = std::function<void(const ChildStop&)>;

  explicit ChildStops(bool (*run_delay)(std::uint64_t* ns) = read_run_delay) : clock_(run_delay) {}

  // Called before the parent sleeps until then, or less.
  void sleep(std::int64_t now_ns, std::int64_t until_ns);
  // Called when it is awake. REQUIRES: it takes its signals after this, because one of them may be why it is late.
  void wake(std::int64_t now_ns);
  // Called after wake(); again for each further edge, before the next sleep.
  void look(const Look& look, const Take& take);
  // As the parent has seen.
  bool is_stopped() const { return since_ns_.has_value(); }

 private:
  void look_at_machine(const Look& look, const Take& take);

  StopClock clock_;
  std::optional<StopClock::Stop> late_;        // until the next look
  std::optional<std::int64_t> since_ns_;       // when the child was stopped
  std::optional<std::uint64_t> suspended_ns_;  // at the look before
};

// How often a process was stopped, and for how long. Used by one thread. Times are ns of any clock.
class StopTotals {
 public:
  // REQUIRES: it did not begin before the one before, and did not end before it began. Time in several counts once.
  void add(std::int64_t began_ns, std::int64_t ended_ns);

  std::uint64_t count() const { return count_; }
  std::uint64_t total_ns() const { return total_ns_; }

 private:
  std::int64_t latest_end_ns_ = INT64_MIN;
  std::uint64_t count_ = 0;
  std::uint64_t total_ns_ = 0;
};

}  // namespace evt::record
