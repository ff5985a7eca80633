#include "span_shares.h"

#include <algorithm>

#include "duration.h"
#include "parts.h"

namespace evt {

std::uint32_t SpanShares::row_of(std::uint32_t thread, std::uint32_t name, bool is_call) {
  const std::uint64_t key = std::uint64_t{thread} << 32 | (name << 1 & UINT32_MAX) | (is_call ? 1 : 0);
  const auto [row, is_new] = by_key_.add(key);
  if (is_new) {
    *row = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({thread, name, is_call, 0, {}});
  }
  return *row;
}

SpanShares::Thread& SpanShares::meet(std::uint32_t thread) {
  Thread& t = grown(&threads_, thread);
  if (t.row == kNone) {
    t.row = row_of(thread, kNone, false);
    if (with_complete_) t.levels.resize(1);
  }
  return t;
}

// What an active thread had since it was settled last.
SharedTime SpanShares::since(const Thread& thread, const SharedTime& now) const {
  SharedTime piece = now - thread.member.since;
  if (by_most_) piece.share = ActiveTime::divided(piece.ns, clock_.most());
  return piece;
}

void SpanShares::settle(Thread* thread) {
  if (!thread->member.active) return;
  const SharedTime piece = since(*thread, clock_.now());
  thread->member.since = clock_.now();
  rows_[top(*thread)].time += piece;
  if (!with_complete_) return;
  thread->all += piece;
  thread->levels.back().own += piece;
}

void SpanShares::activate(std::uint32_t thread) {
  Thread& t = meet(thread);
  if (t.member.active) return;
  t.was_active = true;
  clock_.begin(&t.member);
}

void SpanShares::deactivate(std::uint32_t thread) {
  Thread& t = meet(thread);
  if (!t.member.active) return;
  settle(&t);
  clock_.end(&t.member);
}

void SpanShares::open(std::uint32_t thread, std::uint32_t name, bool is_call) {
  Thread& t = meet(thread);
  settle(&t);
  const std::uint32_t row = row_of(thread, name, is_call);
  rows_[row].times += 1;
  t.open.push_back({row, name, is_call});
  if (!with_complete_) return;
  t.levels.push_back({clock_.now_ns(), {}, {clock_.now_ns(), {}, t.all}, t.done.size()});
}

void SpanShares::pop(Thread* thread) {
  thread->open.pop_back();
  if (!with_complete_) return;
  const Level& level = thread->levels.back();
  const std::int64_t from = std::max(level.from, counted_from_);
  thread->done.resize(level.first_done);
  thread->levels.pop_back();
  add_done(thread, from);
}

void SpanShares::close(std::uint32_t thread, std::uint32_t name, bool is_call) {
  Thread& t = meet(thread);
  std::size_t depth = t.open.size();
  for (; depth > 0; --depth) {
    const Open& open = t.open[depth - 1];
    if (open.is_call == is_call && (name == kNone || open.name == name)) break;
  }
  if (depth == 0) {
    ++doubts_.unmatched_ends;
    return;
  }
  settle(&t);
  doubts_.unended += t.open.size() - depth;
  while (t.open.size() >= depth) pop(&t);
}

void SpanShares::close_all(std::uint32_t thread) {
  if (!has_open(thread)) return;
  Thread& t = threads_[thread];
  settle(&t);
  doubts_.unended += t.open.size();
  while (!t.open.empty()) pop(&t);
}

// Something has just ended in the innermost span. A span may have any number of those in it, so old ones are forgotten:
// what is recorded later, and began before they ended, is counted from there on.
void SpanShares::add_done(Thread* thread, std::int64_t from) {
  Level& level = thread->levels.back();
  thread->done.push_back({from, {clock_.now_ns(), level.own, thread->all}});
  if (thread->done.size() - level.first_done <= kDone) return;
  const auto first = thread->done.begin() + static_cast<std::ptrdiff_t>(level.first_done);
  level.floor = first[kDone / 2 - 1].end;
  level.is_forgetful = true;
  thread->done.erase(first, first + kDone / 2);
}

// Until now its time was counted for what it was in. That had as its own what it had when the one before ended, and
// what the thread had from then until this began; all since is moved.
void SpanShares::complete(std::uint32_t thread, std::uint32_t name, bool is_call, std::int64_t ns) {
  Thread& t = meet(thread);
  settle(&t);
  const std::uint32_t row = row_of(thread, name, is_call);
  Level& level = t.levels.back();
  std::int64_t from = std::max(begin_of(static_cast<std::uint64_t>(ns), clock_.now_ns()), counted_from_);
  bool is_forgotten = from < clock_.oldest();
  from = std::max(from, clock_.oldest());
  while (t.done.size() > level.first_done && t.done.back().from >= from) t.done.pop_back();
  const bool has_before = t.done.size() > level.first_done;
  const Point& before = has_before ? t.done.back().end : level.floor;
  if (from < before.ns) {
    is_forgotten |= !has_before && level.is_forgetful;
    // A clock's ticks may be rounded either way.
    if (!is_forgotten && before.ns - from > 1) ++doubts_.crossing;
    from = before.ns;
  }
  if (is_forgotten) ++doubts_.forgotten;

  const ActiveTime::Past past = clock_.past(t.member, from);
  SharedTime kept = t.all - past.since - before.all;
  if (by_most_) kept.share = ActiveTime::divided(kept.ns, past.most);
  const SharedTime own = before.own + kept;
  SharedTime moved = level.own - own;
  rows_[top(t)].time -= moved;
  if (by_most_) moved.share = ActiveTime::divided(moved.ns, clock_.most());
  rows_[row].time += moved;
  rows_[row].times += 1;
  level.own = own;
  add_done(&t, from);
}

void SpanShares::fold(const FoldedActors& gone) {
  bool was_active = false;
  for (const std::uint32_t thread : gone.all()) {
    if (thread >= threads_.size()) continue;
    close_all(thread);
    if (is_active(thread)) deactivate(thread);
    was_active |= threads_[thread].was_active;
    threads_[thread] = Thread();
  }
  const std::vector<Row> before = std::move(rows_);
  rows_.clear();
  by_key_.clear();
  std::vector<std::uint32_t> to;
  for (const Row& row : before) {
    to.push_back(row_of(gone(row.thread), row.name, row.is_call));
    rows_[to.back()].times += row.times;
    rows_[to.back()].time += row.time;
  }
  for (Thread& thread : threads_) {
    if (thread.row != kNone) thread.row = to[thread.row];
    for (Open& open : thread.open) open.row = to[open.row];
  }
  meet(Actor::kOthers).was_active |= was_active;
}

void SpanShares::zero() {
  counted_from_ = clock_.now_ns();
  for (Row& row : rows_) row.time = SharedTime();
  for (Thread& thread : threads_) {
    thread.member.since = clock_.now();
    thread.all = SharedTime();
    thread.done.clear();
    for (Level& level : thread.levels) level = {level.from, {}, {clock_.now_ns(), {}, {}}, 0};
  }
}

void SpanShares::restart(std::int64_t ns) {
  clock_.restart(ns);
  zero();
  for (Row& row : rows_) row.times = 0;
  for (const Thread& thread : threads_) {
    for (const Open& open : thread.open) rows_[open.row].times += 1;
  }
  doubts_ = Doubts();
}

void SpanShares::forget_active() {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (!threads_[i].member.active) continue;
    deactivate(i);
    threads_[i].was_active = false;
  }
  clock_.forget_active();
  zero();
}

std::vector<SpanShares::Row> SpanShares::rows(std::int64_t ns) const {
  std::vector<Row> rows = rows_;
  const SharedTime now = clock_.at(ns);
  for (const Thread& thread : threads_) {
    if (thread.member.active) rows[top(thread)].time += since(thread, now);
  }
  return rows;
}

std::uint64_t SpanShares::open_now() const {
  std::uint64_t open = 0;
  for (const Thread& thread : threads_) open += thread.open.size();
  return open;
}

std::uint64_t SpanShares::never_active() const {
  std::uint64_t threads = 0;
  std::vector<bool> has_spans(threads_.size());
  for (const Row& row : rows_) {
    if (row.name != kNone && row.times > 0) has_spans[row.thread] = true;
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) threads += has_spans[i] && !threads_[i].was_active ? 1 : 0;
  return threads;
}

}  // namespace evt
