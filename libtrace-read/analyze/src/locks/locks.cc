#include <evt/analysis/locks.h>
#include <evt/analysis/stated_stacks.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "libtrace-read/analyze/src/call_facts.h"
#include "libtrace-read/analyze/src/objects.h"
#include "libtrace-read/analyze/src/parts.h"
#include "libtrace-read/analyze/src/shows_runs.h"
#include "libtrace-read/analyze/src/uncertain_time.h"
#include "recent_places.h"

namespace evt {
namespace {

using Place = RecentPlaces::Place;

constexpr std::int64_t kNever = INT64_MAX;

// Wrappers of the C library's functions that no reader looks for.
bool is_of_library(const std::string& function) {
  return function.starts_with("std::") || function.starts_with("__gthread");
}

}  // namespace

class Locks::Impl {
 public:
  explicit Impl(Timeline& timeline)
      : timeline_(&timeline),
        lock_(timeline.names().of_text("lock")),
        barrier_(timeline.names().of_text("barrier")),
        stacks_(timeline.actors().session()) {}

  void take(const TimelineItem& item) {
    uncertain_.take(item);
    switch (item.kind) {
      case ItemKind::kRow:
        if (item.event->role == Role::kSample && item.event->event != nullptr) sample(*item.event);
        return;
      case ItemKind::kObject:
        return take_object(*item.event);
      case ItemKind::kFold:
        return fold(*item.event->fold, item.ns);
      default:
        break;
    }
    if (item.thread >= Actor::kOthers) return;
    grown(&threads_, item.thread);
    take_of_thread(item);
  }

  void restart(std::int64_t ns) {
    holders_.clear();
    for (auto& [key, sum] : sums_) {
      sum.lock = {sum.lock.target, sum.lock.code, 0, 0, 0, 0, sum.waiting.size(), 0};
      sum.threads.clear();
      sum.gone_threads = 0;
    }
    for (Thread& thread : threads_) {
      if (!thread.wait) continue;
      thread.wait->ns = 0;
      thread.wait->by.clear();
      if (thread.wait->since == kNever) continue;
      thread.wait->since = thread.wait->shared_until = ns;
    }
  }

  std::vector<Lock> locks() const {
    std::vector<Lock> locks;
    for (const auto& [target, sum] : sums_) {
      if (sum.lock.waits == 0) continue;
      locks.push_back(sum.lock);
      locks.back().threads = sum.threads.size() + sum.gone_threads;
    }
    return locks;
  }

  std::vector<Holder> holders() const {
    std::vector<Holder> holders;
    for (const auto& [of, ns] : holders_) {
      holders.push_back({sums_.at(of.lock).lock.target, of.by.thread, of.by.place.name, of.by.place.target, ns});
    }
    return holders;
  }

  bool has_too_many() const { return has_too_many_; }
  const std::vector<Usage::Target>& targets() const { return objects_.targets(); }
  std::uint64_t uncertain_ns(std::int64_t ns) const { return uncertain_.ns(ns); }

 private:
  static constexpr std::size_t kMostHeld = 256;
  // A release costs a step for each thread that waits and is followed.
  static constexpr std::size_t kMostFollowed = 64;

  struct HeldBy {
    std::uint32_t thread = kNone;
    Place place;

    friend auto operator<=>(const HeldBy&, const HeldBy&) = default;
  };
  struct HolderOf {
    std::uint32_t lock = kNone;
    HeldBy by;

    friend auto operator<=>(const HolderOf&, const HolderOf&) = default;
  };
  struct Frame {
    std::uint32_t name = kNone;
    std::uint32_t target = kNone;  // kNone: it is not about an object or a resource
    std::uint32_t holder = kNone;
    bool is_wanted = true;
  };
  struct Held {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    std::uint32_t thread = kNone;
  };
  // For one lock, in one call or stop; with pauses in which the thread could run.
  struct Wait {
    std::uint32_t lock = kNone;
    std::uint32_t depth = kNone;  // in the thread's open calls; kNone: in none of them
    std::uint32_t holder = kNone;
    bool is_wanted = true;
    bool is_released = false;            // since `since`
    bool is_followed = true;             // since `shared_until`
    std::int64_t since = kNever;         // kNever: it does not wait now
    std::int64_t shared_until = kNever;  // until then it is in `by`
    std::uint64_t ns = 0;                // before `since`
    std::map<HeldBy, std::uint64_t> by;
    std::deque<Held> held;  // the latest kMostHeld
  };
  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    std::uint32_t stop_target = kNone;
    std::uint32_t waker = kNone;
    std::uint32_t calls = 0;              // open ones about an object
    std::uint32_t barrier = kNone;        // to which it came last
    std::uint32_t last_lock = kNone;      // for which it waited,
    std::uint32_t last_function = kNone;  // in this function,
    std::deque<Held> last_held;           // and these held it meanwhile, if the wait is over
    std::int64_t ended_ns = kNever;
    std::vector<Frame> open;
    std::optional<Wait> wait;

    // A thread whose runs no event records waits while it is in a call about an object, as in WaitLog.
    bool waits() const { return state == ThreadState::kWaiting || (state == ThreadState::kUnknown && calls > 0); }
    std::uint32_t target() const {
      const std::uint32_t of_call = open.empty() ? kNone : open.back().target;
      return of_call != kNone || state != ThreadState::kWaiting ? of_call : stop_target;
    }
    Place place() const { return open.empty() ? Place() : Place{open.back().name, open.back().target}; }
  };
  struct Sum {
    Lock lock;
    bool has_stack = false;  // that names its code
    std::vector<std::uint32_t> waiting;
    std::set<std::uint32_t> threads;
    std::uint64_t gone_threads = 0;
  };

  // A thread may wait for a lock whose name another thread records later.
  void take_object(const RoleEvent& event) {
    const std::uint32_t part = timeline_->actors().part_of_ids(*event.event, Role::kObject);
    const bool is_named = event.role == Role::kObjectName && !sums_.empty();
    const std::uint64_t number = is_named ? event.event->number(Role::kObject).value_or(0) : 0;
    const std::uint32_t before = number != 0 ? objects_.find(number, part, kNone).target : kNone;
    objects_.take(event, part, false, &timeline_->names());
    const auto sum = sums_.find(before);
    if (sum == sums_.end() || targets()[before].name != kNone) return;
    const std::uint32_t after = objects_.find(number, part, kNone).target;
    if (after == before || sums_.contains(after)) return;
    earlier_[after] = before;
    sum->second.lock.target = after;
  }

  // The key of a lock in sums_.
  std::uint32_t key_of(std::uint32_t target) const {
    const auto earlier = earlier_.find(target);
    return earlier != earlier_.end() ? earlier->second : target;
  }

  void take_of_thread(const TimelineItem& item) {
    switch (item.kind) {
      case ItemKind::kThread:
        end_wait(item.thread, item.ns);
        threads_[item.thread] = Thread();
        places_.forget(item.thread);
        return;
      case ItemKind::kState:
        return change_state(item);
      case ItemKind::kWake:
        threads_[item.thread].waker = item.other;
        return;
      case ItemKind::kBegan:
        return begin(item);
      case ItemKind::kEnded:
        return end(item);
      case ItemKind::kLockRelease:
        return release(item);
      default:
        return;
    }
  }

  void change_state(const TimelineItem& item) {
    Thread& thread = threads_[item.thread];
    pause(item.thread, item.ns);
    if (item.is_open) return end_wait_outside_calls(item.thread, item.ns);
    thread.waker = kNone;
    thread.state = shown_state(item, *timeline_);
    thread.stop_target = kNone;
    if (item.state == ThreadState::kEnded) thread.ended_ns = item.ns;
    if (item.state == ThreadState::kWaiting && item.event != nullptr) {
      const std::uint64_t object = item.event->event->number(Role::kObject).value_or(0);
      const std::uint32_t part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
      if (object != 0) thread.stop_target = objects_.find(object, part, kNone).target;
    }
    end_wait_outside_calls(item.thread, item.ns);
    look_for_wait(item);
  }

  void begin(const TimelineItem& item) {
    Thread& thread = threads_[item.thread];
    Frame frame{item.name, kNone, item.other, item.is_wanted};
    CallFacts facts;
    std::uint32_t part = timeline_->actors().threads()[item.thread].part;
    if (item.call != nullptr) {
      facts = *item.call;
    } else if (item.is_call && item.event != nullptr) {
      facts = facts_of(*item.event->event, &timeline_->names());
      part = timeline_->actors().part_of_ids(*item.event->event, Role::kObject);
    }
    const bool is_about_object = facts.object != 0 || facts.resource != kNone;
    if (is_about_object) frame.target = objects_.find(facts.object, part, facts.resource).target;
    thread.calls += is_about_object ? 1 : 0;
    thread.open.insert(thread.open.begin() + std::min<std::ptrdiff_t>(item.depth, std::ssize(thread.open)), frame);
    change_place(item);
    look_for_wait(item);
  }

  void end(const TimelineItem& item) {
    Thread& thread = threads_[item.thread];
    if (item.depth >= thread.open.size()) return;
    if (thread.wait && thread.wait->depth == item.depth) {
      thread.wait->is_wanted |= item.is_wanted;
      end_wait(item.thread, item.ns);
    }
    if (thread.open[item.depth].target != kNone) {
      --thread.calls;
      thread.barrier = kNone;
    }
    thread.open.erase(thread.open.begin() + item.depth);
    if (thread.wait && thread.wait->depth != kNone && item.depth < thread.wait->depth) --thread.wait->depth;
    change_place(item);
    look_for_wait(item);
  }

  void change_place(const TimelineItem& item) {
    places_.become(item.thread, threads_[item.thread].place(), item.ns, waiting_ > 0 ? waiting_since_ : item.ns);
  }

  // Its function is not the caller's, and may be recorded twice: as an import, and as what waits.
  static std::uint32_t caller_in(const Thread& thread) {
    if (thread.open.empty()) return kNone;
    const std::uint32_t function = thread.open.back().name;
    const auto is_other = [&](const Frame& frame) { return frame.name != function; };
    const auto caller = std::find_if(thread.open.rbegin(), thread.open.rend(), is_other);
    return caller != thread.open.rend() ? caller->name : function;
  }

  void look_for_wait(const TimelineItem& item) {
    Thread& thread = threads_[item.thread];
    const std::uint32_t target = thread.waits() ? thread.target() : kNone;
    const bool is_lock = target != kNone && (targets()[target].resource == lock_ || is_barrier(target));
    const std::uint32_t lock = is_lock ? key_of(target) : kNone;
    if (!is_lock || thread.barrier == lock) return pause(item.thread, item.ns);
    if (thread.wait && thread.wait->lock != lock) end_wait(item.thread, item.ns);
    if (!thread.wait) {
      thread.wait = new_wait(thread, lock, item.is_wanted);
      thread.last_held.clear();
    }
    if (thread.wait->since != kNever) return;
    thread.wait->since = thread.wait->shared_until = item.ns;
    thread.wait->is_released = false;
    thread.wait->is_followed = true;
    thread.last_lock = lock;
    thread.last_function = thread.open.empty() ? kNone : thread.open.back().name;
    join_waiting(item.thread, lock, target, item.ns);
  }

  Wait new_wait(const Thread& thread, std::uint32_t lock, bool is_wanted) const {
    Wait wait;
    wait.lock = lock;
    wait.is_wanted = is_wanted;
    if (thread.open.empty() || key_of(thread.open.back().target) != lock) return wait;
    wait.depth = static_cast<std::uint32_t>(thread.open.size() - 1);
    wait.holder = thread.open.back().holder;
    wait.is_wanted |= thread.open.back().is_wanted;
    return wait;
  }

  void join_waiting(std::uint32_t index, std::uint32_t lock, std::uint32_t target, std::int64_t ns) {
    if (waiting_++ == 0) waiting_since_ = ns;
    Sum& sum = sums_[lock];
    sum.lock.target = target;
    if (sum.lock.code == kNone) sum.lock.code = caller_in(threads_[index]);
    sum.waiting.push_back(index);
    sum.lock.most_waiting = std::max<std::uint64_t>(sum.lock.most_waiting, sum.waiting.size());
  }

  // Beyond kMostHeld holders and places of one wait, the holder counts as not known.
  static void add(const HeldBy& by, std::uint64_t ns, Wait* wait) {
    const bool has_room = wait->by.size() < kMostHeld || wait->by.contains(by);
    wait->by[has_room ? by : HeldBy()] += ns;
  }

  void share(Wait* wait, std::uint32_t holder, std::int64_t until) {
    if (until <= wait->shared_until) return;
    places_.divide(holder, wait->shared_until, until, [&](const Place& place, std::uint64_t ns) {
      add({holder, place}, ns, wait);
    });
    if (wait->held.size() >= kMostHeld) wait->held.pop_front();
    wait->held.push_back({wait->shared_until, until, holder});
    wait->shared_until = until;
  }

  // While the last holder waited for the lock itself, others held it.
  void share_with_those_before(Wait* wait, std::uint32_t last, std::int64_t until) {
    if (last < threads_.size() && threads_[last].last_lock == wait->lock && !is_barrier(wait->lock)) {
      for (const Held& before : threads_[last].last_held) {
        if (before.to_ns <= wait->shared_until) continue;
        share(wait, last, std::min(before.from_ns, until));
        share(wait, before.thread, std::min(before.to_ns, until));
      }
    }
    share(wait, last, until);
  }

  static bool is_another(std::uint32_t other, std::uint32_t thread) {
    return other < Actor::kOthers && other != thread;
  }

  // The thread does not wait from now on, maybe until it is woken again.
  void pause(std::uint32_t index, std::int64_t ns) {
    Thread& thread = threads_[index];
    if (!thread.wait || thread.wait->since == kNever) return;
    Wait& wait = *thread.wait;
    if (!wait.is_followed) {
      has_too_many_ = true;
    } else if (is_another(thread.waker, index)) {
      share_with_those_before(&wait, thread.waker, ns);
    } else if (!wait.is_released && is_another(wait.holder, index)) {
      const std::int64_t ended_ns = wait.holder < threads_.size() ? threads_[wait.holder].ended_ns : kNever;
      share(&wait, wait.holder, std::min(ns, ended_ns));
    }
    if (ns > wait.shared_until) wait.by[{}] += length(wait.shared_until, ns);
    wait.ns += length(wait.since, ns);
    wait.since = kNever;
    std::erase(sums_[wait.lock].waiting, index);
    --waiting_;
  }

  void end_wait_outside_calls(std::uint32_t thread, std::int64_t ns) {
    if (threads_[thread].wait && threads_[thread].wait->depth == kNone) end_wait(thread, ns);
  }

  void end_wait(std::uint32_t index, std::int64_t ns) {
    if (!threads_[index].wait) return;
    pause(index, ns);
    Wait wait = *std::exchange(threads_[index].wait, std::nullopt);
    threads_[index].last_held = std::move(wait.held);
    if (!wait.is_wanted || wait.ns == 0) return;
    Sum& sum = sums_[wait.lock];
    ++sum.lock.waits;
    sum.lock.ns += wait.ns;
    sum.lock.longest_ns = std::max(sum.lock.longest_ns, wait.ns);
    sum.threads.insert(index);
    for (const auto& [by, held_ns] : wait.by) {
      holders_[{wait.lock, by}] += held_ns;
      if (by.thread != kNone) sum.lock.held_ns += held_ns;
    }
  }

  bool is_barrier(std::uint32_t target) const { return targets()[target].resource == barrier_; }

  void release(const TimelineItem& item) {
    const std::uint32_t target = objects_.find(item.value, item.part, kNone).target;
    const auto lock = sums_.find(key_of(target));
    if (lock == sums_.end()) return;
    if (is_barrier(target)) threads_[item.thread].barrier = lock->first;
    std::size_t followed = 0;
    for (const std::uint32_t index : lock->second.waiting) {
      if (index == item.thread) continue;
      Wait& wait = *threads_[index].wait;
      if (!wait.is_followed || ++followed > kMostFollowed) {
        wait.is_followed = false;
        continue;
      }
      share_with_those_before(&wait, item.thread, item.ns);
      wait.is_released = true;
    }
  }

  // A long wait leaves its stack when it has ended: whoever called the function that waited.
  void sample(const RoleEvent& event) {
    if (event.thread >= threads_.size() || !StatedStacks::weight_of(*event.event).is_wait) return;
    const Thread& thread = threads_[event.thread];
    if (thread.last_lock == kNone || thread.last_function == kNone || sums_[thread.last_lock].has_stack) return;
    const std::vector<std::uint32_t>* const stack = stacks_.stack_of(*event.event).frames;
    if (stack == nullptr) return;
    const auto name = [&](std::uint32_t frame) { return stacks_.frame(frame).name(); };
    const std::string& function = timeline_->names().text(thread.last_function);
    const auto waits = std::ranges::find(*stack, function, name);
    if (waits == stack->end()) return;
    const auto caller =
        std::find_if(waits + 1, stack->end(), [&](std::uint32_t frame) { return !is_of_library(name(frame)); });
    if (caller == stack->end()) return;
    sums_[thread.last_lock].has_stack = true;
    sums_[thread.last_lock].lock.code = timeline_->names().of_text(name(*caller));
  }

  // Indexes of these threads will belong to others.
  void fold(const FoldedActors& gone, std::int64_t ns) {
    for (const std::uint32_t i : gone.all()) {
      if (i >= threads_.size()) continue;
      end_wait(i, ns);
      threads_[i] = Thread();
      places_.forget(i);
    }
    for (auto& [target, sum] : sums_) {
      sum.gone_threads += std::erase_if(sum.threads, [&](std::uint32_t thread) { return gone.is_gone(thread); });
    }
    const auto kept = [&](HeldBy by) {
      if (by.thread != kNone) by.thread = gone(by.thread);
      return by;
    };
    for (const auto& [of, held_ns] : std::exchange(holders_, {})) holders_[{of.lock, kept(of.by)}] += held_ns;
    for (Thread& thread : threads_) {
      if (gone.is_gone(thread.waker)) thread.waker = kNone;
      for (Frame& frame : thread.open) {
        if (gone.is_gone(frame.holder)) frame.holder = kNone;
      }
      thread.last_held.clear();
      if (!thread.wait) continue;
      thread.wait->held.clear();
      if (gone.is_gone(thread.wait->holder)) thread.wait->holder = kNone;
      for (const auto& [by, held_ns] : std::exchange(thread.wait->by, {})) thread.wait->by[kept(by)] += held_ns;
    }
  }

  Timeline* timeline_;
  std::uint32_t lock_;  // the name of the resource
  std::uint32_t barrier_;
  Objects objects_;
  StatedStacks stacks_;
  std::vector<Thread> threads_;
  RecentPlaces places_;
  std::uint64_t waiting_ = 0;  // threads
  std::int64_t waiting_since_ = 0;
  std::map<std::uint32_t, Sum> sums_;               // by target, the first that a lock had
  std::map<std::uint32_t, std::uint32_t> earlier_;  // the first target, where a lock got its name later
  std::map<HolderOf, std::uint64_t> holders_;
  bool has_too_many_ = false;
  UncertainTime uncertain_;
};

Locks::Locks(Timeline& timeline) : impl_(std::make_unique<Impl>(timeline)) {}
void Locks::take(const TimelineItem& item) { impl_->take(item); }
void Locks::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Locks::Lock> Locks::locks() const { return impl_->locks(); }
std::vector<Locks::Holder> Locks::holders() const { return impl_->holders(); }
bool Locks::has_too_many() const { return impl_->has_too_many(); }
const std::vector<Usage::Target>& Locks::targets() const { return impl_->targets(); }
std::uint64_t Locks::uncertain_ns(std::int64_t ns) const { return impl_->uncertain_ns(ns); }

}  // namespace evt
