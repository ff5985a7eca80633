// Who calls whom, and where the time goes: spans and calls by the path of their enclosing ones.
#pragma once

#include <evt/analysis/shared_time.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. Spans and calls of a thread are in one stack; each moment counts for the
// innermost. If one has not ended, time counts until the end of the range, or until its enclosing one ended. Memory
// grows with depth, with pairs of a thread and a name, and with paths, whose number is limited.
class CallPaths {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kMaxDepth = 512;      // longest path
  static constexpr std::uint32_t kMaxPaths = 1 << 18;  // others, and deeper ones, are one path for each name

  struct Options {
    bool by_thread = false;  // one tree per thread, else one for all
    bool divides = false;    // divide time by the number of active threads, for Time::share
    // Subtracts tracing time, except from shares: so many picoseconds for each event, and durations of events of role
    // overhead. REQUIRES: rows of all events are taken.
    std::optional<std::uint64_t> subtract_event_ps{};
  };
  // Time during which it was the innermost.
  struct Time {
    std::uint64_t ns = 0;
    std::uint64_t running_ns = 0;     // its thread ran, or no event so far records its runs
    std::uint64_t stopped_ns = 0;     // the process was stopped, and the thread would not have waited
    std::uint64_t subtracted_ns = 0;  // tracing time, not included in these
    // Each moment in which the thread was active divided by the number of active threads, see ShareModel::kRunning;
    // 2^64ths of a nanosecond. Zero unless Options::divides.
    Uint128 share;

    Time& operator+=(const Time& other);
    friend bool operator==(const Time&, const Time&) = default;
  };
  // A name at the end of a path. A thread's root, and the parent of paths that are not kept, have the name kNone.
  struct Node {
    std::uint32_t parent = kNone;         // index in nodes(), before this one; kNone: a root
    std::uint32_t thread = Actor::kNone;  // index in Actors; kNone: all
    std::uint32_t name = kNone;           // index in Timeline::names()
    bool is_call = false;
    bool is_kept = true;  // as a path; else in the tree's node `(other paths)`, at any depth
    std::uint32_t depth = 0;
    std::uint64_t count = 0;
    std::uint64_t unfinished = 0;  // those that did not end
    std::uint64_t sum_ns = 0;      // without those in another of their kind and name on their thread
    Time self;
    double squares = 0;  // sum of the squares of the weights of samples, in ns^2

    bool is_root() const { return parent == kNone; }
    bool is_other_paths() const { return parent != kNone && name == kNone; }
  };
  // Time of a thread in spans and calls, chosen or not.
  struct Inside {
    std::uint32_t thread = Actor::kNone;
    Time time;
  };
  // The timeline of the items must outlive it.
  CallPaths(Timeline& timeline, const Options& options);

  void take(const TimelineItem& item);
  // Counts only from this moment on, which is not before the latest item. Open spans and calls count from then.
  void restart(std::int64_t ns);

  // Parents come before their children. REQUIRES, as all below: all items were taken.
  const std::vector<Node>& nodes() const;
  std::vector<Inside> inside() const;
  bool has_other_paths() const;
  // Threads that were assumed to run in spans and calls, because no event had recorded yet that they run or stop.
  std::uint64_t assumed() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
