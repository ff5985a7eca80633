#include <evt/analysis/scheduling_delays.h>

#include <algorithm>
#include <map>
#include <utility>

#include "parts.h"

namespace evt {
namespace {

using Delays = SchedulingDelays::Delays;
using Row = SchedulingDelays::Row;

bool has_longer(const Delays& a, const Delays& b) {
  if (a.lengths.count() == 0 || b.lengths.count() == 0) return a.lengths.count() > 0;
  const bool is_as_long = a.lengths.max() == b.lengths.max();
  return is_as_long ? a.longest_ns < b.longest_ns : a.lengths.max() > b.lengths.max();
}

void add(const Delays& from, Delays* to) {
  if (has_longer(from, *to)) {
    to->longest_ns = from.longest_ns;
    to->longest_thread = from.longest_thread;
  }
  to->lengths.add(from.lengths);
  to->unfinished += from.unfinished;
  to->uncertain += from.uncertain;
}

void add(const Row& from, Row* to) {
  add(from.runnable, &to->runnable);
  add(from.woken, &to->woken);
}

bool has_any(const Row& row) { return row.runnable.lengths.count() > 0 || row.runnable.unfinished > 0; }

}  // namespace

class SchedulingDelays::Impl {
 public:
  explicit Impl(const Actors& actors) : actors_(&actors) {}

  void take(const TimelineItem& item) {
    switch (item.kind) {
      case ItemKind::kThread:
        grown(&threads_, item.thread).state = State();
        break;
      case ItemKind::kWake:
        grown(&threads_, item.thread).state.was_woken = true;
        break;
      case ItemKind::kState:
        if (!item.is_open) become(item);
        break;
      case ItemKind::kUncertain:
        grown(&threads_, item.thread).state.is_uncertain = true;
        break;
      case ItemKind::kIdleThread:
        grown(&threads_, item.thread) = Thread();
        std::erase_if(cpus_, [&](const auto& each) { return each.first.second == item.thread; });
        break;
      case ItemKind::kFold:
        fold(*item.event->fold);
        break;
      default:
        break;
    }
  }

  void restart() {
    begin_stretch();
    for (Thread& thread : threads_) thread.state.is_counted = false;
  }

  void begin_stretch() {
    for (Thread& thread : threads_) thread.row = Row();
    cpus_.clear();
  }

  std::vector<Row> threads() const {
    std::vector<Row> rows;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      Row row = threads_[i].row;
      const State& state = threads_[i].state;
      row.actor = i;
      if (state.is_runnable && state.is_counted && state.is_wanted) {
        ++row.runnable.unfinished;
        row.woken.unfinished += state.is_woken ? 1 : 0;
      }
      if (has_any(row)) rows.push_back(std::move(row));
    }
    return rows;
  }

  std::vector<Row> cpus() const {
    std::vector<Row> rows;
    for (const auto& [key, row] : cpus_) {
      if (rows.empty() || rows.back().actor != key.first) rows.emplace_back().actor = key.first;
      add(row, &rows.back());
    }
    return rows;
  }

 private:
  struct State {
    bool was_woken = false;  // by the latest item
    bool is_runnable = false;
    bool is_counted = false;  // since when it is runnable is within the range
    bool is_woken = false;    // which is why it is runnable
    bool is_wanted = false;
    bool is_uncertain = false;
    std::int64_t since_ns = 0;
  };
  struct Thread {
    State state;
    Row row;
  };

  struct Delay {
    std::uint64_t ns = 0;
    std::int64_t began_ns = 0;
    std::uint32_t thread = Actor::kNone;
    bool is_uncertain = false;
  };

  void become(const TimelineItem& item) {
    State& state = grown(&threads_, item.thread).state;
    const bool was_woken = std::exchange(state.was_woken, false);
    const bool has_cpu = item.state == ThreadState::kRunning || item.is_collecting;
    if (item.state == ThreadState::kRunnable && !has_cpu) {
      if (!state.is_runnable) state = {false, true, true, was_woken, item.is_wanted, false, item.ns};
      return;
    }
    const State before = std::exchange(state, State());
    const bool is_delay = has_cpu && before.is_runnable && before.is_counted && !item.resumes;
    if (is_delay && (before.is_wanted || item.is_wanted)) count(before, item);
  }

  static void add_delay(const Delay& delay, Delays* to) {
    const bool is_longest = to->lengths.count() == 0 || delay.ns > to->lengths.max();
    if (is_longest) {
      to->longest_ns = delay.began_ns;
      to->longest_thread = delay.thread;
    }
    to->lengths.add(delay.ns);
    to->uncertain += delay.is_uncertain ? 1 : 0;
  }

  void count(const State& state, const TimelineItem& item) {
    const Delay delay{length(state.since_ns, item.ns), state.since_ns, item.thread, state.is_uncertain};
    const auto count_in = [&](Row* row) {
      add_delay(delay, &row->runnable);
      if (state.is_woken) add_delay(delay, &row->woken);
    };
    count_in(&threads_[item.thread].row);
    if (item.cpu == Actor::kNone) return;
    count_in(&cpus_[{item.cpu, may_be_idle(item.thread) ? item.thread : Actor::kNone}]);
  }

  // The number that kernels give to what cpus run when they have nothing to do.
  bool may_be_idle(std::uint32_t thread) const {
    const Actor& actor = actors_->threads()[thread];
    return actor.number == 0 && !actor.is_stream;
  }

  void fold(const FoldedActors& gone) {
    Row sum = grown(&threads_, Actor::kOthers).row;
    for (const std::uint32_t thread : gone.all()) {
      add(threads_[thread].row, &sum);
      threads_[thread] = Thread();
    }
    threads_[Actor::kOthers].row = sum;
    const auto forget = [&](Row& row) {
      row.runnable.longest_thread = gone(row.runnable.longest_thread);
      row.woken.longest_thread = gone(row.woken.longest_thread);
    };
    for (Thread& thread : threads_) forget(thread.row);
    for (auto& [key, row] : cpus_) forget(row);
  }

  const Actors* actors_;
  std::vector<Thread> threads_;
  // By cpu and, for those that may turn out to be idle, thread.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Row> cpus_;
};

SchedulingDelays::SchedulingDelays(const Actors& actors) : impl_(std::make_unique<Impl>(actors)) {}

ItemKinds SchedulingDelays::items() {
  return {ItemKind::kThread,    ItemKind::kState,      ItemKind::kWake,
          ItemKind::kUncertain, ItemKind::kIdleThread, ItemKind::kFold};
}
void SchedulingDelays::take(const TimelineItem& item) { impl_->take(item); }
void SchedulingDelays::restart() { impl_->restart(); }
void SchedulingDelays::begin_stretch() { impl_->begin_stretch(); }
std::vector<SchedulingDelays::Row> SchedulingDelays::threads() const { return impl_->threads(); }
std::vector<SchedulingDelays::Row> SchedulingDelays::cpus() const { return impl_->cpus(); }

}  // namespace evt
