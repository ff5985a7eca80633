#include "span_shares.h"

#include <algorithm>

#include "parts.h"

namespace evt {

std::uint32_t SpanShares::row_of(std::uint32_t thread, std::uint32_t name, bool is_call) {
  const std::uint32_t kind = (name + 1) << 1 | std::uint32_t{is_call};  // 0: of the thread itself
  const auto next = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = by_kind_.index(thread, kind, next);
  if (row == next) rows_.push_back({thread, name, is_call, 0, {}});
  return row;
}

SpanShares::Thread& SpanShares::threads_of(std::uint32_t thread) {
  Thread& t = grown(&threads_, thread);
  if (t.row == kNone) t.row = row_of(thread, kNone, false);
  return t;
}

// What an active one had since it was settled last.
SharedTime SpanShares::since(const ActiveTime::Member& member, const SharedTime& now) const {
  SharedTime piece = now - member.since;
  if (by_most_) piece.share = ActiveTime::divided(piece.ns, clock_.most());
  return piece;
}

void SpanShares::settle(Thread* thread) {
  if (!thread->member.active) return;
  const SharedTime piece = since(thread->member, clock_.now());
  thread->member.since = clock_.now();
  if (!thread->open.empty()) {
    thread->open.back().time += piece;
  } else if (thread->is_wanted) {
    rows_[thread->row].time += piece;
  }
}

void SpanShares::settle(Collector* collector) {
  if (!collector->member.active) return;
  collector->time.time += since(collector->member, clock_.now());
  collector->member.since = clock_.now();
}

template <typename T>
void SpanShares::set_member(T* whose, bool has_time) {
  if (whose->member.active == has_time) return;
  settle(whose);
  has_time ? clock_.begin(&whose->member) : clock_.end(&whose->member);
}

void SpanShares::begin_collector(std::uint32_t place, bool is_wanted) {
  Collector& collector = grown(&collectors_, place);
  collector.collects = true;
  collector.time = {row_of(kNone, place, false), is_wanted, {}};
}

void SpanShares::set_collector(std::uint32_t place, bool works) {
  Collector& collector = grown(&collectors_, place);
  collector.works = works;
  set_member(&collector, works && !collector.is_stopped);
}

void SpanShares::set_collector_stopped(std::uint32_t place, bool is_stopped) {
  Collector& collector = grown(&collectors_, place);
  collector.is_stopped = is_stopped;
  set_member(&collector, collector.works && !is_stopped);
}

void SpanShares::end_collector(std::uint32_t place, bool is_wanted) {
  set_collector(place, false);
  Collector& collector = collectors_[place];
  if (collector.time.is_wanted || is_wanted) {
    rows_[collector.time.row].time += collector.time.time;
    rows_[collector.time.row].times += 1;
  }
  collector = Collector();
}

void SpanShares::meet(std::uint32_t thread, bool is_wanted) {
  Thread& t = threads_of(thread);
  t.is_wanted = is_wanted;
  t.was_wanted |= is_wanted;
}

void SpanShares::set_wanted(std::uint32_t thread, bool is_wanted) {
  Thread& t = threads_of(thread);
  if (t.is_wanted == is_wanted) return;
  settle(&t);
  t.is_wanted = is_wanted;
  t.was_wanted |= is_wanted;
}

void SpanShares::activate(std::uint32_t thread) {
  Thread& t = threads_of(thread);
  if (t.is_active) return;
  t.is_active = true;
  t.was_active = true;
  if (!t.is_stopped) clock_.begin(&t.member);
}

void SpanShares::deactivate(std::uint32_t thread) {
  Thread& t = threads_of(thread);
  t.is_active = false;
  if (!t.member.active) return;
  settle(&t);
  clock_.end(&t.member);
}

void SpanShares::set_stopped(std::uint32_t thread, bool is_stopped) {
  Thread& t = grown(&threads_, thread);  // one that is not there has no row
  t.is_stopped = is_stopped;
  set_member(&t, t.is_active && !is_stopped);
}

void SpanShares::open(const TimelineItem& item) {
  Thread& t = threads_of(item.thread);
  settle(&t);
  t.has_spans = true;
  t.open.push_back({row_of(item.thread, item.name, item.is_call), item.is_wanted, {}});
  __builtin_prefetch(&rows_[t.open.back().row].time, 1);  // it gets its time when this ends, often soon
}

void SpanShares::close(const TimelineItem& item) {
  Thread& t = threads_of(item.thread);
  settle(&t);
  const auto place = t.open.begin() + static_cast<std::ptrdiff_t>(item.depth);
  if (place->is_wanted || item.is_wanted) {
    rows_[place->row].time += place->time;
    rows_[place->row].times += 1;
    add_length(item, place->time);
  }
  t.open.erase(place);
}

void SpanShares::add_length(const TimelineItem& item, const SharedTime& time) {
  const auto [index, is_new] = lengths_by_name_.add(std::uint64_t{item.name} << 1 | (item.is_call ? 1 : 0));
  if (is_new) {
    *index = static_cast<std::uint32_t>(lengths_.size());
    lengths_.push_back({item.name, item.is_call, {}});
  }
  lengths_[*index].shares.add(time.share.high);
}

void SpanShares::fold(const FoldedActors& gone) {
  bool was_active = false;
  bool was_wanted = false;
  for (const std::uint32_t thread : gone.all()) {
    if (thread >= threads_.size()) continue;
    if (is_active(thread)) deactivate(thread);
    was_active |= threads_[thread].was_active;
    was_wanted |= threads_[thread].was_wanted;
    threads_[thread] = Thread();
  }
  const std::vector<Row> before = std::move(rows_);
  rows_.clear();
  rows_before_ = 0;
  by_kind_ = PairTable();
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
  for (Collector& collector : collectors_) {
    if (collector.collects) collector.time.row = to[collector.time.row];
  }
  Thread& others = threads_of(Actor::kOthers);
  others.was_active |= was_active;
  others.was_wanted |= was_wanted;
}

void SpanShares::restart(std::int64_t ns) {
  clock_.restart(ns);
  lengths_.clear();
  lengths_by_name_.clear();
  rows_before_ = rows_.size();
  for (Row& row : rows_) {
    row.time = SharedTime();
    row.times = 0;
  }
  for (Thread& thread : threads_) {
    thread.member.since = clock_.now();
    thread.was_wanted = thread.is_wanted;
    thread.has_spans = !thread.open.empty();
    for (Frame& frame : thread.open) frame.time = SharedTime();
  }
  for (Collector& collector : collectors_) {
    collector.member.since = clock_.now();
    collector.time.time = SharedTime();
  }
}

// Of spans, calls and collections those that are wanted are counted; a thread may have had no time.
bool SpanShares::was_wanted(const Row& row) const {
  return row.thread != kNone && row.name == kNone && threads_[row.thread].was_wanted;
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
    if (is_wanted) rows[row].time += since(thread.member, now);
  }
  for (const Collector& collector : collectors_) {
    if (!collector.collects || !collector.time.is_wanted) continue;
    Row& row = rows[collector.time.row];
    row.time += collector.time.time;
    row.times += 1;
    if (collector.member.active) row.time += since(collector.member, now);
  }
  // What was before, and of which there is nothing since; and what is not wanted.
  std::size_t place = 0;
  std::erase_if(rows, [&](const Row& row) {
    const bool is_before = place++ < rows_before_;
    return row.times == 0 && row.time.ns == 0 && (is_before || !was_wanted(row));
  });
  return rows;
}

std::uint64_t SpanShares::never_active() const {
  return static_cast<std::uint64_t>(std::count_if(
      threads_.begin(), threads_.end(), [](const Thread& thread) { return thread.has_spans && !thread.was_active; }));
}

}  // namespace evt
