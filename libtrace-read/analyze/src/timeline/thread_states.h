// What each thread does: from the events of threads to their states.
#pragma once

#include <vector>

#include "libtrace-read/analyze/src/actors_impl.h"
#include "libtrace-read/analyze/src/stop_reasons.h"
#include "occupancy.h"
#include "timeline_items.h"

namespace evt {

// Takes the events of one session in order. A thread exists from the first event that is about it, and is in one state
// at a time, until it ends; an event of it later makes it no new one, unless it creates or runs it.
class ThreadStates {
 public:
  // The actors of the events, which must outlive it.
  explicit ThreadStates(Actors::Impl& actors) : actors_(&actors) {}
  // Goes on from a moment: of which threads run then, no more is known.
  ThreadStates(Actors::Impl& actors, Occupancy occupancy);

  // What another was, of actors that are a copy of its own.
  ThreadStates(const ThreadStates& other, Actors::Impl& actors) : ThreadStates(other) { actors_ = &actors; }

  // Appends what the event changes. `at`: what the items have in common.
  void take(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  // An event of the thread was seen, or one will be that records what begins now.
  void meet(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at, TimelineItems* items) {
    if (thread >= threads_.size() || !threads_[thread].is_met) meet_first(thread, stream, at, items);
  }
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items) const;

  bool has_ended(std::uint32_t thread) const {
    return thread < threads_.size() && threads_[thread].state == ThreadState::kEnded;
  }
  const Occupancy& occupancy() const { return occupancy_; }
  Occupancy& occupancy() { return occupancy_; }
  const StopReasons& reasons() const { return reasons_; }

 private:
  ThreadStates(const ThreadStates& other) = default;

  static constexpr std::uint32_t kNone = Actor::kNone;

  struct Thread {
    ThreadState state = ThreadState::kEnded;  // before it exists, too
    bool is_met = false;
    std::uint32_t stream = 0;  // the id of that which recorded its state
    std::int64_t since = 0;
  };

  void meet_first(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at, TimelineItems* items);
  bool may_be_idle(const RoleEvent& event) const;
  bool take_idle(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  void find_idle(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  TimelineItem& become(std::uint32_t thread, ThreadState state, const RoleEvent& event, const TimelineItem& at,
                       TimelineItems* items);
  // The same for what nearly all events do, without a call.
  TimelineItem& become_now(std::uint32_t thread, ThreadState state, const RoleEvent& event, const TimelineItem& at,
                           TimelineItems* items);
  void stop(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void wake(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  void lose(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  void fold(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);

  Actors::Impl* actors_;
  Occupancy occupancy_;
  StopReasons reasons_;
  std::vector<Thread> threads_;
  bool has_idle_ = false;  // some thread is what cpus run when they have nothing to do
};

}  // namespace evt
