#include "sooner_end.h"

#include <algorithm>
#include <cmath>

namespace evt {

SoonerEnd::SoonerEnd(WaitLog& log, const Why::Shorter& shorter, std::int64_t from_ns)
    : log_(&log),
      shorter_(&shorter),
      from_(from_ns),
      saves_(shorter.most_ns ? 1 : 1 - shorter.factor),
      threads_(log.threads()),
      cpus_(log.cpus()) {}

std::int64_t SoonerEnd::sooner(std::uint32_t thread, std::int64_t to_ns) {
  if (thread >= threads_.size()) return 0;
  ChangeSpool& changes = log_->changes();
  for (std::uint64_t i = 0; i < changes.size(); ++i) {
    const Change change = changes.get(i);
    if (change.ns >= to_ns) break;
    take(i, change);
  }
  Change end = threads_[thread].last;
  end.kind = Change::Kind::kPlace;
  end.ns = to_ns;
  return threads_[thread].is_known ? gained_by(&threads_[thread], end, false) : 0;
}

void SoonerEnd::take(std::uint64_t index, const Change& next) {
  Thread& thread = threads_[next.thread];
  const bool begins = next.kind == Change::Kind::kBegins;
  const bool is_over = begins || !thread.is_known || next.state_at == index;
  std::int64_t gained = 0;
  if (begins) {
    gained = next.cause_thread == Actor::kNone ? most_by(next.ns) : gained_at(next.cause_at, next.ns);
  } else if (thread.is_known) {
    gained = gained_by(&thread, next, is_over);
  }
  if (is_over) {
    if (thread.cpu < cpus_.size()) cpus_[thread.cpu] = {next.ns, gained};
    thread.cpu = next.cpu;
    thread.state_ns = next.ns;
    thread.gained = gained;
    thread.saved = 0;
  }
  enter(&thread, next, gained);
  gained_.push_back(gained);
  most_ = std::max(most_, gained);
}

void SoonerEnd::enter(Thread* thread, const Change& change, std::int64_t gained) {
  if (!is_shorter(change)) {
    thread->shorter_since = INT64_MAX;
  } else if (thread->shorter_since == INT64_MAX) {
    // What the first change is within began before it.
    thread->shorter_since = thread->is_known ? change.ns : INT64_MIN;
  }
  thread->is_known = true;
  thread->last = change;
  note_progress(thread, gained);
}

void SoonerEnd::note_progress(Thread* thread, std::int64_t gained) {
  if (thread->in_progress) in_progress_.erase(in_progress_.find(*thread->in_progress));
  thread->in_progress.reset();
  if (thread->shorter_since == INT64_MAX) return;
  const double since = static_cast<double>(length(from_, thread->last.ns));
  thread->in_progress = static_cast<double>(gained) - saves_ * since;
  in_progress_.insert(*thread->in_progress);
}

// How much sooner the next change of the thread is. What is not known may come sooner by what any thread has gained.
std::int64_t SoonerEnd::gained_by(Thread* thread, const Change& next, bool is_over) {
  thread->saved += saved_until(*thread, next.ns);
  const std::int64_t own = thread->gained + thread->saved;
  const std::int64_t all = thread->gained + length(thread->state_ns, next.ns);
  const std::int64_t unknown = std::max(own, std::min(all, most_by(next.ns)));
  if (next.kind == Change::Kind::kUncertain) {
    thread->saved = unknown - thread->gained;
    return unknown;
  }
  if (is_its_own(thread->last)) return own;
  const std::optional<std::int64_t> cause = is_over ? gained_by_cause(*thread, next) : std::nullopt;
  return cause ? std::max(own, std::min(all, *cause)) : unknown;
}

// What ended the state of a thread, if that is known.
std::optional<std::int64_t> SoonerEnd::gained_by_cause(const Thread& thread, const Change& next) {
  if (thread.last.is_uncertain || thread.last.is_collecting) return {};
  if (thread.last.state == ThreadState::kRunnable) {
    const bool has_waited = next.cpu < cpus_.size() && cpus_[next.cpu].ns > thread.state_ns;
    return has_waited ? std::optional(cpus_[next.cpu].gained) : std::nullopt;
  }
  if (thread.last.state != ThreadState::kWaiting || thread.last.state_at == Change::kNone) return {};
  const Change wait = log_->changes().get(thread.last.state_at);
  if (wait.cause == Change::Cause::kHeld) return {};
  if (wait.cause != Change::Cause::kNone) return gained_at(wait.cause_at, std::min(wait.cause_ns, next.ns));
  if (!wait.is_released || wait.link >= gained_.size()) return {};
  return gained_[static_cast<std::size_t>(wait.link)];
}

// A thread whose latest change by then was this one.
std::int64_t SoonerEnd::gained_at(std::uint64_t change, std::int64_t ns) {
  if (change >= gained_.size()) return most_by(ns);
  const Change at = log_->changes().get(change);
  const std::int64_t since = length(at.ns, ns);
  const std::int64_t gained = gained_[static_cast<std::size_t>(change)];
  const std::int64_t own = gained + (is_shorter(at) ? saved_of(since) : 0);
  return is_its_own(at) ? own : std::max(own, std::min(gained + since, most_by(ns)));
}

std::int64_t SoonerEnd::saved_until(const Thread& thread, std::int64_t ns) const {
  if (thread.shorter_since == INT64_MAX) return 0;
  if (!shorter_->most_ns || thread.shorter_since == INT64_MIN) return saved_of(length(thread.last.ns, ns));
  const std::int64_t remains =
      std::min(*shorter_->most_ns, INT64_MAX - std::max<std::int64_t>(thread.shorter_since, 0));
  return length(std::max(thread.last.ns, thread.shorter_since + remains), ns);
}

// The most that any thread has gained.
std::int64_t SoonerEnd::most_by(std::int64_t ns) const {
  if (in_progress_.empty()) return most_;
  const double most = *in_progress_.rbegin() + saves_ * static_cast<double>(length(from_, ns));
  return std::max(most_, static_cast<std::int64_t>(std::ceil(most)));
}

std::int64_t SoonerEnd::saved_of(std::int64_t length) const {
  return static_cast<std::int64_t>(std::ceil(saves_ * static_cast<double>(length)));
}

// From the interval's begin on.
std::int64_t SoonerEnd::length(std::int64_t from_ns, std::int64_t to_ns) const {
  const std::int64_t from = std::max(from_ns, from_);
  return to_ns > from ? to_ns - from : 0;
}

bool SoonerEnd::is_shorter(const Change& change) const {
  if ((change.within >> shorter_->group & 1U) != 0) return true;
  const std::uint32_t target = log_->places()[change.place].target;
  return target < shorter_->targets.size() && shorter_->targets[target];
}

// How long it takes does not depend on other threads.
bool SoonerEnd::is_its_own(const Change& change) const {
  if (change.is_uncertain || change.is_collecting) return false;
  switch (change.state) {
    case ThreadState::kRunning:
    case ThreadState::kOutside:
    case ThreadState::kEnded:
      return true;
    case ThreadState::kWaiting:
      return log_->never_sent(log_->places()[change.place].target);
    default:
      return false;
  }
}

}  // namespace evt
