#include <evt/analysis/thread_times.h>

#include <algorithm>

#include "index_table.h"
#include "parts.h"

namespace evt {

class ThreadTimes::Impl {
 public:
  void take(const TimelineItem& item) {
    switch (item.kind) {
      case ItemKind::kThread: {
        Thread& thread = grown(&threads_, item.thread);
        thread.row.thread = item.thread;
        thread.since = item.ns;
        thread.is_counted = item.is_wanted;
        break;
      }
      case ItemKind::kState:
        if (!item.is_open) become(item);
        break;
      case ItemKind::kIdleThread:
        if (item.thread < threads_.size()) threads_[item.thread] = Thread();
        break;
      case ItemKind::kWake:
        if (!item.is_wanted) break;
        wakers_.of(item.thread, item.other).times += 1;
        threads_[item.thread].was_counted = true;
        break;
      case ItemKind::kUncertain: {
        // An unknown state cannot be uncertain.
        if (item.state == ThreadState::kUnknown) break;
        std::int64_t& since = grown(&threads_, item.thread).uncertain_since;
        since = std::min(since, item.began_ns);
        break;
      }
      case ItemKind::kFold:
        return fold(*item.event->fold, item.ns);
      default:
        break;
    }
  }

  void restart(std::int64_t ns) {
    for (Thread& thread : threads_) {
      // It ended before, unless it begins again.
      if (thread.state == ThreadState::kEnded) {
        const std::uint32_t number = thread.row.thread;
        thread = Thread();
        thread.state = ThreadState::kEnded;
        thread.row.thread = number;
        continue;
      }
      Row row;
      row.thread = thread.row.thread;
      thread.row = row;
      thread.was_counted = thread.is_counted;
      thread.counts = Counts();
      thread.since = ns;
      thread.last_cpu = thread.state == ThreadState::kRunning && thread.is_counted ? thread.last_cpu : kNone;
    }
    cpus_ = Pairs();
    waiting_ = Pairs();
    wakers_ = Pairs();
    for (Thread& thread : threads_) {
      if (thread.last_cpu == kNone) continue;
      thread.row.cpus = 1;
      cpus_.add(thread.row.thread, thread.last_cpu);
    }
    find_waits();
  }

  std::vector<ThreadTimes::Row> rows(std::int64_t ns) const {
    std::vector<Row> rows;
    std::vector<std::uint32_t> place(threads_.size(), kNone);
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      const Thread& thread = threads_[i];
      if (!thread.is_known || !thread.was_counted) continue;
      place[i] = static_cast<std::uint32_t>(rows.size());
      rows.push_back(thread.row);
      Row& row = rows.back();
      row.state = thread.state;
      Counts counts = thread.counts;
      count(thread, ns, &counts);
      std::copy(std::begin(counts.ns), std::end(counts.ns), row.ns);
      row.uncertain_ns = counts.uncertain_ns;
      row.slices = counts.slices;
      row.migrations = counts.migrations;
      if (thread.state != ThreadState::kWaiting || !thread.is_counted) continue;
      row.waiting.push_back({thread.reason, length(thread.since, ns), 0});
    }
    for (const Pairs::Times& times : waiting_.all()) {
      if (place[times.thread] == kNone) continue;  // what was taken for a thread is not one
      std::vector<Waiting>& waiting = rows[place[times.thread]].waiting;
      const bool waits_now = !waiting.empty() && waiting.front().reason == times.other;
      Waiting& one = waits_now ? waiting.front() : waiting.emplace_back();
      one = {times.other, one.ns + times.ns, times.times};
    }
    for (const Pairs::Times& times : wakers_.all()) {
      if (place[times.thread] != kNone) rows[place[times.thread]].wakers.push_back({times.other, times.times});
    }
    for (Row& row : rows) {
      std::ranges::sort(row.waiting, [](const Waiting& a, const Waiting& b) {
        return a.ns != b.ns ? a.ns > b.ns : a.reason < b.reason;
      });
      std::ranges::sort(row.wakers, [](const Waker& a, const Waker& b) {
        return a.times != b.times ? a.times > b.times : a.thread < b.thread;
      });
    }
    return rows;
  }

 private:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::int64_t kCertain = INT64_MAX;

  // Members that grow with each state: with many threads, counting waits for memory, so these are separate.
  struct Counts {
    std::uint64_t ns[kStates] = {};
    std::uint64_t uncertain_ns = 0;
    std::uint64_t slices = 0;
    std::uint64_t migrations = 0;
  };
  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool is_known = false;      // events recorded a state
    bool is_counted = false;    // its present state is wanted
    bool was_counted = false;   // one of its states was wanted, or the end of one
    std::uint32_t reason = 0;   // why it waits
    std::uint32_t waiting = 0;  // where that is counted; if it waits and is counted
    std::uint32_t last_cpu = kNone;
    std::int64_t since = 0;  // start of its state; counted from
    std::int64_t uncertain_since = kCertain;
    Counts counts;
    Row row;  // without waiting and wakers
  };
  // Counts for pairs of a thread and something else; in the order in which they were met.
  class Pairs {
   public:
    struct Times {
      std::uint32_t thread = 0;
      std::uint32_t other = 0;
      std::uint64_t ns = 0;
      std::uint64_t times = 0;
    };
    // Their index, until the next fold().
    std::uint32_t place_of(std::uint32_t thread, std::uint32_t other) {
      const auto next = static_cast<std::uint32_t>(all_.size());
      const std::uint32_t place = indexes_.index(thread, other, next);
      if (place == next) all_.push_back({thread, other, 0, 0});
      return place;
    }
    Times& operator[](std::uint32_t place) { return all_[place]; }
    Times& of(std::uint32_t thread, std::uint32_t other) { return all_[place_of(thread, other)]; }
    // False: they were there.
    bool add(std::uint32_t thread, std::uint32_t other) {
      const std::size_t before = all_.size();
      return place_of(thread, other) == before;
    }
    const std::vector<Times>& all() const { return all_; }
    // Folds those whose threads are gone; `others_too`: the second of each pair is a thread as well.
    void fold(const FoldedActors& gone, bool others_too) {
      const std::vector<Times> before = std::move(all_);
      *this = Pairs();
      for (const Times& times : before) {
        Times& sum = of(gone(times.thread), others_too ? gone(times.other) : times.other);
        sum.ns += times.ns;
        sum.times += times.times;
      }
    }

   private:
    IndexTable indexes_;
    std::vector<Times> all_;
  };

  // They ended, so they have no state any more: "(others)" gets their totals.
  void fold(const FoldedActors& gone, std::int64_t ns) {
    Thread sum = grown(&threads_, Actor::kOthers);
    for (const std::uint32_t thread : gone.all()) {
      Thread& t = threads_[thread];
      if (!t.is_known) continue;
      end_state(&t, ns);
      sum.was_counted |= t.was_counted;
      for (std::size_t i = 0; i < kStates; ++i) sum.counts.ns[i] += t.counts.ns[i];
      sum.counts.uncertain_ns += t.counts.uncertain_ns;
      sum.counts.slices += t.counts.slices;
      sum.counts.migrations += t.counts.migrations;
      t = Thread();
    }
    sum.is_known = true;
    sum.state = ThreadState::kEnded;
    sum.row.thread = Actor::kOthers;
    cpus_.fold(gone, false);
    waiting_.fold(gone, false);
    wakers_.fold(gone, true);
    sum.row.cpus = 0;
    for (const Pairs::Times& times : cpus_.all()) {
      if (times.thread == Actor::kOthers) ++sum.row.cpus;
    }
    threads_[Actor::kOthers] = sum;
    find_waits();
  }

  void become(const TimelineItem& item) {
    Thread& thread = threads_[item.thread];
    end_state(&thread, item.ns);
    // A collection that suspends its state tells nothing about it, except if it runs again.
    thread.is_known |= !item.is_collecting && (!item.resumes || item.state == ThreadState::kRunning);
    thread.is_counted = item.is_wanted;
    thread.state = item.state;
    thread.reason = item.other;
    if (item.state == ThreadState::kEnded) {
      thread.row.ended_ns = item.ns;
    } else if (item.before == ThreadState::kEnded) {
      thread.row.ended_ns.reset();
    }
    if (!item.is_wanted) return;
    thread.was_counted = true;
    if (item.state == ThreadState::kWaiting) {
      thread.waiting = waiting_.place_of(item.thread, item.other);
      waiting_[thread.waiting].times += 1;
    }
    if (item.state != ThreadState::kRunning || item.cpu == kNone) return;
    thread.counts.slices += item.resumes ? 0 : 1;
    if (thread.last_cpu == item.cpu) return;
    if (thread.last_cpu != kNone) thread.counts.migrations += 1;
    thread.last_cpu = item.cpu;
    if (cpus_.add(item.thread, item.cpu)) thread.row.cpus += 1;
  }

  void count(const Thread& thread, std::int64_t ns, Counts* to) const {
    if (thread.state == ThreadState::kEnded || !thread.is_counted) return;
    to->ns[static_cast<std::size_t>(thread.state)] += length(thread.since, ns);
    const std::int64_t uncertain = std::max(thread.uncertain_since, thread.since);
    if (uncertain < ns) to->uncertain_ns += length(uncertain, ns);
  }

  inline void end_state(Thread* thread, std::int64_t ns) {
    count(*thread, ns, &thread->counts);
    if (thread->state == ThreadState::kWaiting && thread->is_counted) {
      waiting_[thread->waiting].ns += length(thread->since, ns);
    }
    thread->since = ns;
    thread->uncertain_since = kCertain;
  }

  // Finds the new indexes of waits in progress.
  void find_waits() {
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      Thread& thread = threads_[i];
      if (thread.state == ThreadState::kWaiting && thread.is_counted)
        thread.waiting = waiting_.place_of(i, thread.reason);
    }
  }

  std::vector<Thread> threads_;
  Pairs cpus_;
  Pairs waiting_;  // for each reason
  Pairs wakers_;
};

ThreadTimes::ThreadTimes() : impl_(std::make_unique<Impl>()) {}

ItemKinds ThreadTimes::items() {
  return {ItemKind::kThread, ItemKind::kState,     ItemKind::kIdleThread,
          ItemKind::kWake,   ItemKind::kUncertain, ItemKind::kFold};
}
void ThreadTimes::take(const TimelineItem& item) { impl_->take(item); }
void ThreadTimes::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<ThreadTimes::Row> ThreadTimes::rows(std::int64_t ns) const { return impl_->rows(ns); }

}  // namespace evt
