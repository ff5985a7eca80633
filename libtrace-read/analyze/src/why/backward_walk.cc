#include "backward_walk.h"

#include <algorithm>

namespace evt {

BackwardWalk::BackwardWalk(WaitLog& log)
    : log_(&log), changes_(&log.changes()), threads_(log.threads()), cpus_(log.cpus()) {}

void BackwardWalk::walk(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Why::Take& take,
                        Why::Moment end) {
  take_ = &take;
  ++walks_;
  if (thread >= threads_.size()) return give({.kind = WhyKind::kAbsent, .thread = thread}, from_ns, to_ns);
  place_of(thread).is_on_path = true;
  divide(thread, end == Why::kEnd ? log_->latest(thread) : end, from_ns, to_ns);
  place_of(thread).is_on_path = false;
}

void BackwardWalk::give(const WhyStep& step, std::int64_t from, std::int64_t to) {
  if (from >= to) return;
  path_.push_back(step);
  (*take_)(from, to, path_);
  path_.pop_back();
}

BackwardWalk::Place& BackwardWalk::place_of(std::uint32_t thread) {
  Place& place = threads_[thread];
  if (place.walk != walks_) place = {.walk = walks_};
  return place;
}

std::uint32_t BackwardWalk::shown(std::uint32_t thread, std::uint64_t at) const {
  return at < log_->first(thread) ? Actor::kOthers : thread;
}

WhyStep BackwardWalk::step_of(WhyKind kind, const Change& change) const {
  WhyStep step;
  step.kind = kind;
  step.thread = change.thread;
  const bool has_place =
      kind == WhyKind::kRan || kind == WhyKind::kOutside || kind == WhyKind::kWaited || kind == WhyKind::kUnknown;
  if (has_place) step.place = change.place;
  return step;
}

// From the change with this index, or an earlier one.
void BackwardWalk::divide(std::uint32_t thread, std::uint64_t at, std::int64_t from, std::int64_t to) {
  Place& place = place_of(thread);
  place.at = std::min(place.at, at);
  while (to > from) {
    if (place.uncertain_since < to) {
      const std::int64_t since = std::max(from, place.uncertain_since);
      give({.kind = WhyKind::kUncertain, .thread = thread}, since, to);
      to = since;
      continue;
    }
    if (place.at == Change::kNone) return give({.kind = WhyKind::kAbsent, .thread = thread}, from, to);
    Change change = changes_->get(place.at);
    change.thread = shown(thread, place.at);
    if (change.ns < to) {
      const std::int64_t since = std::max(change.ns, from);
      give_with_stops(thread, change, since, to);
      to = since;
      continue;
    }
    if (change.kind == Change::Kind::kBegins) return divide_before(change, from, to);
    if (change.kind == Change::Kind::kUncertain)
      place.uncertain_since = std::min(place.uncertain_since, change.cause_ns);
    place.at = change.previous;
  }
}

// Time before a thread existed is that of the thread that created it.
void BackwardWalk::divide_before(const Change& begins, std::int64_t from, std::int64_t to) {
  if (begins.cause_thread == kNone) return give(step_of(WhyKind::kAbsent, begins), from, to);
  path_.push_back(step_of(WhyKind::kAbsent, begins));
  follow(WhyCause::kCreated, begins.cause_thread, begins.cause_at, from, to);
  path_.pop_back();
}

void BackwardWalk::give_with_stops(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to) {
  const WaitLog::Stops& stops = log_->stops(change.part);
  auto stop = std::ranges::partition_point(stops, [&](const WaitLog::Stop& each) { return each.from_ns < to; });
  while (stop != stops.begin() && (--stop)->to_ns > from) {
    const std::int64_t ended = std::min(stop->to_ns, to);
    const std::int64_t began = std::max(stop->from_ns, from);
    if (ended < to) give_state(thread, change, ended, to);
    give(step_of(WhyKind::kStopped, change), began, ended);
    to = began;
  }
  if (from < to) give_state(thread, change, from, to);
}

void BackwardWalk::give_state(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to) {
  const auto give_as = [&](WhyKind kind) { give(step_of(kind, change), from, to); };
  if (change.is_uncertain) return give_as(WhyKind::kUncertain);
  if (change.is_collecting) return give_collections(change.collector, step_of(WhyKind::kCollected, change), from, to);
  switch (change.state) {
    case ThreadState::kRunning:
      return give_as(WhyKind::kRan);
    case ThreadState::kOutside:
      return give_as(WhyKind::kOutside);
    case ThreadState::kRunnable:
      return give_runnable(change, from, to);
    case ThreadState::kWaiting:
      return give_wait(thread, change, from, to);
    case ThreadState::kEnded:
      return give_as(WhyKind::kAbsent);
    case ThreadState::kUnknown:
      return give_as(WhyKind::kUnknown);
  }
}

// Who ran on the cpu on which it ran next.
void BackwardWalk::give_runnable(const Change& change, std::int64_t from, std::int64_t to) {
  const std::uint64_t next = changes_->get(change.state_at).link;
  WhyStep step = step_of(WhyKind::kRunnable, change);
  if (next == Change::kNone) return give(step, from, to);
  const Change runs = changes_->get(next);
  step.cpu = runs.cpu;
  const std::uint32_t stream = log_->collections().stream_of_cpu(runs.cpu);
  if (runs.cpu >= cpus_.size()) return give(step, from, to);
  Place& place = cpus_[runs.cpu];
  if (place.walk != walks_) place = {.walk = walks_};
  std::uint64_t& at = place.at;
  at = std::min(at, runs.link);
  while (to > from && at != Change::kNone) {
    const Change before = changes_->get(at);
    if (before.ns < to) {
      const std::int64_t ended = std::clamp(before.cause_ns, from, to);
      step.other = kNone;
      give_collections(stream, step, ended, to);
      const std::int64_t began = std::min(std::max(before.ns, from), ended);
      step.other = shown(before.thread, at);
      give(step, began, ended);
      to = began;
    }
    if (to > from) at = before.link;
  }
  step.other = kNone;
  give_collections(stream, step, from, to);
}

// Who led the stream's collections, and asked for them. `step`: for the time between them.
void BackwardWalk::give_collections(std::uint32_t stream, const WhyStep& step, std::int64_t from, std::int64_t to) {
  if (stream == kNone) return give(step, from, to);
  const CollectionLog::Entries& all = log_->collections().of(stream);
  auto entry = std::ranges::partition_point(all, [&](const auto& each) { return each.from_ns < to; });
  while (entry != all.begin() && (--entry)->to_ns > from) {
    const std::int64_t ended = std::min(entry->to_ns, to);
    const std::int64_t began = std::max(entry->from_ns, from);
    if (ended < to) give(step, ended, to);
    WhyStep collected = {.kind = WhyKind::kCollected, .thread = step.thread, .other = entry->asker};
    collected.leader = log_->collections().leader_of(stream, *entry);
    give(collected, began, ended);
    to = began;
  }
  give(step, from, to);
}

void BackwardWalk::give_wait(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to) {
  Change wait = changes_->get(change.state_at);
  wait.thread = change.thread;
  path_.push_back(step_of(WhyKind::kWaited, change));
  // The lock was held by those that released it, each since the release before.
  if (wait.link == Change::kNone) {
    give_end_of_wait(wait, from, to);
    to = from;
  }
  Place& place = place_of(thread);
  std::uint64_t at = place.wait == change.state_at ? place.release : wait.link;
  while (to > from && at != Change::kNone) {
    const Change release = changes_->get(at);
    if (at == wait.link && release.ns < to) {
      const std::int64_t since = std::max(release.ns, from);
      give_end_of_wait(wait, since, to);
      to = since;
    }
    const std::int64_t before = release.link != Change::kNone ? changes_->get(release.link).ns : INT64_MIN;
    const std::int64_t since = std::max(before, from);
    if (since < to) follow(WhyCause::kHeld, release.thread, at, since, to);
    to = std::min(to, since);
    if (before > from) at = release.link;
  }
  place.wait = change.state_at;
  place.release = at;
  path_.pop_back();
}

// For a lock: since it was released.
void BackwardWalk::give_end_of_wait(const Change& wait, std::int64_t from, std::int64_t to) {
  const WhyStep over = {.kind = WhyKind::kOver, .thread = wait.thread};
  if (wait.cause == Change::Cause::kNone) {
    if (wait.is_released) return give(over, from, to);
    return (*take_)(from, to, path_);
  }
  const std::int64_t until = std::clamp(wait.cause_ns, from, to);
  // Who had a lock when it ended has given it to another, which is not known.
  const bool is_known = wait.cause != Change::Cause::kHeld;
  if (is_known) give(over, until, to);
  if (!is_known && until < to) (*take_)(until, to, path_);
  constexpr WhyCause kCauses[] = {WhyCause::kWoke, WhyCause::kWoke, WhyCause::kHeld, WhyCause::kSent, WhyCause::kEnded};
  follow(kCauses[static_cast<std::size_t>(wait.cause)], wait.cause_thread, wait.cause_at, from, until);
}

void BackwardWalk::follow(WhyCause cause, std::uint32_t thread, std::uint64_t at, std::int64_t from, std::int64_t to) {
  if (from >= to) return;
  path_.push_back({.kind = WhyKind::kCaused, .cause = cause, .thread = shown(thread, at)});
  Place& place = place_of(thread);
  if (place.is_on_path || causes_ == Why::kMostCauses) {
    give({.kind = WhyKind::kAndSoOn, .thread = thread}, from, to);
  } else {
    place.is_on_path = true;
    ++causes_;
    divide(thread, at, from, to);
    --causes_;
    place.is_on_path = false;
  }
  path_.pop_back();
}

}  // namespace evt
