#include <evt/analysis/thread_times.h>

#include <algorithm>

#include "actors_impl.h"
#include "index_table.h"
#include "occupancy.h"
#include "parts.h"
#include "stop_reasons.h"

namespace evt {

class ThreadTimes::Impl {
 public:
  explicit Impl(Actors::Impl& actors) : actors_(&actors) {}

  void take(const RoleEvent& event);
  void restart(std::int64_t ns);
  std::vector<Row> rows(std::int64_t ns) const;
  const std::vector<StopReason>& reasons() const { return reasons_.all(); }
  const CpuTime::Doubts& doubts() const { return occupancy_.doubts(); }

 private:
  static constexpr std::uint32_t kNone = Actor::kNone;

  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool met = false;
    std::uint32_t reason = 0;  // why it waits
    std::uint32_t last_cpu = kNone;
    std::uint32_t stream = 0;  // the id of that which recorded it last
    std::int64_t since = 0;    // it is in its state; counted from
    std::int64_t uncertain_since = Occupancy::kCertain;
    Row row;  // without waiting and wakers
  };
  // What is counted for a thread and something else; in the order in which they were met.
  class Pairs {
   public:
    struct Times {
      std::uint32_t thread = 0;
      std::uint32_t other = 0;
      std::uint64_t ns = 0;
      std::uint64_t times = 0;
    };
    Times& of(std::uint32_t thread, std::uint32_t other) {
      const auto next = static_cast<std::uint32_t>(all_.size());
      const std::uint32_t index = indexes_.index(thread, other, next);
      if (index == next) all_.push_back({thread, other, 0, 0});
      return all_[index];
    }
    const std::vector<Times>& all() const { return all_; }
    // Those whose threads are gone; `others_too`: what is counted with them is a thread as well.
    void fold(const FoldedActors& gone, bool others_too);

   private:
    IndexTable indexes_;
    std::vector<Times> all_;
  };

  void fold(const FoldedActors& gone, std::int64_t ns);
  Thread& meet(std::uint32_t thread, const RoleEvent& event);
  void become(Thread* thread, ThreadState state, std::int64_t ns);
  void start(const Occupancy::Change& change, const RoleEvent& event);
  void stop(const RoleEvent& event);
  void lose(const RoleEvent& event);
  void count(const Thread& thread, std::int64_t ns, Row* row) const;

  Actors::Impl* actors_;
  Occupancy occupancy_;
  StopReasons reasons_;
  std::vector<Thread> threads_;
  Pairs cpus_;
  Pairs waiting_;  // for each reason
  Pairs wakers_;
};

ThreadTimes::Impl::Thread& ThreadTimes::Impl::meet(std::uint32_t thread, const RoleEvent& event) {
  Thread& t = grown(&threads_, thread);
  if (!t.met) {
    t.met = true;
    t.since = event.ns;
    t.row.thread = thread;
  }
  t.stream = event.stream->id;
  return t;
}

void ThreadTimes::Impl::count(const Thread& thread, std::int64_t ns, Row* row) const {
  if (thread.state == ThreadState::kEnded) return;
  row->ns[static_cast<std::size_t>(thread.state)] += length(thread.since, ns);
  const std::int64_t uncertain = std::max(thread.uncertain_since, thread.since);
  if (uncertain < ns) row->uncertain_ns += length(uncertain, ns);
}

void ThreadTimes::Impl::become(Thread* thread, ThreadState state, std::int64_t ns) {
  count(*thread, ns, &thread->row);
  if (thread->state == ThreadState::kWaiting) {
    waiting_.of(thread->row.thread, thread->reason).ns += length(thread->since, ns);
  }
  thread->state = state;
  thread->since = ns;
  thread->uncertain_since = Occupancy::kCertain;
  if (state == ThreadState::kEnded) thread->row.ended_ns = ns;
}

void ThreadTimes::Impl::Pairs::fold(const FoldedActors& gone, bool others_too) {
  const std::vector<Times> before = std::move(all_);
  *this = Pairs();
  for (const Times& times : before) {
    Times& sum = of(gone(times.thread), others_too ? gone(times.other) : times.other);
    sum.ns += times.ns;
    sum.times += times.times;
  }
}

// They ended, so they are in no state any more: "(others)" is what they were.
void ThreadTimes::Impl::fold(const FoldedActors& gone, std::int64_t ns) {
  Thread sum = grown(&threads_, Actor::kOthers);
  for (const std::uint32_t thread : gone.all()) {
    Thread& t = threads_[thread];
    if (!t.met) continue;
    become(&t, ThreadState::kEnded, ns);
    for (std::size_t i = 0; i < kStates; ++i) sum.row.ns[i] += t.row.ns[i];
    sum.row.uncertain_ns += t.row.uncertain_ns;
    sum.row.slices += t.row.slices;
    sum.row.migrations += t.row.migrations;
    t = Thread();
  }
  sum.met = true;
  sum.state = ThreadState::kEnded;
  sum.row.thread = Actor::kOthers;
  occupancy_.fold(gone);
  cpus_.fold(gone, false);
  waiting_.fold(gone, false);
  wakers_.fold(gone, true);
  sum.row.cpus = 0;
  for (const Pairs::Times& times : cpus_.all()) {
    if (times.thread == Actor::kOthers) ++sum.row.cpus;
  }
  threads_[Actor::kOthers] = sum;
}

void ThreadTimes::Impl::take(const RoleEvent& event) {
  const Occupancy::Change& change = occupancy_.take(event);
  if (change.replaced != kNone) become(&threads_[change.replaced], ThreadState::kRunnable, event.ns);
  // Most events are about other things.
  if (event.role < Role::kThreadCreate || event.role > Role::kThreadExit) {
    if (event.lost) return lose(event);
    if (event.fold != nullptr) return fold(*event.fold, event.ns);
    return;
  }
  if (event.thread == Actor::kOthers) return;
  switch (event.role) {
    case Role::kThreadCreate: {
      Thread& thread = meet(event.thread, event);
      thread.row.created_ns = event.ns;
      thread.row.ended_ns.reset();
      if (thread.state != ThreadState::kRunning) become(&thread, ThreadState::kRunnable, event.ns);
      break;
    }
    case Role::kThreadWake: {
      const std::uint32_t named = actors_->other_thread(*event.event, Role::kWaker);
      const std::uint32_t waker = named != kNone || event.event->type().field(Role::kWaker) != nullptr
                                      ? named
                                      : actors_->running_on(*event.stream);
      wakers_.of(event.thread, waker).times += 1;
      [[fallthrough]];
    }
    case Role::kThreadRunnable: {
      Thread& thread = meet(event.thread, event);
      if (thread.state != ThreadState::kRunning) become(&thread, ThreadState::kRunnable, event.ns);
      break;
    }
    case Role::kThreadRun:
      // On a cpu that is not followed: when another takes its place there is not known.
      change.started != kNone ? start(change, event)
                              : become(&meet(event.thread, event), ThreadState::kRunning, event.ns);
      break;
    case Role::kThreadStop:
      // One that did not run, or runs elsewhere already, is no news.
      if (change.stopped != kNone || !occupancy_.runs(event.thread)) stop(event);
      break;
    case Role::kThreadExit:
      become(&meet(event.thread, event), ThreadState::kEnded, event.ns);
      break;
    default:
      break;
  }
}

void ThreadTimes::Impl::start(const Occupancy::Change& change, const RoleEvent& event) {
  Thread& thread = meet(change.started, event);
  become(&thread, ThreadState::kRunning, event.ns);
  thread.row.slices += 1;
  if (thread.last_cpu == change.on_cpu) return;
  if (thread.last_cpu != kNone) thread.row.migrations += 1;
  thread.last_cpu = change.on_cpu;
  if (cpus_.of(event.thread, change.on_cpu).times++ == 0) thread.row.cpus += 1;
}

void ThreadTimes::Impl::stop(const RoleEvent& event) {
  Thread& thread = meet(event.thread, event);
  const std::uint32_t reason = reasons_.of(*event.event);
  become(&thread, reasons_.all()[reason].state, event.ns);
  thread.reason = reason;
  if (thread.state == ThreadState::kWaiting) waiting_.of(event.thread, reason).times += 1;
}

void ThreadTimes::Impl::lose(const RoleEvent& event) {
  for (Thread& thread : threads_) {
    if (!thread.met || thread.stream != event.stream->id) continue;
    thread.uncertain_since = std::min(thread.uncertain_since, std::max(event.previous_ns, thread.since));
  }
}

void ThreadTimes::Impl::restart(std::int64_t ns) {
  for (Thread& thread : threads_) {
    Row row;
    row.thread = thread.row.thread;
    row.created_ns = thread.row.created_ns;
    row.ended_ns = thread.row.ended_ns;
    thread.row = row;
    thread.since = ns;
    thread.last_cpu = thread.state == ThreadState::kRunning ? thread.last_cpu : kNone;
  }
  cpus_ = Pairs();
  waiting_ = Pairs();
  wakers_ = Pairs();
  occupancy_.forget_doubts();
  for (Thread& thread : threads_) {
    if (thread.last_cpu == kNone) continue;
    thread.row.cpus = 1;
    cpus_.of(thread.row.thread, thread.last_cpu).times = 1;
  }
}

std::vector<ThreadTimes::Row> ThreadTimes::Impl::rows(std::int64_t ns) const {
  std::vector<Row> rows;
  std::vector<std::uint32_t> place(threads_.size(), kNone);
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    if (!thread.met) continue;
    place[i] = static_cast<std::uint32_t>(rows.size());
    rows.push_back(thread.row);
    Row& row = rows.back();
    row.state = thread.state;
    count(thread, ns, &row);
    if (thread.state != ThreadState::kWaiting) continue;
    row.waiting.push_back({thread.reason, length(thread.since, ns), 0});
  }
  for (const Pairs::Times& times : waiting_.all()) {
    std::vector<Waiting>& waiting = rows[place[times.thread]].waiting;
    const bool waits_now = !waiting.empty() && waiting.front().reason == times.other;
    Waiting& one = waits_now ? waiting.front() : waiting.emplace_back();
    one = {times.other, one.ns + times.ns, times.times};
  }
  for (const Pairs::Times& times : wakers_.all())
    rows[place[times.thread]].wakers.push_back({times.other, times.times});
  for (Row& row : rows) {
    std::sort(row.waiting.begin(), row.waiting.end(),
              [](const Waiting& a, const Waiting& b) { return a.ns != b.ns ? a.ns > b.ns : a.reason < b.reason; });
    std::sort(row.wakers.begin(), row.wakers.end(), [](const Waker& a, const Waker& b) {
      return a.times != b.times ? a.times > b.times : a.thread < b.thread;
    });
  }
  return rows;
}

ThreadTimes::ThreadTimes(Actors& actors) : impl_(std::make_unique<Impl>(Actors::Impl::of(actors))) {}
ThreadTimes::~ThreadTimes() = default;

void ThreadTimes::take(const RoleEvent& event) { impl_->take(event); }
void ThreadTimes::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<ThreadTimes::Row> ThreadTimes::rows(std::int64_t ns) const { return impl_->rows(ns); }
const std::vector<StopReason>& ThreadTimes::reasons() const { return impl_->reasons(); }
const CpuTime::Doubts& ThreadTimes::doubts() const { return impl_->doubts(); }

}  // namespace evt
