// Running times alone, of what a Timeline follows.
#pragma once

#include <evt/analysis/cpu_time.h>

#include "libtrace-read/analyze/src/timeline/thread_states.h"

namespace evt {

// Takes the events of one session in order, all of which have been; refers to what it was made of.
class RunningTime {
 public:
  RunningTime(ThreadStates& threads, CpuTime& cpu) : threads_(threads), cpu_(cpu) {}

  void take(const RoleEvent& event) {
    if (event.role == Role::kNone && !event.lost && !event.jump && event.fold == nullptr) return;
    items_.clear();
    TimelineItem at;
    at.ns = event.ns;
    at.event = &event;
    threads_.take(event, at, &items_);
    for (const TimelineItem& item : items_) cpu_.take(item);
    if (event.fold == nullptr) return;
    at.kind = ItemKind::kFold;
    cpu_.take(at);
  }

 private:
  ThreadStates& threads_;
  CpuTime& cpu_;
  TimelineItems items_;
};

}  // namespace evt
