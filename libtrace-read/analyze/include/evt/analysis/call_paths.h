// Who calls whom, and where the time goes: spans and calls by the paths of what was around them.
#pragma once

#include <evt/analysis/shared_time.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. Spans and calls of a thread are in one stack; the time of each moment is the
// innermost's. Of what has not ended the time until the end of the range counts, or until what was around it ended.
// Memory grows with depth, with pairs of a thread and a name, and with paths, of which a number is kept.
class CallPaths {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kMaxDepth = 512;      // of a path
  static constexpr std::uint32_t kMaxPaths = 1 << 18;  // others, and deeper ones, are one path for each name

  struct Options {
    bool by_thread = false;  // trees of single threads, else one of all
    bool divides = false;    // time by who is active, for Time::share
    // What tracing took is subtracted, but from shares: of each event this many picoseconds, and durations of events of
    // role overhead. REQUIRES: rows of all events are taken.
    std::optional<std::uint64_t> subtract_event_ps{};
  };
  // What the innermost has of the time.
  struct Time {
    std::uint64_t ns = 0;
    std::uint64_t running_ns = 0;     // its thread ran, or no event records so far when that runs
    std::uint64_t stopped_ns = 0;     // the process was stopped, and the thread would not have waited
    std::uint64_t subtracted_ns = 0;  // beside these: tracing took it
    // Each moment in which the thread was active divided by how many were, as ShareModel::kRunning has it; 2^64ths of a
    // nanosecond. Zero unless Options::divides.
    Uint128 share;

    Time& operator+=(const Time& other);
    friend bool operator==(const Time&, const Time&) = default;
  };
  // A name at the end of a path. Of a thread's root, and of what paths that are not kept are in, the name is kNone.
  struct Node {
    std::uint32_t parent = kNone;         // of nodes(), in front of it; kNone: a root
    std::uint32_t thread = Actor::kNone;  // of Actors; kNone: all
    std::uint32_t name = kNone;           // of Timeline::names()
    bool is_call = false;
    bool is_kept = true;  // as a path; else in the tree's node `(other paths)`, however deep it was
    std::uint32_t depth = 0;
    std::uint64_t count = 0;
    std::uint64_t unfinished = 0;  // of them: they did not end
    std::uint64_t sum_ns = 0;      // of those that are in no other of their kind and name on their thread
    Time self;

    bool is_root() const { return parent == kNone; }
    bool is_other_paths() const { return parent != kNone && name == kNone; }
  };
  // Of a thread: time in spans and calls, chosen or not.
  struct Inside {
    std::uint32_t thread = Actor::kNone;
    Time time;
  };
  // The timeline of the items, which must outlive it.
  CallPaths(Timeline& timeline, const Options& options);

  void take(const TimelineItem& item);
  // Counts from this moment on alone, which is not before the latest item. What is open counts from then.
  void restart(std::int64_t ns);

  // Parents in front of what is in them. REQUIRES, as all below: all items were taken.
  const std::vector<Node>& nodes() const;
  std::vector<Inside> inside() const;
  bool has_other_paths() const;
  // Threads that were taken to run in spans and calls, as no event had recorded yet that they run or stop.
  std::uint64_t assumed() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
