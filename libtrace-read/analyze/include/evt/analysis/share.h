// Whose the time is: of spans, calls and threads, divided among those that are active at each moment.
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
  // Threads that run. Of a thread that no event records to run or stop: as long as a span or call is open in it. None
  // while their process is stopped (role stopped), nor its collectors.
  kRunning,
  // Threads from their creation, or the first event that mentions them, to their exit; so also those that sleep.
  kExisting,
  // The same. But a stretch of time in one span, or in none, is divided by the most that existed up to its end since
  // one alone did. Shares need not add up to the time that was.
  kPhase,
};

// Takes the items of one session in order; memory grows with threads, pairs of a thread and a name, and depth.
class Share {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // A span, a call, or a thread by itself: time goes to the innermost span or call that is open in a thread, or else to
  // the thread. Or a collector of garbage, which is active while it works.
  struct Row {
    std::uint32_t thread = 0;    // of Actors; kNone: the collector of a stream
    std::uint32_t name = kNone;  // of the span or function, of Timeline::names(); kNone: the thread itself. Of a
                                 // collector: the place of its stream in the session
    bool is_call = false;
    std::uint64_t times = 0;  // that it was open, or collected
    SharedTime time;
  };
  // How the shares of the single spans of a name, or calls of a function, are distributed: in nanoseconds, rounded
  // down.
  struct Lengths {
    std::uint32_t name = 0;
    bool is_call = false;
    Histogram shares;
  };
  // The timeline of the items, which must outlive it.
  Share(Timeline& timeline, ShareModel model);

  void take(const TimelineItem& item);
  // Counts from this moment on alone, which is not before the latest item.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest item, of what is wanted. Those of a thread are not next to one
  // another.
  std::vector<Row> rows(std::int64_t ns) const;
  // Of those that have ended.
  const std::vector<Lengths>& lengths() const;
  // All the time that was, idle time too, whatever is wanted: `weighted` is the time of all who were active.
  SharedTime time(std::int64_t ns) const;
  std::uint64_t idle_ns(std::int64_t ns) const;  // no thread was active
  ShareModel model() const;
  // By kRunning: threads that were taken to run as something was open in them, as no event had recorded yet that they
  // run or stop.
  std::uint64_t assumed() const;
  bool has_threads() const;            // events were about some
  bool has_runs() const;               // some thread was seen to run or stop
  std::uint64_t never_active() const;  // threads that have spans or calls
  std::uint64_t jumps() const;         // time stepped back by intent
  // How much of the threads' time until such a moment is uncertain: a state may have changed unseen, because of a loss.
  std::uint64_t uncertain_ns(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
