#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "call_facts.h"
#include "libtrace-read/core/src/base/uint128.h"
#include "parts.h"
#include "shows_runs.h"
#include "usage_impl.h"

namespace evt {
namespace {

// Unknown for a thread that stopped for no known reason; running for one that was not seen to stop.
Use use_in(const TimelineItem& item) {
  switch (item.state) {
    case ThreadState::kRunning:
      return Use::kCpu;
    case ThreadState::kRunnable:
      return Use::kRunnable;
    case ThreadState::kWaiting:
      return Use::kSleeping;
    case ThreadState::kOutside:
      return Use::kOutside;
    case ThreadState::kEnded:
      return Use::kAbsent;
    case ThreadState::kUnknown:
      break;
  }
  return Use::kUnknown;
}

// A call of a function, which uses nothing.
bool names_nothing(const CallFacts& facts) {
  return facts.object == 0 && facts.resource == EventNames::kNone && facts.amount == 0 && facts.limit == 0;
}

// How long it takes, rounded down; limited to the largest time.
std::int64_t ns_for(std::uint64_t amount, std::uint64_t per_second) {
  const Uint128 all = product(amount, 1'000'000'000);
  if (all.high >= per_second) return INT64_MAX;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(division(all, per_second).quotient, INT64_MAX));
}

}  // namespace

Usage::Impl::Impl(Timeline& timeline, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps)
    : timeline_(&timeline),
      sleep_(timeline.names().of_text("sleep")),
      stopped_(timeline.actors().session().parts.size() + 1) {
  if (subtract_event_ps) cost_.emplace(timeline.actors().session(), *subtract_event_ps);
  for (const auto& [resource, per_second] : limits) limits_[timeline.names().of_text(resource)] = per_second;
}

void Usage::Impl::take(const TimelineItem& item) {
  uncertain_.take(item);
  switch (item.kind) {
    case ItemKind::kRow:
      if (cost_) cost_->take(*item.event);
      break;
    case ItemKind::kThread: {
      ThreadUsage& thread = grown(&threads_, item.thread);
      const std::uint32_t part = timeline_->actors().threads()[item.thread].part;
      thread.assume_that_it_runs(item.is_wanted, std::max(item.ns, counted_from_));
      return thread.stop(stopped_[part + std::uint32_t{1}].number, item.ns);
    }
    case ItemKind::kState:
      return change_state(item);
    case ItemKind::kIdleThread:
      if (item.thread < threads_.size()) threads_[item.thread].become(Use::kAbsent, true, item.ns);
      break;
    case ItemKind::kBegan:
      return begin(item);
    case ItemKind::kEnded:
      return end(item);
    case ItemKind::kNotTimed:
      if (item.event->role == Role::kStopped && item.is_wanted) ++stops_.not_timed;
      break;
    case ItemKind::kObject:
      objects_.take(*item.event, timeline_->actors().part_of_ids(*item.event->event, Role::kObject), item.is_wanted,
                    &timeline_->names());
      break;
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      return stop(item);
    case ItemKind::kFold:
      return fold(*item.event->fold, item.ns);
    default:
      break;
  }
}

void Usage::Impl::change_state(const TimelineItem& item) {
  if (item.is_open) return;
  ThreadUsage& thread = threads_[item.thread];
  has_runs_ |= shows_runs(item);
  const bool goes_on = item.resumes && item.state == ThreadState::kUnknown;
  if (item.is_collecting || goes_on) return thread.collect(item.is_collecting, item.ns);
  thread.become(use_in(item), item.is_wanted, item.ns);
}

std::uint32_t Usage::Impl::sum_of(std::uint32_t thread, std::uint32_t function, std::uint32_t target) {
  const auto [pair, is_new_pair] = pairs_.add(std::uint64_t{function} << 32 | target);
  if (is_new_pair) *pair = static_cast<std::uint32_t>(pairs_.size() - 1);
  const auto next = static_cast<std::uint32_t>(sums_.size());
  const std::uint32_t sum = by_thread_.index(thread, *pair, next);
  if (sum == next) {
    sums_.emplace_back();
    places_.push_back({thread, function, target});
  }
  return sum;
}

// Calls of threads and functions are many and scattered, and this one usually ends soon.
void Usage::Impl::expect_end(const TimelineItem& item, ThreadUsage::Frame* frame) {
  const std::uint32_t* const pair = pairs_.find(std::uint64_t{item.name} << 32 | frame->target);
  if (pair != nullptr) frame->sum = by_thread_.index(item.thread, *pair, kNone);
  if (frame->sum != kNone) __builtin_prefetch(&sums_[frame->sum], 1);
}

void Usage::Impl::find_target(const CallFacts& facts, std::uint32_t part, ThreadUsage::Frame* frame) {
  const Objects::Found found = objects_.find(facts.object, part, facts.resource);
  frame->target = found.target;
  frame->amount = facts.amount;
  const std::uint64_t* const limit = limits_.find(objects_.targets()[found.target].resource);
  frame->limit = limit != nullptr ? *limit : facts.limit != 0 ? facts.limit : found.limit;
  frame->has_own_limit = limit == nullptr && facts.limit == 0;
}

void Usage::Impl::begin(const TimelineItem& item) {
  ThreadUsage::Frame& frame = threads_[item.thread].begin(item.is_call, item.ns);
  frame.began_ns = item.is_complete ? item.began_ns : item.ns;
  frame.spent_ps = spent_on(*item.stream);
  if (item.call != nullptr) {
    frame.facts = *item.call;
    frame.names_nothing = names_nothing(frame.facts);
  }
  if (item.is_call && item.event != nullptr) {
    const Event& event = *item.event->event;
    const CallFacts facts = facts_of(event, &timeline_->names());
    frame.names_nothing = names_nothing(facts);
    find_target(facts, timeline_->actors().part_of_ids(event, Role::kObject), &frame);
    expect_end(item, &frame);
  }
}

void Usage::Impl::end(const TimelineItem& item) {
  ThreadUsage& thread = threads_[item.thread];
  ThreadUsage::Frame& frame = thread.end(item.depth, item.ns);
  if (!frame.is_call) return;
  const bool is_its_own = item.event != nullptr && !item.is_cut && !item.is_open;
  if (frame.target == kNone) {
    const std::uint32_t part = is_its_own ? timeline_->actors().part_of_ids(*item.event->event, Role::kObject)
                                          : timeline_->actors().threads()[item.thread].part;
    find_target(frame.facts, part, &frame);
  } else if (is_its_own && item.event->event->type().field(Role::kAmount) != nullptr) {
    frame.amount = amount_of(*item.event->event);
  }
  std::uint64_t within = spent_on(*item.stream) - std::min(frame.spent_ps, spent_on(*item.stream));
  // One event records a whole call when the call is over.
  if (item.is_complete && cost_) within -= std::min(within, cost_->event_ps());
  for (std::size_t outer = item.depth; outer > 0; --outer) {
    if (!thread.frames()[outer - 1].is_call) continue;
    thread.frames()[outer - 1].inside_ps += within;
    break;
  }
  if (frame.amount > 0) frame.names_nothing = false;
  if (frame.names_nothing) thread.take_back(frame);
  const std::uint64_t tracing_ns = (within - std::min(within, frame.inside_ps)) / kPsInNs;
  count(item, frame, tracing_ns);
}

// How long a call must take. A resource serves overlapping calls one after another; but a call that has ended needs
// nothing more, however fast it was. One that has not ended may need more than is known yet.
std::uint64_t Usage::Impl::expected_ns(const ThreadUsage::Frame& frame, const TimelineItem& item) {
  if (frame.limit == 0) return 0;
  if (item.is_open) return static_cast<std::uint64_t>(ns_for(frame.amount, frame.limit));
  const auto [busy, is_new] = busy_until_.add(objects_.targets()[frame.target].resource);
  const std::int64_t from = is_new ? frame.began_ns : std::max(*busy, frame.began_ns);
  std::int64_t until = 0;
  if (__builtin_add_overflow(from, ns_for(frame.amount, frame.limit), &until)) until = INT64_MAX;
  *busy = std::min(until, item.ns);
  return length(frame.began_ns, until);
}

// Time that counts as stopped: of each stop all, if the call took that much longer than it must, or nothing.
std::uint64_t Usage::Impl::moved_ns(const ThreadUsage::Frame& frame, std::uint64_t must_ns) const {
  if (objects_.targets()[frame.target].resource == sleep_) return 0;
  const std::uint64_t all = frame.ns + frame.before_ns;
  std::uint64_t left = all - std::min(all, must_ns);
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < frame.stops.size();) {
    std::uint64_t ns = 0;
    std::uint64_t counted = 0;
    for (const std::uint64_t number = frame.stops[i].number; i < frame.stops.size(); ++i) {
      const ThreadUsage::InStop& stop = frame.stops[i];
      if (stop.number != number) break;
      // A thread that sleeps in a call without a limit would have slept anyway; with one, the limit decides.
      const std::uint64_t part = stop.ns + (frame.limit != 0 ? stop.asleep_ns : 0);
      ns += part;
      counted += stop.counts ? part : 0;
    }
    if (ns > left) continue;
    left -= ns;
    moved += counted;
  }
  return moved;
}

void Usage::Impl::count_limited(const TimelineItem& item, const ThreadUsage::Frame& frame) {
  if (frame.limit == 0 || item.is_open || item.is_cut) return;
  Limited of;
  of.resource = objects_.targets()[frame.target].resource;
  of.limit = frame.limit;
  if (frame.has_own_limit) of.target = frame.target;
  const auto takes_ns = static_cast<std::uint64_t>(ns_for(frame.amount, frame.limit));
  limited_.add(of, frame.began_ns, item.ns, frame.amount, takes_ns, item.is_wanted);
}

void Usage::Impl::count(const TimelineItem& item, const ThreadUsage::Frame& frame, std::uint64_t tracing_ns) {
  count_limited(item, frame);
  const std::uint64_t must_ns = expected_ns(frame, item);
  if (!item.is_wanted) return;
  CallSum& sum = sums_[frame.sum != kNone ? frame.sum : sum_of(item.thread, item.name, frame.target)];
  const std::uint64_t moved = moved_ns(frame, must_ns);
  const std::uint64_t tracing = item.is_open ? 0 : std::min(tracing_ns, frame.ns - moved);
  CallSum call;
  call.calls = 1;
  call.amount = item.is_open || item.is_cut ? 0 : frame.amount;
  call.ns = frame.ns - moved - tracing;
  call.subtracted_ns = tracing;
  call.stopped_ns = moved;
  call.assumed_ns = frame.limit == 0 ? moved : 0;
  if (frame.names_nothing) call.unnamed = {call.calls, call.ns, call.stopped_ns, call.subtracted_ns};
  sum.add(call);
}

// For its part of a merged session: other parts are other processes.
void Usage::Impl::stop(const TimelineItem& item) {
  Stopped& stopped = stopped_[item.part + std::uint32_t{1}];
  const bool begins = item.kind == ItemKind::kStopBegan;
  if (item.depth > 0) return;  // overlapping ones count once
  if (begins) {
    stopped = {++last_stop_, item.ns};
    if (stopped_parts_++ == 0) any_stopped_since_ = item.ns;
  } else {
    const std::int64_t from_ns = std::max(stopped.since_ns, counted_from_);
    if (stops_.all.size() < kMaxStops && item.ns > from_ns) stops_.all.push_back({item.part, from_ns, item.ns});
    stops_.count += item.ns > from_ns ? 1 : 0;
    stopped.number = 0;
    const std::int64_t any_from_ns = std::max(any_stopped_since_, counted_from_);
    if (--stopped_parts_ == 0 && item.ns > any_from_ns) stops_.ns += length(any_from_ns, item.ns);
  }
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i == Actor::kOthers || timeline_->actors().threads()[i].part != item.part) continue;
    threads_[i].stop(stopped.number, item.ns);
  }
}

void Usage::Impl::restart(std::int64_t ns) {
  counted_from_ = ns;
  uncertain_.restart(ns);
  limited_.restart(ns);
  stops_ = Stops();
  sums_.assign(sums_.size(), CallSum());
  of_folded_ = ThreadUsage::Times();
  for (ThreadUsage& thread : threads_) thread.restart(ns);
  objects_.restart();
}

// These threads are forgotten; nothing is open in them.
void Usage::Impl::fold(const FoldedActors& gone, std::int64_t ns) {
  for (const std::uint32_t i : gone.all()) {
    if (i >= threads_.size()) continue;
    const ThreadUsage::Times times = threads_[i].times(ns);
    for (std::size_t use = 0; use < ThreadUsage::kUses; ++use) {
      of_folded_.ns[use] += times.ns[use];
      of_folded_.moved[use] += times.moved[use];
    }
    threads_[i] = ThreadUsage();
  }
  const std::vector<Place> places = std::move(places_);
  const std::vector<CallSum> sums = std::move(sums_);
  places_.clear();
  sums_.clear();
  for (ThreadUsage& thread : threads_) {
    for (ThreadUsage::Frame& frame : thread.frames()) frame.sum = kNone;
  }
  by_thread_ = IndexTable();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums_[sum_of(gone(places[i].thread), places[i].function, places[i].target)].add(sums[i]);
  }
}

std::string object_number(std::uint64_t number) {
  return number > UINT32_MAX ? fmt::format("{:#x}", number) : std::to_string(number);
}

}  // namespace evt
