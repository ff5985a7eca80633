#include <algorithm>

#include "cpu_time_impl.h"
#include "parts.h"

namespace evt {

void CpuTime::Impl::take(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kState:
      if (item.is_open) break;
      if (runs(item.thread)) end(item.thread, item.ns);
      // Nothing is counted for a cpu that is not followed.
      if (item.state == ThreadState::kRunning && item.cpu < Actor::kOthers && item.is_wanted) begin(item);
      break;
    case ItemKind::kUncertain:
      return doubt(item.thread, item.began_ns);
    case ItemKind::kIdleThread:
      if (runs(item.thread)) end(item.thread, item.ns);
      break;
    case ItemKind::kIdleBegan:
      return begin_idle(item);
    case ItemKind::kIdleEnded:
      return end_idle(item.cpu, item.ns);
    case ItemKind::kFold:
      return fold(*item.event->fold, item.ns);
    default:
      break;
  }
}

void CpuTime::Impl::begin(const TimelineItem& item) {
  const std::uint32_t cell = cell_of(item.thread, item.cpu);
  const bool goes_on = item.resumes && threads_[item.thread].cell == cell;
  // A slice that continues does not include the time in between.
  const std::int64_t before = goes_on ? static_cast<std::int64_t>(threads_[item.thread].last_slice) : 0;
  threads_[item.thread] = {cell, item.ns - before, item.ns, 0, true, kCertain};
  cells_[cell].slices += goes_on ? 0 : 1;
}

// If it was taken for a thread until now, its slice continues.
void CpuTime::Impl::begin_idle(const TimelineItem& item) {
  if (item.cpu >= Actor::kOthers || !item.is_wanted) return;
  end_idle(item.cpu, item.ns);
  const bool goes_on = item.thread < threads_.size() && threads_[item.thread].cell != kNone &&
                       cells_[threads_[item.thread].cell].cpu == item.cpu && item.event->cpu != item.cpu;
  const std::uint32_t cell = cell_of(item.thread, item.cpu);
  grown(&idle_, item.cpu) = {cell, item.ns};
  cells_[cell].slices += goes_on ? 0 : 1;
}

void CpuTime::Impl::end_idle(std::uint32_t cpu, std::int64_t ns) {
  if (cpu >= idle_.size() || idle_[cpu].cell == kNone) return;
  cells_[idle_[cpu].cell].ns += length(idle_[cpu].since, ns);
  idle_[cpu] = Idle();
}

std::uint32_t CpuTime::Impl::cell_of(std::uint32_t thread, std::uint32_t cpu) {
  const Thread& t = grown(&threads_, thread);
  if (t.cell != kNone && cells_[t.cell].cpu == cpu) return t.cell;
  const auto next = static_cast<std::uint32_t>(cells_.size());
  const std::uint32_t cell = cell_of_pair_.index(thread, cpu, next);
  if (cell == next) cells_.push_back({.thread = thread, .cpu = cpu});
  return cell;
}

void CpuTime::Impl::fold(const FoldedActors& gone, std::int64_t ns) {
  for (const std::uint32_t thread : gone.all()) {
    if (thread < threads_.size() && runs(thread)) end(thread, ns);
  }
  folded_to_.clear();
  cell_of_pair_ = IndexTable();
  std::uint32_t count = 0;
  for (const Cell& cell : cells_) {
    folded_to_.push_back(cell_of_pair_.index(gone(cell.thread), cell.cpu, count));
    count += folded_to_.back() == count ? 1 : 0;
  }
  const std::vector<Cell> before = std::move(cells_);
  cells_.resize(count);
  for (std::size_t i = 0; i < before.size(); ++i) {
    cells_[folded_to_[i]].thread = gone(before[i].thread);
    cells_[folded_to_[i]].cpu = before[i].cpu;
  }
  cells_ = folded(before);
  for (Thread& thread : threads_) {
    if (thread.cell != kNone) thread.cell = folded_to_[thread.cell];
  }
  for (Idle& idle : idle_) {
    if (idle.cell != kNone) idle.cell = folded_to_[idle.cell];
  }
  for (const std::uint32_t thread : gone.all()) {
    if (thread < threads_.size()) threads_[thread] = Thread();
  }
}

std::vector<CpuTime::Cell> CpuTime::Impl::folded(const std::vector<Cell>& before) const {
  std::vector<Cell> all;
  for (const Cell& cell : cells_) all.push_back({cell.thread, cell.cpu, 0, 0, 0});
  for (std::size_t i = 0; i < before.size(); ++i) {
    Cell& to = all[folded_to_[i]];
    to.ns += before[i].ns;
    to.slices += before[i].slices;
    to.uncertain_ns += before[i].uncertain_ns;
  }
  return all;
}

void CpuTime::Impl::doubt(std::uint32_t thread, std::int64_t since) {
  if (!runs(thread)) return;
  threads_[thread].uncertain_since = std::min(threads_[thread].uncertain_since, since);
}

// The part of its slice that the cell does not include yet.
void CpuTime::Impl::count(std::uint32_t thread, std::int64_t ns, Cell* cell) const {
  const std::int64_t counted = threads_[thread].counted;
  const std::int64_t uncertain = std::max(threads_[thread].uncertain_since, counted);
  cell->ns += length(counted, ns);
  if (uncertain < ns) cell->uncertain_ns += length(uncertain, ns);
}

void CpuTime::Impl::end(std::uint32_t thread, std::int64_t ns) {
  Thread& t = threads_[thread];
  count(thread, ns, &cells_[t.cell]);
  t.last_slice = length(t.since, ns);
  t.runs = false;
}

void CpuTime::Impl::settle(std::int64_t ns) {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (!runs(i)) continue;
    count(i, ns, &cells_[threads_[i].cell]);
    threads_[i].counted = ns;
  }
}

std::vector<CpuTime::Cell> CpuTime::Impl::cells(std::int64_t ns) const {
  std::vector<Cell> all = cells_;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (runs(i)) count(i, ns, &all[threads_[i].cell]);
  }
  for (const Idle& idle : idle_) {
    if (idle.cell != kNone) all[idle.cell].ns += length(idle.since, ns);
  }
  return all;
}

std::uint64_t CpuTime::Impl::current(std::uint32_t thread, std::int64_t ns) const {
  if (thread >= threads_.size()) return 0;
  return runs(thread) ? length(threads_[thread].since, ns) : threads_[thread].last_slice;
}

void CpuTime::Impl::archive(Archive& archive, const Actors& actors) {
  const std::size_t threads = actors.threads().size();
  const std::size_t cpus = actors.cpus().size();
  archive.list(cells_, Archive::kMost, [&](Cell& c) {
    archive.index(c.thread, threads);
    archive.index(c.cpu, cpus);
    archive.numbers(c.ns, c.slices, c.uncertain_ns);
    archive.require(c.thread != kNone && c.cpu != kNone);
  });
  archive.list(threads_, threads, [&](Thread& t) {
    archive.index(t.cell, cells_.size());
    archive.numbers(t.since, t.counted, t.last_slice, t.runs, t.uncertain_since);
    archive.require(!t.runs || t.cell != kNone);
  });
  archive.list(idle_, cpus, [&](Idle& i) {
    archive.index(i.cell, cells_.size());
    archive.numbers(i.since);
  });
  for (std::uint32_t i = 0; archive.is_reading() && archive.is_ok() && i < cells_.size(); ++i) {
    archive.require(cell_of_pair_.index(cells_[i].thread, cells_[i].cpu, i) == i);
  }
}

CpuTime::CpuTime() : impl_(std::make_unique<Impl>()) {}

ItemKinds CpuTime::items() {
  return {ItemKind::kState,     ItemKind::kUncertain, ItemKind::kIdleThread,
          ItemKind::kIdleBegan, ItemKind::kIdleEnded, ItemKind::kFold};
}
void CpuTime::take(const TimelineItem& item) { impl_->take(item); }
void CpuTime::settle(std::int64_t ns) { impl_->settle(ns); }
std::vector<CpuTime::Cell> CpuTime::folded(const std::vector<Cell>& before) const { return impl_->folded(before); }
std::vector<CpuTime::Cell> CpuTime::cells(std::int64_t ns) const { return impl_->cells(ns); }
std::uint64_t CpuTime::current(std::uint32_t thread, std::int64_t ns) const { return impl_->current(thread, ns); }
bool CpuTime::runs(std::uint32_t thread) const { return impl_->runs(thread); }
std::uint32_t CpuTime::latest_cpu(std::uint32_t thread) const { return impl_->latest_cpu(thread); }

}  // namespace evt
