#include "span_shares.h"

#include <algorithm>

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

SpanShares::Thread& SpanShares::threads_of(std::uint32_t thread) {
  Thread& t = grown(&threads_, thread);
  if (t.row == kNone) t.row = row_of(thread, kNone, false);
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
  if (!thread->open.empty()) {
    thread->open.back().time += piece;
  } else if (thread->is_wanted) {
    rows_[thread->row].time += piece;
  }
}

void SpanShares::set_wanted(std::uint32_t thread, bool is_wanted) {
  Thread& t = threads_of(thread);
  if (t.is_wanted == is_wanted) return;
  settle(&t);
  t.is_wanted = is_wanted;
}

void SpanShares::activate(std::uint32_t thread) {
  Thread& t = threads_of(thread);
  if (t.member.active) return;
  t.was_active = true;
  clock_.begin(&t.member);
}

void SpanShares::deactivate(std::uint32_t thread) {
  Thread& t = threads_of(thread);
  if (!t.member.active) return;
  settle(&t);
  clock_.end(&t.member);
}

void SpanShares::open(const TimelineItem& item) {
  Thread& t = threads_of(item.thread);
  settle(&t);
  t.has_spans = true;
  t.open.push_back({row_of(item.thread, item.name, item.is_call), item.is_wanted, {}});
}

void SpanShares::close(const TimelineItem& item) {
  Thread& t = threads_of(item.thread);
  settle(&t);
  const auto place = t.open.begin() + static_cast<std::ptrdiff_t>(item.depth);
  if (place->is_wanted || item.is_wanted) {
    rows_[place->row].time += place->time;
    rows_[place->row].times += 1;
  }
  t.open.erase(place);
}

void SpanShares::fold(const FoldedActors& gone) {
  bool was_active = false;
  for (const std::uint32_t thread : gone.all()) {
    if (thread >= threads_.size()) continue;
    if (is_active(thread)) deactivate(thread);
    was_active |= threads_[thread].was_active;
    threads_[thread] = Thread();
  }
  const std::vector<Row> before = std::move(rows_);
  rows_.clear();
  rows_before_ = 0;
  by_key_.clear();
  std::vector<std::uint32_t> to;
  for (const Row& row : before) {
    to.push_back(row_of(gone(row.thread), row.name, row.is_call));
    rows_[to.back()].times += row.times;
    rows_[to.back()].time += row.time;
  }
  for (Thread& thread : threads_) {
    if (thread.row != kNone) thread.row = to[thread.row];
    for (Frame& frame : thread.open) frame.row = to[frame.row];
  }
  threads_of(Actor::kOthers).was_active |= was_active;
}

void SpanShares::restart(std::int64_t ns) {
  clock_.restart(ns);
  rows_before_ = rows_.size();
  for (Row& row : rows_) {
    row.time = SharedTime();
    row.times = 0;
  }
  for (Thread& thread : threads_) {
    thread.member.since = clock_.now();
    thread.has_spans = !thread.open.empty();
    for (Frame& frame : thread.open) frame.time = SharedTime();
  }
}

std::vector<SpanShares::Row> SpanShares::rows(std::int64_t ns) const {
  std::vector<Row> rows = rows_;
  const SharedTime now = clock_.at(ns);
  for (const Thread& thread : threads_) {
    for (const Frame& frame : thread.open) {
      if (!frame.is_wanted) continue;
      rows[frame.row].time += frame.time;
      rows[frame.row].times += 1;
    }
    if (!thread.member.active) continue;
    const bool is_wanted = thread.open.empty() ? thread.is_wanted : thread.open.back().is_wanted;
    const std::uint32_t row = thread.open.empty() ? thread.row : thread.open.back().row;
    if (is_wanted) rows[row].time += since(thread, now);
  }
  // Of what was before, that of which there is nothing since.
  std::size_t place = 0;
  std::erase_if(rows, [&](const Row& row) { return place++ < rows_before_ && row.times == 0 && row.time.ns == 0; });
  return rows;
}

std::uint64_t SpanShares::never_active() const {
  return static_cast<std::uint64_t>(std::count_if(
      threads_.begin(), threads_.end(), [](const Thread& thread) { return thread.has_spans && !thread.was_active; }));
}

}  // namespace evt
