// The life of each thread: how long it ran, was runnable, waited and for what, where, and who woke it.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order; memory grows with threads, and with pairs of a thread and a cpu, a reason or
// a waker. Times are nanoseconds since the session's start. "(others)" is the sum of threads that have ended; it does
// not include threads that are not followed.
class ThreadTimes {
 public:
  static constexpr std::size_t kStates = 6;  // values of ThreadState

  struct Waiting {
    std::uint32_t reason = 0;  // index in Timeline::reasons()
    std::uint64_t ns = 0;
    std::uint64_t times = 0;
  };
  struct Waker {
    std::uint32_t thread = Actor::kNone;  // kNone: no thread was named
    std::uint64_t times = 0;
  };
  struct Row {
    std::uint32_t thread = 0;
    std::optional<std::int64_t> ended_ns;
    ThreadState state = ThreadState::kUnknown;  // now
    std::uint64_t ns[kStates] = {};             // in each state; kEnded: 0
    std::uint64_t uncertain_ns = 0;  // part of ns: events were lost meanwhile that may have recorded otherwise
    std::uint64_t slices = 0;
    std::uint64_t cpus = 0;        // number of cpus on which it ran
    std::uint64_t migrations = 0;  // number of moves to another cpu
    std::vector<Waiting> waiting;  // for each reason; the longest first
    std::vector<Waker> wakers;     // the busiest first
  };

  ThreadTimes();

  // The items that it needs of a session; rows of threadCreate.
  static ItemKinds items();
  void take(const TimelineItem& item);
  // Counts only from this moment on, which is not before the latest event.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest item. Threads with a recorded and wanted state, or a wanted end of
  // one, in order of their indexes.
  std::vector<Row> rows(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
