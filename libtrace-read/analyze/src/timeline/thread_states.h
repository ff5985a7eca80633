// What each thread does: from the events of threads to their states.
#pragma once

#include <algorithm>
#include <vector>

#include "idle_thread.h"
#include "libtrace-read/analyze/src/actors_impl.h"
#include "libtrace-read/analyze/src/stop_reasons.h"
#include "occupancy.h"
#include "timeline_items.h"

namespace evt {

// Takes the events of one session in order. A thread exists from the first event that is about it, and is in one state
// at a time, until it ends; later events do not make it a new one, unless they create or run it.
class ThreadStates {
 public:
  // The actors of the events, which must outlive it.
  explicit ThreadStates(Actors::Impl& actors)
      : actors_(&actors), collects_on_(actors.session().streams.size(), kNone) {}
  // Copies the state of another, for actors that are a copy of its own.
  ThreadStates(const ThreadStates& other, Actors::Impl& actors) : ThreadStates(other) { actors_ = &actors; }

  // Appends the effects of the event. `at`: common values of the items.
  void take(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  // Like take(), inlined for events of these roles; and for all others.
  void run(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void stop(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void take_other(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  // An event of the thread was seen, or a later one will record what begins now.
  void meet(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at, TimelineItems* items) {
    if (thread >= threads_.size() || !threads_[thread].is_met) meet_first(thread, stream, at, items);
  }
  // These are not threads, whatever the events so far show.
  void know_idle(std::vector<IdleThread> threads) {
    known_idle_ = std::move(threads);
    has_idle_ |= !known_idle_.empty();
  }
  // Keeps only those that are idle by their own events.
  void forget_idle();
  // A range begins: existing threads, and what they do. `with_past`: also threads that have ended, or are idle, and
  // what is known of their earlier states.
  void begin(TimelineItem at, bool with_past, TimelineItems* items) const;
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items) const;

  bool has_ended(std::uint32_t thread) const {
    return thread < threads_.size() && threads_[thread].state == ThreadState::kEnded;
  }
  // A thread that would run does not count.
  bool runs(std::uint32_t thread) const { return occupancy_.runs(thread) && !threads_[thread].is_collecting; }
  // One that is read continues from there.
  void archive(Archive& archive);
  const Occupancy& occupancy() const { return occupancy_; }
  Occupancy& occupancy() { return occupancy_; }
  const StopReasons& reasons() const { return reasons_; }

 private:
  ThreadStates(const ThreadStates& other) = default;

  static constexpr std::uint32_t kNone = Actor::kNone;

  // What events recorded about a thread.
  enum class Stated : std::uint8_t {
    kNothing,
    kHeld,   // that it runs, and a collector worked in its place
    kState,  // its state
    kRuns,   // that it runs, or that it stops
  };
  struct Thread {
    ThreadState state = ThreadState::kEnded;  // before it exists, too
    bool is_met = false;
    std::uint32_t stream = 0;  // the id of the stream that recorded its state
    std::uint32_t reason = kNone;
    std::int64_t since = 0;
    std::uint32_t collectors = 0;  // number of streams that collect garbage on it
    bool is_collecting = false;    // else it would run, or its state is unknown
    Stated stated = Stated::kNothing;
    bool is_wanted = true;  // the event that recorded its state is
  };

  void meet_first(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at, TimelineItems* items);
  bool is_idle(std::uint32_t thread) const { return has_idle_ && actors_->threads()[thread].is_idle; }
  bool take_idle(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  void find_idle(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  TimelineItem& become(std::uint32_t thread, ThreadState state, const RoleEvent& event, const TimelineItem& at,
                       TimelineItems* items);
  // Like become(), inlined.
  TimelineItem& become_now(std::uint32_t thread, ThreadState state, Stated stated, const RoleEvent& event,
                           const TimelineItem& at, TimelineItems* items);
  void resume(Occupancy::Change change, const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void change_life(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void begin_collector(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void end_collector(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void hold(std::uint32_t thread, const TimelineItem& at, TimelineItems* items);
  void collect(Thread* thread, TimelineItem* item);
  void wake(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void lose(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  void fold(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);

  Actors::Impl* actors_;
  Occupancy occupancy_;
  StopReasons reasons_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> collects_on_;   // by the index of a stream: the thread on which it collects garbage
  bool has_idle_ = false;                    // some thread is what cpus run when they have nothing to do
  std::vector<std::uint32_t> idle_by_runs_;  // those that no event states to be idle
  std::vector<IdleThread> known_idle_;
};

// Code that nearly all events need is inline, so that it is compiled for each role.

[[gnu::always_inline]] inline TimelineItem& ThreadStates::become_now(std::uint32_t thread, ThreadState state,
                                                                     Stated stated, const RoleEvent& event,
                                                                     const TimelineItem& at, TimelineItems* items) {
  meet(thread, *event.stream, at, items);
  Thread& t = threads_[thread];
  TimelineItem& item = items->append(at, ItemKind::kState);
  item.thread = thread;
  item.before = t.state;
  item.state = state;
  t.state = state;
  t.since = event.ns;
  t.stream = event.stream->id;
  t.is_wanted = at.is_wanted;
  t.is_collecting = false;
  t.reason = kNone;
  if (t.collectors > 0 && state == ThreadState::kRunning) [[unlikely]] {
    t.stated = std::max(t.stated, Stated::kHeld);
    collect(&t, &item);
  } else {
    t.stated = stated;
  }
  return item;
}

[[gnu::always_inline]] inline void ThreadStates::run(const RoleEvent& event, const TimelineItem& at,
                                                     TimelineItems* items) {
  // Usually no thread is idle, and none has number 0.
  const bool may_be_idle = has_idle_ || actors_->threads()[event.thread].number == 0;
  if (may_be_idle && take_idle(event, at, items)) return;
  const Occupancy::Change change = occupancy_.run(event);
  if (change.replaced != kNone) become(change.replaced, ThreadState::kRunnable, event, at, items);
  if (event.thread == Actor::kOthers || is_idle(event.thread)) return;
  // On a cpu that is not followed: it is unknown when another thread runs there.
  become_now(event.thread, ThreadState::kRunning, Stated::kRuns, event, at, items).cpu = change.on_cpu;
}

[[gnu::always_inline]] inline void ThreadStates::stop(const RoleEvent& event, const TimelineItem& at,
                                                      TimelineItems* items) {
  if (has_idle_ && take_idle(event, at, items)) return;
  const Occupancy::Change change = occupancy_.stop(event);
  if (event.thread == Actor::kOthers || is_idle(event.thread)) return;
  // A stop of a thread that did not run, or runs elsewhere already, changes nothing.
  if (change.stopped != kNone || !occupancy_.runs(event.thread)) {
    meet(event.thread, *event.stream, at, items);
    if (!has_ended(event.thread)) {
      const std::uint32_t reason = reasons_.of(*event.event);
      become_now(event.thread, reasons_.all()[reason].state, Stated::kRuns, event, at, items).other = reason;
      threads_[event.thread].reason = reason;
    }
  }
  if (change.resumes) resume(change, event, at, items);
}

}  // namespace evt
