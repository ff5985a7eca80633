// The results of usage, at a moment.
#include <evt/saturating_add.h>

#include <algorithm>
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
  unnamed.calls += other.unnamed.calls;
  unnamed.ns += other.unnamed.ns;
  unnamed.stopped_ns += other.unnamed.stopped_ns;
  unnamed.subtracted_ns += other.unnamed.subtracted_ns;
}

std::vector<Usage::Row> Usage::Impl::rows() const {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (sums_[i].calls > 0) rows.push_back({places_[i].thread, places_[i].function, places_[i].target, sums_[i]});
  }
  return rows;
}

std::vector<Usage::ThreadRow> Usage::Impl::threads(std::int64_t ns) const {
  std::vector<ThreadRow> rows;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) rows.push_back({i, threads_[i].times(ns)});
  if (timeline_->actors().threads().folded() > 0) rows.push_back({Actor::kOthers, of_folded_});
  if (has_runs()) return rows;
  for (ThreadRow& row : rows) {
    // Without recorded runs, a record that a thread was runnable has no meaning.
    ThreadUsage::Times& times = row.times;
    constexpr auto kRunnable = static_cast<std::size_t>(Use::kRunnable);
    times.ns[0] += std::exchange(times.ns[kRunnable], 0);
    times.moved[0] += std::exchange(times.moved[kRunnable], 0);
  }
  return rows;
}

std::uint64_t Usage::Impl::assumed(std::int64_t ns) const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(threads_, [&](const ThreadUsage& t) { return t.was_assumed_to_run(ns); }));
}

Usage::Usage(Timeline& timeline, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps)
    : impl_(std::make_unique<Impl>(timeline, limits, subtract_event_ps)) {}

void Usage::take(const TimelineItem& item) { impl_->take(item); }
void Usage::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Usage::Row> Usage::rows() const { return impl_->rows(); }
std::vector<Usage::ThreadRow> Usage::threads(std::int64_t ns) const { return impl_->threads(ns); }
const std::vector<Usage::Target>& Usage::targets() const { return impl_->objects().targets(); }
const std::vector<Usage::Opened>& Usage::opened() const { return impl_->objects().opened(); }
std::vector<Usage::Limited> Usage::limited() const { return impl_->limited().rows(); }
const Usage::Stops& Usage::stops() const { return impl_->stops(); }
bool Usage::has_runs() const { return impl_->has_runs(); }
std::uint64_t Usage::assumed(std::int64_t ns) const { return impl_->assumed(ns); }
std::uint64_t Usage::uncertain_ns(std::int64_t ns) const { return impl_->uncertain_ns(ns); }

}  // namespace evt
