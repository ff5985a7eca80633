#include "thread_states.h"

#include <utility>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {

void ThreadStates::archive(Archive& archive) {
  const std::size_t threads = actors_->threads().size();
  occupancy_.archive(archive, threads, actors_->cpus().size());
  reasons_.archive(archive);
  archive.list(threads_, threads, [&](Thread& t) {
    archive.choice(t.state, ThreadState::kEnded);
    archive.choice(t.stated, Stated::kRuns);
    archive.index(t.reason, reasons_.all().size());
    archive.require(t.state != ThreadState::kWaiting || t.reason != kNone);
    // A state is not newer than the last event of the stream that recorded it; later rows there may be lost.
    if (t.stated != Stated::kNothing) t.since = INT64_MIN;
    archive.numbers(t.is_met, t.stream, t.since, t.collectors, t.is_collecting, t.is_wanted);
  });
  archive.list(collects_on_, actors_->session().streams.size(),
               [&](std::uint32_t& on) { archive.index(on, threads_.size()); });
  archive.require(collects_on_.size() == actors_->session().streams.size());
  archive.list(idle_by_runs_, threads, [&](std::uint32_t& thread) {
    archive.index(thread, threads);
    archive.require(thread != kNone);
  });
  for (const Actor& actor : actors_->threads().all()) has_idle_ |= actor.is_idle;
}

void ThreadStates::forget_idle() {
  for (const std::uint32_t thread : idle_by_runs_) actors_->forget_idle(thread);
  idle_by_runs_.clear();
}

void ThreadStates::meet_first(std::uint32_t thread, const StreamInfo& stream, const TimelineItem& at,
                              TimelineItems* items) {
  if (thread >= Actor::kOthers) return;
  Thread& t = grown(&threads_, thread);
  t = {.state = ThreadState::kUnknown, .is_met = true, .stream = stream.id, .since = at.ns, .collectors = t.collectors};
  items->append(at, ItemKind::kThread).thread = thread;
  if (t.collectors > 0) hold(thread, at, items);
}

TimelineItem& ThreadStates::become(std::uint32_t thread, ThreadState state, const RoleEvent& event,
                                   const TimelineItem& at, TimelineItems* items) {
  const Stated before = thread < threads_.size() ? threads_[thread].stated : Stated::kNothing;
  const Stated stated = state == ThreadState::kRunning ? Stated::kRuns : Stated::kState;
  TimelineItem& item = become_now(thread, state, stated, event, at, items);
  threads_[thread].stated = std::max(threads_[thread].stated, before);
  return item;
}

// An event records it, or it runs on two cpus at a time under the number that kernels give it; or it is known.
void ThreadStates::find_idle(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const Actor& actor = actors_->threads()[event.thread];
  const bool is_stated = event.role == Role::kIdleThread;
  if (actor.is_idle && is_stated) std::erase(idle_by_runs_, event.thread);
  if (actor.is_idle) return;
  const bool runs_twice = event.role == Role::kThreadRun && actor.number == 0 && !actor.is_stream &&
                          occupancy_.runs(event.thread) && occupancy_.cpu_of(event.thread) != event.cpu;
  const bool is_known = !actor.is_stream && std::ranges::find(known_idle_, IdleThread(actor)) != known_idle_.end();
  if (!runs_twice && !is_known && !is_stated) return;
  if (!is_stated) idle_by_runs_.push_back(event.thread);
  actors_->set_idle(event.thread);
  has_idle_ = true;
  const std::uint32_t on = occupancy_.cpu_of(event.thread);
  occupancy_.become_idle(event.thread, event.ns);
  grown(&threads_, event.thread) = Thread();
  items->append(at, ItemKind::kIdleThread).thread = event.thread;
  if (on == kNone) return;
  TimelineItem& idle = items->append(at, ItemKind::kIdleBegan);
  idle.thread = event.thread;
  idle.cpu = on;
}

// Handles a cpu that has nothing to do. False: the event is about something else.
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
    items->append(at, ItemKind::kIdleEnded).thread = before.thread;
    occupancy_.end_idle(event.cpu);
  }
  if (!is_idle) return false;
  if (event.role != Role::kThreadRun || !has_cpu) return true;
  const std::uint32_t replaced = occupancy_.begin_idle(event);
  if (replaced != kNone) become(replaced, ThreadState::kRunnable, event, at, items).cpu = kNone;
  if (before.thread != event.thread) items->append(at, ItemKind::kIdleBegan).thread = event.thread;
  return true;
}

void ThreadStates::resume(Occupancy::Change change, const RoleEvent& event, const TimelineItem& at,
                          TimelineItems* items) {
  TimelineItem& item = become(change.started, ThreadState::kRunning, event, at, items);
  item.cpu = change.on_cpu;
  item.resumes = true;
}

void ThreadStates::take(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  if (event.role == Role::kThreadRun) return run(event, at, items);
  if (event.role == Role::kThreadStop) return stop(event, at, items);
  take_other(event, at, items);
}

void ThreadStates::take_other(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  if (event.role >= Role::kThreadCreate && event.role <= Role::kThreadExit) return change_life(event, at, items);
  if (event.role == Role::kGcStart) return begin_collector(event, at, items);
  if (event.role == Role::kGcEnd) return end_collector(event, at, items);
  if (event.role == Role::kIdleThread) take_idle(event, at, items);
  if (event.lost) lose(event, at, items);
  if (event.jump) occupancy_.jump();
  if (event.fold != nullptr) fold(event, at, items);
}

// A collection in a thread: until it ends, the thread does not run its program.
void ThreadStates::begin_collector(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const auto place = static_cast<std::uint32_t>(event.stream - actors_->session().streams.data());
  std::uint32_t& on = collects_on_[place];
  if (on == event.thread) return;
  if (on != kNone) end_collector(event, at, items);
  if (event.thread >= Actor::kOthers || is_idle(event.thread)) return;
  on = event.thread;
  if (grown(&threads_, on).collectors++ == 0) hold(on, at, items);
}

// Suspends one that would run, or whose state is unknown.
void ThreadStates::hold(std::uint32_t thread, const TimelineItem& at, TimelineItems* items) {
  Thread& t = threads_[thread];
  const bool is_assumed = t.state == ThreadState::kUnknown && t.is_met && t.stated == Stated::kNothing;
  if (t.state != ThreadState::kRunning && !is_assumed) return;
  TimelineItem& item = items->append(at, ItemKind::kState);
  item.thread = thread;
  item.before = t.state;
  item.cpu = occupancy_.cpu_of(thread);
  item.is_wanted = t.is_wanted;
  collect(&t, &item);
}

void ThreadStates::collect(Thread* thread, TimelineItem* item) {
  item->state = thread->state = ThreadState::kRunnable;
  item->other = thread->reason = reasons_.collection();
  item->is_collecting = thread->is_collecting = true;
}

// It continues as it would have.
void ThreadStates::end_collector(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const auto place = static_cast<std::uint32_t>(event.stream - actors_->session().streams.data());
  const std::uint32_t thread = std::exchange(collects_on_[place], kNone);
  if (thread == kNone || threads_[thread].collectors == 0 || --threads_[thread].collectors > 0) return;
  Thread& t = threads_[thread];
  if (!std::exchange(t.is_collecting, false)) return;
  const bool runs = t.stated != Stated::kNothing;
  t.state = runs ? ThreadState::kRunning : ThreadState::kUnknown;
  if (runs) t.stated = Stated::kRuns;
  t.reason = kNone;
  TimelineItem& item = items->append(at, ItemKind::kState);
  item.thread = thread;
  item.before = ThreadState::kRunnable;
  item.state = t.state;
  item.cpu = occupancy_.cpu_of(thread);
  item.is_wanted = t.is_wanted;
  item.resumes = true;
  if (occupancy_.uncertain_since(thread) == Occupancy::kCertain) return;
  TimelineItem& uncertain = items->append(at, ItemKind::kUncertain);
  uncertain.thread = thread;
  uncertain.state = t.state;
  uncertain.began_ns = occupancy_.uncertain_since(thread);
}

// It neither runs it, nor stops it.
void ThreadStates::change_life(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  if (event.role == Role::kThreadExit) occupancy_.leave(event.thread);
  if (event.thread == Actor::kOthers || is_idle(event.thread)) return;
  meet(event.thread, *event.stream, at, items);
  switch (event.role) {
    case Role::kThreadCreate:
      if (!occupancy_.runs(event.thread)) become(event.thread, ThreadState::kRunnable, event, at, items);
      break;
    case Role::kThreadWake:
    case Role::kThreadRunnable:
      if (has_ended(event.thread)) break;
      if (event.role == Role::kThreadWake) wake(event, at, items);
      if (!occupancy_.runs(event.thread)) become(event.thread, ThreadState::kRunnable, event, at, items);
      break;
    case Role::kThreadExit:
      if (!has_ended(event.thread)) become(event.thread, ThreadState::kEnded, event, at, items);
      break;
    default:
      items->append(at, ItemKind::kMigrate).thread = event.thread;
      break;
  }
}

// One for each wait that ended: schedulers may record it where it was made and where it goes. A thread about which
// nothing else is known has ended a wait too.
void ThreadStates::wake(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const ThreadState before = threads_[event.thread].state;
  if (before != ThreadState::kWaiting && before != ThreadState::kUnknown) return;
  const std::uint32_t named = actors_->other_thread(*event.event, Role::kWaker);
  const bool is_stated = named != kNone || event.event->type().field(Role::kWaker) != nullptr;
  TimelineItem& item = items->append(at, ItemKind::kWake);
  item.thread = event.thread;
  item.other = is_stated ? named : actors_->running_on(*event.stream);
}

void ThreadStates::lose(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  occupancy_.lose(event);
  at.kind = ItemKind::kUncertain;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    if (thread.state == ThreadState::kEnded || thread.stream != event.stream->id) continue;
    at.thread = i;
    at.state = thread.state;
    at.began_ns = std::max(event.previous_ns, thread.since);
    items->append(at);
  }
}

// They have ended, as far as events recorded it.
void ThreadStates::fold(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  for (const std::uint32_t thread : event.fold->all()) {
    if (thread >= threads_.size()) continue;
    if (threads_[thread].state != ThreadState::kEnded) become(thread, ThreadState::kEnded, event, at, items);
    threads_[thread] = Thread();
    std::ranges::replace(collects_on_, thread, kNone);
  }
  occupancy_.fold(*event.fold);
}

void ThreadStates::begin(TimelineItem at, bool with_past, TimelineItems* items) const {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& t = threads_[i];
    at.thread = i;
    at.is_wanted = t.is_wanted;
    if (with_past && is_idle(i)) items->append(at, ItemKind::kIdleThread);
    if (!t.is_met || (t.state == ThreadState::kEnded && !with_past)) continue;
    items->append(at, ItemKind::kThread);
    TimelineItem item = at;
    item.kind = ItemKind::kState;
    const auto append = [&](ThreadState state) {
      item.before = std::exchange(item.state, state);
      items->append(item);
    };
    // If it has another state now, these come from before.
    if (with_past && t.stated == Stated::kRuns && t.state != ThreadState::kRunning) append(ThreadState::kRunning);
    if (with_past && t.stated == Stated::kState) append(ThreadState::kRunnable);
    if (t.state == ThreadState::kUnknown && item.state == ThreadState::kUnknown) continue;
    item.is_collecting = t.is_collecting;
    item.cpu = occupancy_.cpu_of(i);
    item.other = t.reason;
    append(t.state);
  }
}

void ThreadStates::finish(TimelineItem at, TimelineItems* items) const {
  at.kind = ItemKind::kState;
  at.state = ThreadState::kEnded;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].state == ThreadState::kEnded) continue;
    at.thread = i;
    at.before = threads_[i].state;
    items->append(at);
  }
}

}  // namespace evt
