// What comes of usage, at a moment.
#include <evt/saturating_add.h>

#include <utility>

#include "usage_impl.h"

namespace evt {

void CallSum::add(const CallSum& other) {
  calls += other.calls;
  saturating_add(&amount, other.amount);
  ns += other.ns;
  stopped_ns += other.stopped_ns;
  assumed_ns += other.assumed_ns;
  subtracted_ns += other.subtracted_ns;
}

std::vector<Usage::Row> Usage::Impl::rows(std::int64_t ns) const {
  std::vector<CallSum> sums = sums_;
  for (const ThreadUsage& thread : threads_) thread.times(ns, &sums);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].calls > 0) rows.push_back({places_[i].thread, places_[i].function, places_[i].target, sums[i]});
  }
  return rows;
}

std::vector<Usage::ThreadRow> Usage::Impl::threads(std::int64_t ns) const {
  std::vector<CallSum> sums = sums_;
  std::vector<ThreadRow> rows;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    rows.push_back({i, threads_[i].times(ns, &sums)});
  }
  if (actors_->threads().folded() > 0) rows.push_back({Actor::kOthers, of_folded_});
  for (ThreadRow& row : rows) {
    if (has_runs_) continue;
    // Without recorded runs, a record that a thread could run has no meaning.
    ThreadUsage::Times& times = row.times;
    constexpr auto kRunnable = static_cast<std::size_t>(Use::kRunnable);
    times.ns[0] += std::exchange(times.ns[kRunnable], 0);
    times.moved[0] += std::exchange(times.moved[kRunnable], 0);
  }
  return rows;
}

std::uint64_t Usage::Impl::open_now() const {
  std::uint64_t open = 0;
  for (const ThreadUsage& thread : threads_) open += thread.has_open() ? 1 : 0;
  return open;
}

Usage::Doubts Usage::Impl::doubts() const {
  Doubts doubts = doubts_;
  for (const ThreadUsage& thread : threads_) doubts.forgotten_ns += thread.forgotten_ns();
  return doubts;
}

Usage::Usage(Actors& actors, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps)
    : impl_(std::make_unique<Impl>(Actors::Impl::of(actors), limits, subtract_event_ps)) {}
Usage::~Usage() = default;

void Usage::take(const RoleEvent& event) { impl_->take(event); }
void Usage::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Usage::Row> Usage::rows(std::int64_t ns) const { return impl_->rows(ns); }
std::vector<Usage::ThreadRow> Usage::threads(std::int64_t ns) const { return impl_->threads(ns); }
const EventNames& Usage::names() const { return impl_->names(); }
const std::vector<Usage::Target>& Usage::targets() const { return impl_->objects().targets(); }
const std::vector<Usage::Opened>& Usage::opened() const { return impl_->objects().opened(); }
std::uint64_t Usage::open_now() const { return impl_->open_now(); }
bool Usage::has_runs() const { return impl_->has_runs(); }
Usage::Doubts Usage::doubts() const { return impl_->doubts(); }
const CpuTime::Doubts& Usage::thread_doubts() const { return impl_->thread_doubts(); }

}  // namespace evt
