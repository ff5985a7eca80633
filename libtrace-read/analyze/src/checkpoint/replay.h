// The state of a session, from event to event.
#pragma once

#include <evt/analysis/state_history.h>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/analyze/src/timeline/thread_states.h"

namespace evt {

// Follows a session event by event. Each event must be the one that `roles` returned last.
class Replay {
 public:
  // Of the session that `roles` has begun.
  explicit Replay(RoleEvents& roles);

  void take(const RoleEvent& event);
  // Only who runs, from here on; what the event changes there holds until the next call.
  const TimelineItems& follow(const RoleEvent& event);
  // Events behind this moment can be taken by another that has read it from an archive.
  bool can_be_kept() const { return !threads_.is_any_collecting() && !roles_.actors().has_others(); }
  // REQUIRES: can_be_kept(). What is read goes on from there.
  void archive(Archive& archive);
  // The threads that run: the ids of the streams that recorded it.
  std::map<std::uint32_t, std::uint32_t> running() const;
  SessionState finish();

 private:
  RoleEvents& roles_;
  ThreadStates threads_;
  CpuTime cpu_;
  EventCounts counts_;
  TimelineItems items_;
};

}  // namespace evt
