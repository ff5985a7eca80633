#include "account.h"

#include <evt/saturating_add.h>

#include <algorithm>
#include <utility>

#include "shows_runs.h"

namespace evt {

Account::Account(Timeline& timeline, const Options& options)
    : timeline_(&timeline),
      session_(&timeline.actors().session()),
      options_(options),
      sleep_(timeline.names().of_text("sleep")),
      stopped_(session_->parts.size() + 1) {
  if (options.subtract_event_ps) cost_.emplace(*session_, *options.subtract_event_ps);
}

[[gnu::always_inline]] inline SharedTime Account::since(const ActiveTime::Member& member) const {
  SharedTime piece = clock_.now() - member.since;
  if (options_.model == ShareModel::kPhase) piece.share = ActiveTime::divided(piece.ns, clock_.most());
  return piece;
}

// Gives an active thread its time since it was last settled.
[[gnu::always_inline]] inline void Account::share(Thread* thread) {
  const SharedTime piece = since(thread->active);
  thread->active.since = clock_.now();
  if (!thread->open.empty()) {
    thread->open.innermost().shared += piece;
  } else if (thread->is_wanted) {
    thread->own += piece;
  }
}

template <typename T>
inline void Account::activate(T* whose, bool is_active) {
  if (whose->active.active == is_active) return;
  if (is_active) return clock_.begin(&whose->active);
  share(whose);
  clock_.end(&whose->active);
}

[[gnu::always_inline]] inline void Account::share_from_now(Thread* thread) {
  bool is_active = thread->exists;
  if (options_.model == ShareModel::kRunning) {
    const bool goes_on =
        thread->is_known ? thread->state == ThreadState::kRunning : !thread->open.empty() && !thread->is_collecting;
    thread->was_active |= goes_on;
    is_active = goes_on && !thread->is_stopped;
  }
  thread->was_active |= is_active;
  activate(thread, is_active);
}

void Account::take(const TimelineItem& item) {
  if (options_.has_shares) advance(item.ns);
  switch (item.kind) {
    case ItemKind::kRow:
      if (cost_) cost_->take(*item.event);
      break;
    case ItemKind::kThread:
      return meet(item);
    case ItemKind::kState:
      if (!item.is_open) change_state(item);
      break;
    case ItemKind::kIdleThread: {
      Thread& thread = grown(&threads_, item.thread);
      settle(&thread, item.ns, nullptr);
      thread.is_met = thread.is_known = true;
      thread.exists = false;
      thread.state = ThreadState::kEnded;
      return activate(&thread);
    }
    case ItemKind::kCollectorBegan:
    case ItemKind::kCollectorPhase:
    case ItemKind::kCollectorEnded:
      return take_collector(item);
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      return stop(item);
    case ItemKind::kFold:
      return fold(item);
    default:
      break;
  }
}

void Account::go_on(std::int64_t ns) {
  if (!std::exchange(has_begun_, true)) clock_.start(std::min<std::int64_t>(0, ns));
  clock_.advance(ns);
}

void Account::meet(const TimelineItem& item) {
  Thread& thread = grown(&threads_, item.thread);
  thread.is_met = thread.exists = true;
  thread.is_wanted = item.is_wanted;
  thread.was_wanted |= item.is_wanted;
  thread.is_stopped = stopped_[timeline_->actors().threads()[item.thread].part + std::uint32_t{1}];
  activate(&thread);
}

void Account::change_state(const TimelineItem& item) {
  Thread& thread = grown(&threads_, item.thread);  // from a mark on, it was met before
  const bool knows_runs = options_.model != ShareModel::kRunning || thread.is_known;
  const bool is_settled = !options_.has_times && knows_runs && thread.is_wanted == item.is_wanted;
  if (!is_settled) settle(&thread, item.ns, nullptr);
  thread.is_wanted = item.is_wanted;
  thread.was_wanted |= item.is_wanted;
  thread.state = item.state;
  thread.is_collecting = item.is_collecting;
  thread.exists = item.state != ThreadState::kEnded;
  thread.is_known |= shows_runs(item);
  activate(&thread);
}

void Account::activate(Collector* collector) {
  if (options_.has_shares) activate(collector, collector->works && !collector->is_stopped);
}

void Account::take_collector(const TimelineItem& item) {
  Collector& collector = grown(&collectors_, place_of(*item.stream));
  if (item.kind == ItemKind::kCollectorBegan) {
    const std::uint32_t part = timeline_->actors().part_of(*item.stream);
    const bool is_known = part != Actor::kNone || session_->parts.empty();
    activate(&collector, false);
    collector = Collector();
    collector.collects = true;
    collector.is_wanted = item.is_wanted;
    collector.is_stopped = is_known && stopped_[part + std::uint32_t{1}];
  }
  collector.works = item.kind != ItemKind::kCollectorEnded && item.phase == CollectorPhase::kWork;
  if (item.kind == ItemKind::kCollectorEnded) collector.is_wanted |= item.is_wanted;
  activate(&collector);
  if (item.kind == ItemKind::kCollectorEnded) collector.collects = false;
}

// Parts of a merged session are other processes.
void Account::stop(const TimelineItem& item) {
  if (item.depth > 0) return;                                                 // overlapping ones count once
  if (options_.has_shares && options_.model != ShareModel::kRunning) return;  // threads that sleep exist, too
  const bool begins = item.kind == ItemKind::kStopBegan;
  stopped_[item.part + std::uint32_t{1}] = begins;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i == Actor::kOthers || timeline_->actors().threads()[i].part != item.part) continue;
    settle(&threads_[i], item.ns, nullptr);
    threads_[i].is_stopped = begins;
    activate(&threads_[i]);
  }
  for (std::uint32_t place = 0; place < collectors_.size(); ++place) {
    const std::uint32_t part = timeline_->actors().part_of(session_->streams[place]);
    if (part != item.part || (part == Actor::kNone && !session_->parts.empty())) continue;
    collectors_[place].is_stopped = begins;
    activate(&collectors_[place]);
  }
}

void Account::fold(const TimelineItem& item) {
  Thread& others = grown(&threads_, Actor::kOthers);
  for (const std::uint32_t i : item.event->fold->all()) {
    Thread& thread = threads_[i];
    settle(&thread, item.ns, nullptr);
    activate(&thread, false);
    others.inside += thread.inside;
    others.own += thread.own;
    others.was_wanted |= thread.was_wanted;
    others.was_active |= thread.was_active;
    thread = Thread();
  }
}

bool Account::sleeps(const TimelineItem& call) {
  if (call.call != nullptr) return call.call->resource == sleep_;
  return call.event != nullptr && timeline_->names().said_by(*call.event->event, Role::kResource) == sleep_;
}

Account::Time Account::time_of(const Thread& thread, std::int64_t ns) const {
  Time time;
  time.ns = length(thread.since_ns, ns);
  const bool runs = thread.is_known ? thread.state == ThreadState::kRunning : !thread.is_collecting;
  const bool would_run = runs || thread.state == ThreadState::kRunnable || thread.state == ThreadState::kOutside;
  if (thread.is_stopped && would_run && !thread.open.innermost().sleeps) {
    time.stopped_ns = time.ns;
  } else if (runs) {
    time.running_ns = time.ns;
  }
  return time;
}

// Tracing time so far, on the stream on which it began. `ended`: the frame that ends now, if any; an event that records
// it as a whole comes after it.
std::uint64_t Account::spent_in(const Frame& frame, const TimelineItem* ended) const {
  if (!cost_) return 0;
  const std::uint64_t all = cost_->spent_ps(*frame.stream);
  const bool is_after = ended != nullptr && ended->is_complete && ended->event != nullptr;
  return is_after && ended->stream == frame.stream ? all - std::min(all, cost_->event_ps()) : all;
}

// A time that is shorter than the tracing time becomes zero.
void Account::subtract(Thread* thread, std::uint64_t spent_ps, Time* time) const {
  saturating_add(&thread->owed_ps, spent_ps - std::min(thread->spent_ps, spent_ps));
  thread->spent_ps = spent_ps;
  time->subtracted_ns = std::min(time->ns, thread->owed_ps / kPsInNs);
  thread->owed_ps %= kPsInNs;
  time->ns -= time->subtracted_ns;
  time->running_ns -= std::min(time->running_ns, time->subtracted_ns);
  time->stopped_ns -= std::min(time->stopped_ns, time->subtracted_ns);
}

void Account::share(Collector* collector) {
  collector->shared += since(collector->active);
  collector->active.since = clock_.now();
}

void Account::settle_inside(Thread* thread, std::int64_t ns, const TimelineItem* ended) {
  Time time = time_of(*thread, ns);
  if (cost_) subtract(thread, spent_in(thread->open.innermost(), ended), &time);
  thread->open.innermost().self += time;
  thread->inside += time;
}

void Account::settle_all(std::int64_t ns) {
  if (options_.has_shares) advance(ns);
  for (Thread& thread : threads_) settle(&thread, ns, nullptr);
  for (Collector& collector : collectors_) {
    if (collector.active.active) share(&collector);
  }
}

Account::Frame& Account::begin(const TimelineItem& item) {
  if (options_.has_shares) advance(item.ns);
  Thread& thread = grown(&threads_, item.thread);
  settle(&thread, item.ns, nullptr);
  Frame& frame = thread.open.add();
  frame.name = item.name;
  frame.is_call = item.is_call;
  frame.is_wanted = item.is_wanted;
  frame.stream = item.stream;
  if (options_.has_outermost) frame.is_outermost = ++open_of_name_[key_of(item)] == 1;
  if (options_.has_times) {
    frame.outer_before = thread.inside;
    frame.stopped_before_ns = thread.inside.stopped_ns;
    frame.sleeps = item.is_call ? sleeps(item) : item.depth > 0 && thread.open[item.depth - 1].sleeps;
  }
  if (cost_) thread.spent_ps = cost_->spent_ps(*item.stream);
  activate(&thread);
  return frame;
}

// Finds the next outer one of its kind and name.
inline void Account::pass_outermost(const Frame& ended, const TimelineItem& item) {
  std::uint32_t* const open = open_of_name_.find(key_of(item));
  if (--*open == 0) return open_of_name_.erase(open);
  if (!ended.is_outermost) return;
  Thread& thread = threads_[item.thread];
  Frame* const next = std::find_if(thread.open.begin() + item.depth, thread.open.end(), [&](const Frame& inner) {
    return inner.name == ended.name && inner.is_call == ended.is_call;
  });
  next->is_outermost = true;
  next->outer_before = thread.inside;
  next->outer_since_ns = item.ns;
}

Account::Frame& Account::end(const TimelineItem& item) {
  if (options_.has_shares) advance(item.ns);
  Thread& thread = threads_[item.thread];
  settle(&thread, item.ns, &item);
  Frame& ended = thread.open.remove(item.depth);
  ended.is_wanted |= item.is_wanted;
  if (ended.is_call) {
    // Open spans that were inside this call are in another call now.
    for (std::size_t i = item.depth; i < thread.open.size(); ++i) {
      Frame& inner = thread.open[i];
      if (!inner.is_call) inner.sleeps = i > 0 && thread.open[i - 1].sleeps;
    }
  }
  if (cost_ && !thread.open.empty()) thread.spent_ps = spent_in(thread.open.innermost(), &item);
  activate(&thread);
  if (options_.has_outermost) pass_outermost(ended, item);
  return ended;
}

void Account::restart(std::int64_t ns) {
  settle_all(ns);
  if (options_.has_shares) clock_.restart(ns);
  for (Thread& thread : threads_) {
    thread.inside = Time();
    thread.own = SharedTime();
    thread.is_old = thread.is_met;
    thread.was_wanted = thread.is_wanted && thread.exists;
    thread.is_assumed = thread.was_active = false;
    activate(&thread);
    thread.owed_ps = 0;
    thread.active.since = clock_.now();
    if (cost_ && !thread.open.empty()) thread.spent_ps = spent_in(thread.open.innermost(), nullptr);
    for (Frame& frame : thread.open) {
      frame.self = frame.outer_before = Time();
      frame.stopped_before_ns = 0;
      frame.shared = SharedTime();
      frame.children_ns = frame.given_ns = 0;
      frame.start_ns = std::max(frame.start_ns, ns);
      frame.spent_ps = spent_ps(*frame.stream);
    }
  }
  for (Collector& collector : collectors_) {
    collector.shared = SharedTime();
    collector.active.since = clock_.now();
  }
}

std::uint64_t Account::assumed() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(threads_, [](const Thread& thread) { return thread.is_assumed; }));
}

}  // namespace evt
