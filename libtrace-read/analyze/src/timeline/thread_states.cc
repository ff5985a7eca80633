#include "thread_states.h"

#include <algorithm>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {

ThreadStates::ThreadStates(Actors::Impl& actors, Occupancy occupancy)
    : actors_(&actors), occupancy_(std::move(occupancy)), threads_(actors.threads().size()) {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (occupancy_.runs(i)) threads_[i] = {ThreadState::kRunning, true, occupancy_.stream_of(i), 0};
    has_idle_ |= actors.threads()[i].is_idle;
  }
}

void ThreadStates::meet_first(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at,
                              TimelineItems* items) {
  if (thread >= Actor::kOthers) return;
  grown(&threads_, thread) = {ThreadState::kUnknown, true, stream.id, at.ns};
  append(items, at, ItemKind::kThread).thread = thread;
}

[[gnu::always_inline]] inline TimelineItem& ThreadStates::become_now(std::uint32_t thread, ThreadState state,
                                                                     const RoleEvent& event, const TimelineItem& at,
                                                                     TimelineItems* items) {
  meet(thread, *event.stream, at, items);
  Thread& t = threads_[thread];
  TimelineItem& item = append(items, at, ItemKind::kState);
  item.thread = thread;
  item.before = t.state;
  item.state = state;
  t.state = state;
  t.since = event.ns;
  t.stream = event.stream->id;
  return item;
}

TimelineItem& ThreadStates::become(std::uint32_t thread, ThreadState state, const RoleEvent& event,
                                   const TimelineItem& at, TimelineItems* items) {
  return become_now(thread, state, event, at, items);
}

// By what an event records, or as it runs on two cpus at a time under the number that kernels give it.
void ThreadStates::find_idle(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const Actor& actor = actors_->threads()[event.thread];
  if (actor.is_idle) return;
  const bool runs_twice = event.role == Role::kThreadRun && actor.number == 0 && !actor.is_stream &&
                          occupancy_.runs(event.thread) && occupancy_.cpu_of(event.thread) != event.cpu;
  if (!runs_twice && event.role != Role::kIdleThread) return;
  actors_->set_idle(event.thread);
  has_idle_ = true;
  const std::uint32_t on = occupancy_.cpu_of(event.thread);
  occupancy_.become_idle(event.thread, event.ns);
  grown(&threads_, event.thread) = Thread();
  append(items, at, ItemKind::kIdleThread).thread = event.thread;
  if (on == kNone) return;
  TimelineItem& idle = append(items, at, ItemKind::kIdleBegan);
  idle.thread = event.thread;
  idle.cpu = on;
}

// As a rule no thread is idle, and none has number 0.
inline bool ThreadStates::may_be_idle(const RoleEvent& event) const {
  if (event.role == Role::kIdleThread) return true;
  if (event.role != Role::kThreadRun && event.role != Role::kThreadStop) return false;
  return has_idle_ || (event.role == Role::kThreadRun && actors_->threads()[event.thread].number == 0);
}

// What a cpu does that has nothing to do. False: the event is about something else.
bool ThreadStates::take_idle(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  if (event.thread >= Actor::kOthers) return false;
  if (event.role == Role::kThreadRun || event.role == Role::kIdleThread) find_idle(event, at, items);
  const bool has_cpu = event.cpu < Actor::kOthers;
  const bool is_idle = actors_->threads()[event.thread].is_idle;
  const Occupancy::Idle before = has_cpu ? occupancy_.idle(event.cpu) : Occupancy::Idle();
  at.cpu = event.cpu;
  const bool ends =
      before.thread != kNone && (event.role == Role::kThreadRun ? before.thread != event.thread : is_idle);
  if (ends) {
    append(items, at, ItemKind::kIdleEnded).thread = before.thread;
    occupancy_.end_idle(event.cpu);
  }
  if (!is_idle) return false;
  if (event.role != Role::kThreadRun || !has_cpu) return true;
  occupancy_.begin_idle(event);
  const std::uint32_t replaced = occupancy_.latest_change().replaced;
  if (replaced != kNone) become(replaced, ThreadState::kRunnable, event, at, items).cpu = kNone;
  if (before.thread != event.thread) append(items, at, ItemKind::kIdleBegan).thread = event.thread;
  return true;
}

inline void ThreadStates::stop(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  meet(event.thread, *event.stream, at, items);
  if (has_ended(event.thread)) return;
  const std::uint32_t reason = reasons_.of(*event.event);
  become_now(event.thread, reasons_.all()[reason].state, event, at, items).other = reason;
}

void ThreadStates::take(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  if (may_be_idle(event) && take_idle(event, at, items)) return;
  // Most events are about other things.
  if (event.role < Role::kThreadCreate || event.role > Role::kThreadExit) {
    if (event.lost || event.jump) occupancy_.take(event);
    if (event.lost) lose(event, at, items);
    if (event.fold != nullptr) fold(event, at, items);
    return;
  }
  const Occupancy::Change& change = occupancy_.take(event);
  if (change.replaced != kNone) become(change.replaced, ThreadState::kRunnable, event, at, items);
  if (event.thread == Actor::kOthers || (has_idle_ && actors_->threads()[event.thread].is_idle)) return;
  switch (event.role) {
    case Role::kThreadCreate:
      meet(event.thread, *event.stream, at, items);
      if (!occupancy_.runs(event.thread)) become(event.thread, ThreadState::kRunnable, event, at, items);
      break;
    case Role::kThreadWake:
    case Role::kThreadRunnable:
      meet(event.thread, *event.stream, at, items);
      if (has_ended(event.thread)) break;
      if (event.role == Role::kThreadWake) wake(event, at, items);
      if (!occupancy_.runs(event.thread)) become(event.thread, ThreadState::kRunnable, event, at, items);
      break;
    case Role::kThreadRun:
      // On a cpu that is not followed: when another takes its place there is not known.
      become_now(event.thread, ThreadState::kRunning, event, at, items).cpu = change.on_cpu;
      break;
    case Role::kThreadStop:
      // One that did not run, or runs elsewhere already, is no news.
      if (change.stopped != kNone || !occupancy_.runs(event.thread)) stop(event, at, items);
      if (change.resumes) {
        TimelineItem& item = become(change.started, ThreadState::kRunning, event, at, items);
        item.cpu = change.on_cpu;
        item.resumes = true;
      }
      break;
    case Role::kThreadExit:
      meet(event.thread, *event.stream, at, items);
      if (!has_ended(event.thread)) become(event.thread, ThreadState::kEnded, event, at, items);
      break;
    case Role::kThreadMigrate:
      meet(event.thread, *event.stream, at, items);
      append(items, at, ItemKind::kMigrate).thread = event.thread;
      break;
    default:
      break;
  }
}

// One for each wait that ended: schedulers may record it where it was made and where it goes. Of a thread of which
// nothing else is known a wait has ended too.
void ThreadStates::wake(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const ThreadState before = threads_[event.thread].state;
  if (before != ThreadState::kWaiting && before != ThreadState::kUnknown) return;
  const std::uint32_t named = actors_->other_thread(*event.event, Role::kWaker);
  const bool is_stated = named != kNone || event.event->type().field(Role::kWaker) != nullptr;
  TimelineItem& item = append(items, at, ItemKind::kWake);
  item.thread = event.thread;
  item.other = is_stated ? named : actors_->running_on(*event.stream);
}

void ThreadStates::lose(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  at.kind = ItemKind::kUncertain;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    if (thread.state == ThreadState::kEnded || thread.stream != event.stream->id) continue;
    at.thread = i;
    at.began_ns = std::max(event.previous_ns, thread.since);
    items->push_back(at);
  }
}

// They have ended, as far as events recorded it.
void ThreadStates::fold(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  for (const std::uint32_t thread : event.fold->all()) {
    if (thread >= threads_.size()) continue;
    if (threads_[thread].state != ThreadState::kEnded) become(thread, ThreadState::kEnded, event, at, items);
    threads_[thread] = Thread();
  }
  occupancy_.fold(*event.fold);
}

void ThreadStates::finish(TimelineItem at, TimelineItems* items) const {
  at.kind = ItemKind::kState;
  at.state = ThreadState::kEnded;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].state == ThreadState::kEnded) continue;
    at.thread = i;
    at.before = threads_[i].state;
    items->push_back(at);
  }
}

}  // namespace evt
