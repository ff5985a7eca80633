// Assigns the time of threads: to the innermost span or call of each, or else to the thread itself.
#pragma once

#include <evt/analysis/share.h>
#include <evt/open_stack.h>
#include <evt/timeline.h>

#include <optional>
#include <vector>

#include "active_time.h"
#include "flat_map.h"
#include "parts.h"
#include "tracing_cost.h"

namespace evt {

// Settles each stretch of a thread's time once, when something changes on the thread. Spans, calls and shares are
// queries: they look at a frame's totals when it ends. Takes the items of one session in order; threads are indexes in
// Actors. Memory grows with threads, and with open frames. Refers to the timeline.
class Account {
 public:
  // Sums to keep.
  struct Options {
    bool has_times = true;  // Time
    bool has_outermost = true;
    bool has_shares = false;  // SharedTime, by `model`
    ShareModel model = ShareModel::kRunning;
    // Subtracts tracing time from Time: so many picoseconds for each event, and durations of events of role overhead.
    std::optional<std::uint64_t> subtract_event_ps{};
  };

  struct Time {
    std::uint64_t ns = 0;             // without subtracted_ns
    std::uint64_t running_ns = 0;     // part of ns: the thread ran, or no event had recorded when it runs
    std::uint64_t stopped_ns = 0;     // part of ns: its process was stopped; it would have continued, and was not in a
                                      // call for the resource `sleep`
    std::uint64_t subtracted_ns = 0;  // tracing took it

    Time& operator+=(const Time& other) {
      ns += other.ns;
      running_ns += other.running_ns;
      stopped_ns += other.stopped_ns;
      subtracted_ns += other.subtracted_ns;
      return *this;
    }
    friend Time operator-(Time a, const Time& b) {
      a.ns -= b.ns;
      a.running_ns -= b.running_ns;
      a.stopped_ns -= b.stopped_ns;
      a.subtracted_ns -= b.subtracted_ns;
      return a;
    }
  };

  // An open span or call.
  struct Frame {
    std::uint32_t name = 0;  // index in Timeline::names()
    bool is_call = false;
    bool is_wanted = false;
    bool is_outermost = false;           // among those with its kind and name on its thread; with has_outermost
    bool sleeps = false;                 // the innermost call, this or an enclosing one, is for the resource `sleep`
    const StreamInfo* stream = nullptr;  // on which it began
    Time self;                           // not yet taken by a query
    SharedTime shared;                   // not yet taken, either
    Time outer_before;                   // Thread::inside, when it became the outermost
    std::int64_t outer_since_ns = INT64_MIN;  // when it became outermost, if not at its begin
    std::uint64_t stopped_before_ns = 0;      // from Thread::inside, where the frame began or counting did
    // For the owner of the account.
    std::uint32_t row = Actor::kNone;
    std::uint32_t counted_row = Actor::kNone;
    std::int64_t start_ns = 0;
    std::uint64_t spent_ps = 0;
    std::uint64_t children_ns = 0;
    std::uint64_t given_ns = 0;
    std::uint64_t object = 0;  // its number, and the part of that number
    std::uint32_t object_part = Actor::kNone;
  };

  struct Thread {
    OpenStack<Frame> open;
    Time inside;     // in any span or call
    SharedTime own;  // in none, while it was wanted
    bool is_wanted = true;
    bool was_wanted = false;  // since counting began
    bool is_met = false;
    bool is_old = false;  // met before counting began
    bool was_active = false;
    bool is_assumed = false;  // time was counted before an event recorded whether the thread runs

    bool exists = false;
    bool is_known = false;  // an event has recorded that it runs, or that it stops
    ThreadState state = ThreadState::kUnknown;
    bool is_collecting = false;  // the collector works in its place
    bool is_stopped = false;
    std::int64_t since_ns = 0;   // settled until then
    std::uint64_t spent_ps = 0;  // tracing time on the stream of the innermost, until then
    std::uint64_t owed_ps = 0;   // less than a nanosecond, to be subtracted
    ActiveTime::Member active;
  };

  struct Collector {
    bool collects = false;
    bool works = false;
    bool is_stopped = false;
    bool is_wanted = false;
    SharedTime shared;  // during the collection in progress
    ActiveTime::Member active;
  };

  Account(Timeline& timeline, const Options& options);

  // Takes all but kBegan and kEnded, which are for begin() and end().
  void take(const TimelineItem& item);
  // Returns the new frame, valid until the next call.
  Frame& begin(const TimelineItem& item);
  // Returns the frame that ended, with its totals, valid until the next begin().
  Frame& end(const TimelineItem& item);
  // Settles all time until then, which is not before the latest item.
  void settle_all(std::int64_t ns);
  // Counts only from this moment on; open frames continue.
  void restart(std::int64_t ns);

  std::vector<Thread>& threads() { return threads_; }
  const std::vector<Thread>& threads() const { return threads_; }
  // By the index of their stream in the session. After a collection ends, it holds the ended one until the next call.
  const std::vector<Collector>& collectors() const { return collectors_; }
  std::uint32_t place_of(const StreamInfo& stream) const {
    return static_cast<std::uint32_t>(&stream - session_->streams.data());
  }
  // Up to the latest item.
  const ActiveTime& clock() const { return clock_; }
  // Threads with time that was counted before an event recorded whether they run.
  std::uint64_t assumed() const;
  std::uint64_t spent_ps(const StreamInfo& stream) const { return cost_ ? cost_->spent_ps(stream) : 0; }
  std::uint64_t event_ps() const { return cost_ ? cost_->event_ps() : 0; }

 private:
  static std::uint64_t key_of(const TimelineItem& item) {
    return std::uint64_t{item.thread} << 32 | item.name << 1 | std::uint32_t{item.is_call};
  }

  void advance(std::int64_t ns) {
    if (ns != clock_.now_ns() || !has_begun_) go_on(ns);
  }
  void go_on(std::int64_t ns);
  void meet(const TimelineItem& item);
  void change_state(const TimelineItem& item);
  void take_collector(const TimelineItem& item);
  void stop(const TimelineItem& item);
  void fold(const TimelineItem& item);
  void activate(Thread* thread) {
    if (options_.has_shares) share_from_now(thread);
  }
  void share_from_now(Thread* thread);
  void activate(Collector* collector);
  template <typename T>
  void activate(T* whose, bool is_active);
  void share(Thread* thread);
  void share(Collector* collector);
  bool sleeps(const TimelineItem& call);
  SharedTime since(const ActiveTime::Member& member) const;
  Time time_of(const Thread& thread, std::int64_t ns) const;
  std::uint64_t spent_in(const Frame& frame, const TimelineItem* ended) const;
  void subtract(Thread* thread, std::uint64_t spent_ps, Time* time) const;
  void settle(Thread* thread, std::int64_t ns, const TimelineItem* ended) {
    if (thread->active.active) share(thread);
    if (ns <= thread->since_ns) return;
    if (!thread->open.empty()) {
      thread->is_assumed |= !thread->is_known;
      if (options_.has_times) settle_inside(thread, ns, ended);
    }
    thread->since_ns = ns;
  }
  void settle_inside(Thread* thread, std::int64_t ns, const TimelineItem* ended);
  void pass_outermost(const Frame& ended, const TimelineItem& item);

  Timeline* timeline_;
  const Session* session_;
  Options options_;
  std::optional<TracingCost> cost_;
  std::uint32_t sleep_;  // index in Timeline::names()
  bool has_begun_ = false;
  ActiveTime clock_;
  std::vector<Thread> threads_;
  std::vector<Collector> collectors_;
  std::vector<bool> stopped_;            // by part; the first for processes without one
  FlatMap<std::uint32_t> open_of_name_;  // number of open ones, by thread, kind and name
};

}  // namespace evt
