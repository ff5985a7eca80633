#include <algorithm>
#include <utility>

#include "duration.h"
#include "libtrace-read/core/src/base/uint128.h"
#include "parts.h"
#include "usage_impl.h"

namespace evt {
namespace {

Use use_after(ThreadState state) {
  switch (state) {
    case ThreadState::kRunnable:
      return Use::kRunnable;
    case ThreadState::kWaiting:
      return Use::kSleeping;
    case ThreadState::kOutside:
      return Use::kOutside;
    case ThreadState::kEnded:
      return Use::kAbsent;
    default:
      return Use::kUnknown;
  }
}

// What can be counted: an error that is recorded as a number below 0 is none of a resource.
std::uint64_t amount_of(const Event& event, Role role) {
  const std::uint64_t amount = event.number(role).value_or(0);
  if (amount == 0 || event.type().field(role)->kind != Kind::kSigned) return amount;
  return event.value(role)->as_signed() > 0 ? amount : 0;
}

// How long it takes, rounded down; what never ends takes as long as there is time.
std::int64_t ns_for(std::uint64_t amount, std::uint64_t per_second) {
  const Uint128 all = product(amount, 1'000'000'000);
  if (all.high >= per_second) return INT64_MAX;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(division(all, per_second).quotient, INT64_MAX));
}

// Whether it is a sign that the event's thread exists.
bool tells_of_thread(Role role) {
  switch (role) {
    case Role::kThreadCreate:
    case Role::kThreadRunnable:
    case Role::kThreadRun:
    case Role::kThreadStop:
    case Role::kThreadWake:
    case Role::kThreadMigrate:
    case Role::kSpanBegin:
    case Role::kSpanEnd:
    case Role::kCallBegin:
    case Role::kCallEnd:
    case Role::kObjectOpen:
      return true;
    default:
      return false;
  }
}

bool tells_late(const Session& session) {
  return std::any_of(session.types.begin(), session.types.end(),
                     [](const EventType& type) { return type.has_role(Role::kCall) || type.has_role(Role::kStopped); });
}

}  // namespace

Usage::Impl::Impl(Actors::Impl& actors, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps)
    : actors_(&actors), names_(actors.session()), looks_back_(tells_late(actors.session())) {
  if (subtract_event_ps) cost_.emplace(actors.session(), *subtract_event_ps);
  for (const auto& [resource, per_second] : limits) limits_[names_.of_text(resource)] = per_second;
}

ThreadUsage& Usage::Impl::meet(const RoleEvent& event) {
  grown(&streams_, event.thread) = static_cast<std::uint32_t>(event.stream - actors_->session().streams.data());
  ThreadUsage& thread = grown(&threads_, event.thread);
  thread.set(looks_back_, counted_from_);
  return thread;
}

void Usage::Impl::take(const RoleEvent& event) {
  if (event.fold != nullptr) return fold(event);
  if (cost_) cost_->take(event);
  if (event.lost) lose(event);
  if (event.jump) occupancy_.take(event);
  if (event.role == Role::kNone) return;
  if (event.thread == Actor::kOthers) return follow_others(event);
  if (tells_of_thread(event.role)) follow(event);
  switch (event.role) {
    case Role::kCallBegin:
      begin(event);
      break;
    case Role::kCallEnd:
      end(event);
      break;
    case Role::kCall:
      complete(event);
      break;
    case Role::kThreadExit:
    case Role::kStopped:
      event.role == Role::kStopped ? stop(event) : follow(event);
      break;
    case Role::kObjectOpen:
    case Role::kObjectName:
    case Role::kObjectClose:
      objects_.take(event, actors_->part_of_ids(*event.event, Role::kObject), &names_);
      break;
    default:
      break;
  }
}

// What the thread does when it is in no call.
void Usage::Impl::follow(const RoleEvent& event) {
  ThreadUsage& thread = meet(event);
  const bool is_of_running = event.role == Role::kThreadRun || event.role == Role::kThreadStop;
  if (is_of_running || event.role == Role::kThreadExit) {
    has_runs_ |= is_of_running;
    const std::uint32_t replaced = occupancy_.take(event).replaced;
    if (replaced != kNone) threads_[replaced].become(Use::kRunnable, event.ns);
  }
  const bool exists = thread.use() != Use::kAbsent;
  Use use = exists ? thread.use() : Use::kCpu;
  if (event.role == Role::kThreadRun) use = Use::kCpu;
  if (event.role == Role::kThreadStop) use = use_after(reasons_.all()[reasons_.of(*event.event)].state);
  if (event.role == Role::kThreadExit) use = Use::kAbsent;
  const bool could_run = event.role == Role::kThreadRunnable || event.role == Role::kThreadWake ||
                         (event.role == Role::kThreadCreate && !exists);
  if (could_run && !occupancy_.runs(event.thread)) use = Use::kRunnable;
  if (use == Use::kAbsent) end_all(&thread, event.ns);
  thread.become(use, event.ns);
}

void Usage::Impl::end_all(ThreadUsage* thread, std::int64_t ns) {
  doubts_.unended += thread->open().size();
  while (thread->has_open()) {
    expect(&thread->open().back(), ns);
    thread->end(ns, &sums_);
  }
}

// What is about no thread counts, and they may run where another did.
void Usage::Impl::follow_others(const RoleEvent& event) {
  const bool is_of_object =
      event.role == Role::kObjectOpen || event.role == Role::kObjectName || event.role == Role::kObjectClose;
  if (is_of_object) objects_.take(event, actors_->part_of_ids(*event.event, Role::kObject), &names_);
  if (event.role == Role::kStopped) stop(event);
  has_runs_ |= event.role == Role::kThreadRun || event.role == Role::kThreadStop;
  const std::uint32_t replaced = occupancy_.take(event).replaced;
  if (replaced != kNone) threads_[replaced].become(Use::kRunnable, event.ns);
}

std::uint32_t Usage::Impl::sum_of(std::uint32_t thread, std::uint32_t function, std::uint32_t target) {
  const auto [pair, is_new_pair] = pairs_.add(std::uint64_t{function} << 32 | target);
  if (is_new_pair) *pair = static_cast<std::uint32_t>(pairs_.size() - 1);
  const auto [sum, is_new] = by_thread_.add(std::uint64_t{thread} << 32 | *pair);
  if (is_new) {
    *sum = static_cast<std::uint32_t>(sums_.size());
    sums_.emplace_back();
    places_.push_back({thread, function, target});
  }
  return *sum;
}

ThreadUsage::Call Usage::Impl::call_of(const RoleEvent& event) {
  const Event& of = *event.event;
  ThreadUsage::Call call;
  call.function = names_.of(of, Role::kFunction);
  const Objects::Found found = objects_.find(of.number(Role::kObject).value_or(0),
                                             actors_->part_of_ids(of, Role::kObject), resource_of(of, &names_));
  call.target = found.target;
  call.limit = of.number(Role::kLimit).value_or(0);
  if (call.limit == 0) call.limit = found.limit;
  if (call.limit == 0) {
    const std::uint64_t* const limit = limits_.find(objects_.targets()[found.target].resource);
    call.limit = limit != nullptr ? *limit : 0;
  }
  call.amount = amount_of(of, Role::kAmount);
  call.sum = sum_of(event.thread, call.function, call.target);
  sums_[call.sum].calls += 1;
  return call;
}

void Usage::Impl::begin(const RoleEvent& event) {
  ThreadUsage::Call call = call_of(event);
  // Until it ends and records how much it had.
  if (call.limit > 0) call.expected_ns = static_cast<std::uint64_t>(ns_for(call.amount, call.limit));
  threads_[event.thread].begin(call, event.ns);
}

// How long a call that ends must take. Calls of one resource that overlap are served one after another; but what has
// ended asks for nothing any more, however fast that was.
void Usage::Impl::expect(ThreadUsage::Call* call, std::int64_t ns) {
  if (call->limit == 0) return;
  const auto [busy, is_new] = busy_until_.add(objects_.targets()[call->target].resource);
  const std::int64_t from = is_new ? call->begin_ns : std::max(*busy, call->begin_ns);
  std::int64_t until = 0;
  if (__builtin_add_overflow(from, ns_for(call->amount, call->limit), &until)) until = INT64_MAX;
  call->expected_ns = length(call->begin_ns, until);
  *busy = std::min(until, ns);
}

void Usage::Impl::end(const RoleEvent& event) {
  ThreadUsage& thread = threads_[event.thread];
  std::vector<ThreadUsage::Call>& open = thread.open();
  const std::uint32_t function = names_.said_by(*event.event, Role::kFunction);
  const bool is_named = function != kNone;
  std::size_t depth = open.size();
  while (depth > 0 && is_named && open[depth - 1].function != function) --depth;
  if (depth == 0) {
    ++doubts_.unmatched_ends;
    return;
  }
  doubts_.unended += open.size() - depth;
  while (open.size() >= depth) {
    ThreadUsage::Call& call = open.back();
    const bool is_it = open.size() == depth;
    if (is_it && event.event->type().field(Role::kAmount) != nullptr) {
      call.amount = amount_of(*event.event, Role::kAmount);
    }
    expect(&call, event.ns);
    if (cost_) call.tracing_ns = cost_->own_ns(event, call.begin_ns);
    thread.end(event.ns, &sums_);
  }
}

void Usage::Impl::complete(const RoleEvent& event) {
  const std::optional<Duration> said = duration_of(*event.event, event.recorded_ns);
  if (!said || said->is_negative) {
    ++doubts_.not_timed;
    return;
  }
  ThreadUsage& thread = meet(event);
  const std::int64_t begin_ns = begin_of(said->ns, event.ns);
  if (begin_ns < counted_from_) ++doubts_.begun_before;
  if (thread.use() == Use::kAbsent) thread.become(Use::kCpu, begin_ns);
  ThreadUsage::Call call = call_of(event);
  call.begin_ns = begin_ns;
  expect(&call, event.ns);
  if (cost_) call.tracing_ns = cost_->own_ns(event, begin_ns);
  thread.complete(call, event.ns, &sums_);
}

// Of its part of a merged session: others are other processes.
void Usage::Impl::stop(const RoleEvent& event) {
  const std::optional<Duration> said = duration_of(*event.event, event.recorded_ns);
  if (!said || said->is_negative) {
    ++doubts_.not_timed;
    return;
  }
  const std::int64_t from_ns = begin_of(said->ns, event.ns);
  const std::uint32_t part = actors_->part_of(*event.stream);
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i != Actor::kOthers && actors_->threads()[i].part == part) threads_[i].stop(from_ns, event.ns, &sums_);
  }
}

void Usage::Impl::lose(const RoleEvent& event) {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    ThreadUsage& thread = threads_[i];
    if (thread.use() == Use::kAbsent || &actors_->session().streams[streams_[i]] != event.stream) continue;
    doubts_.uncertain_ns += event.ns > event.previous_ns ? length(event.previous_ns, event.ns) : 0;
    doubts_.lost_in += thread.open().size();
  }
}

void Usage::Impl::restart(std::int64_t ns) {
  counted_from_ = ns;
  doubts_ = Doubts();
  sums_.assign(sums_.size(), CallSum());
  of_folded_ = ThreadUsage::Times();
  for (ThreadUsage& thread : threads_) {
    thread.restart(ns);
    doubts_.begun_before += thread.open().size();
    for (const ThreadUsage::Call& call : thread.open()) sums_[call.sum].calls += 1;
  }
  objects_.restart();
  occupancy_.forget_doubts();
}

}  // namespace evt
