// What may still lead from row to row: threads that were woken and have not run, messages of which one end was met.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <optional>
#include <vector>

#include "flow.h"
#include "open_messages.h"
#include "steals.h"

namespace evt::view {

// Takes the items of one session in order. Memory grows with threads, and with what is open.
class OpenFlows {
 public:
  // Is called with each flow, when it is complete.
  using Completed = std::function<void(const Flow&)>;

  // They must outlive it; the lives have taken each item that it takes.
  OpenFlows(Actors& actors, const ThreadLives& lives) : actors_(&actors), lives_(&lives), steals_(actors) {}
  // Goes on from others, which were taken of the items before those that this one is to take.
  OpenFlows(const OpenFlows& other, Actors& actors, const ThreadLives& lives)
      : actors_(&actors),
        lives_(&lives),
        steals_(other.steals_, actors),
        messages_(other.messages_),
        woken_(other.woken_),
        wakes_(other.wakes_) {}
  OpenFlows(const OpenFlows&) = delete;
  OpenFlows& operator=(const OpenFlows&) = delete;

  // `begins`: what begins with this item is followed.
  void take(const TimelineItem& item, bool begins, const Completed& f) {
    if (item.kind != ItemKind::kRow) {
      take_change(item, begins, f);
    } else if (is_of_message(item.event->role)) {
      take_message(item, begins, f);
    }
  }
  // There are no more items.
  void finish(const Completed& f);
  // Nothing is on its way.
  bool is_empty() const { return wakes_ == 0 && messages_.on_their_way() == 0; }
  std::size_t size() const { return wakes_ + messages_.size(); }

 private:
  static bool is_of_message(Role role) {
    return role == Role::kMessageSend || role == Role::kMessageReceive || role == Role::kFlowOut ||
           role == Role::kFlowIn;
  }

  void take_change(const TimelineItem& item, bool begins, const Completed& f);
  void take_message(const TimelineItem& item, bool begins, const Completed& f);
  void wake(const TimelineItem& item, bool begins, const Completed& f);
  void end_wake(std::uint32_t thread, const TimelineItem* runs, const Completed& f);
  FlowEnd end_of(std::uint32_t thread, const TimelineItem& item) const;

  Actors* actors_;
  const ThreadLives* lives_;
  Steals steals_;
  OpenMessages messages_;
  std::vector<std::optional<Flow>> woken_;  // by the indexes of threads: those that have not run since
  std::size_t wakes_ = 0;                   // of them
};

}  // namespace evt::view
