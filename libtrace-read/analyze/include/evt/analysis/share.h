// Time of spans, calls and threads, divided among those that are active at each moment.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/analysis/shared_time.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Who is active, and by what time is divided.
enum class ShareModel : std::uint8_t {
  // Running threads. A thread whose running and stopping no event records counts while a span or call is open in it.
  // While their process is stopped (role stopped), neither its threads nor its collectors count.
  kRunning,
  // Threads from their creation, or the first event that mentions them, to their exit, including those that sleep.
  kExisting,
  // Like kExisting, but each stretch of time in one span, or in none, is divided by the peak number of threads up to
  // its end since only one existed. Shares need not add up to the elapsed time.
  kPhase,
};

// Takes the items of one session in order; memory grows with threads, pairs of a thread and a name, and depth.
class Share {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // A span, a call, or a thread itself: time goes to the innermost open span or call of a thread, or else to the
  // thread. Or a garbage collector, which is active while it works.
  struct Row {
    std::uint32_t thread = 0;    // index in Actors; kNone: the collector of a stream
    std::uint32_t name = kNone;  // the span or function, in Timeline::names(); kNone: the thread itself. For a
                                 // collector: the index of its stream in the session
    bool is_call = false;
    std::uint64_t times = 0;  // how often it was open, or collected
    SharedTime time;
  };
  // The distribution of the shares of single spans of a name, or calls of a function: in nanoseconds, rounded down.
  struct Lengths {
    std::uint32_t name = 0;
    bool is_call = false;
    Histogram shares;
  };
  // The timeline of the items must outlive it.
  Share(Timeline& timeline, ShareModel model);

  void take(const TimelineItem& item);
  // Counts only from this moment on, which is not before the latest item.
  void restart(std::int64_t ns);

  // Wanted rows at this moment, which is not before the latest item. Those of one thread are not adjacent.
  std::vector<Row> rows(std::int64_t ns) const;
  // Those that have ended.
  const std::vector<Lengths>& lengths() const;
  // All elapsed time, including idle time, whatever is wanted: `weighted` is the total time of all active members.
  SharedTime time(std::int64_t ns) const;
  std::uint64_t idle_ns(std::int64_t ns) const;  // no thread was active
  ShareModel model() const;
  // By kRunning: threads that were assumed to run because something was open in them and no event had recorded yet that
  // they run or stop.
  std::uint64_t assumed() const;
  bool has_threads() const;            // events were about some
  bool has_runs() const;               // some thread was seen to run or stop
  std::uint64_t never_active() const;  // threads that have spans or calls
  std::uint64_t jumps() const;         // intentional steps back in time
  // Uncertain part of the threads' time until such a moment: a state may have changed unseen, because of a loss.
  std::uint64_t uncertain_ns(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
