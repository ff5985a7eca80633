// Usage of threads that are remembered no more.
#include <utility>

#include "usage_impl.h"

namespace evt {

void Usage::Impl::fold(const RoleEvent& event) {
  const FoldedActors& gone = *event.fold;
  occupancy_.fold(gone);
  if (cost_) cost_->fold(gone);
  for (const std::uint32_t i : gone.all()) {
    if (i >= threads_.size()) continue;
    ThreadUsage& thread = threads_[i];
    end_all(&thread, event.ns);
    const ThreadUsage::Times times = thread.times(event.ns, &sums_);
    for (std::size_t use = 0; use < ThreadUsage::kUses; ++use) {
      of_folded_.ns[use] += times.ns[use];
      of_folded_.moved[use] += times.moved[use];
    }
    doubts_.forgotten_ns += thread.forgotten_ns();
    thread = ThreadUsage();
  }
  const std::vector<Place> places = std::move(places_);
  const std::vector<CallSum> sums = std::move(sums_);
  places_.clear();
  sums_.clear();
  by_thread_.clear();
  std::vector<std::uint32_t> to;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    to.push_back(sum_of(gone(places[i].thread), places[i].function, places[i].target));
    sums_[to.back()].add(sums[i]);
  }
  for (ThreadUsage& thread : threads_) thread.move_sums(to);
}

}  // namespace evt
