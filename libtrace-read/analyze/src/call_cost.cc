#include "call_cost.h"

#include <algorithm>

#include "parts.h"

namespace evt {

void CallCost::take(const RoleEvent& event) {
  if (event.event == nullptr) return;
  cost_.take(event);
  streams_[static_cast<std::size_t>(event.stream - first_)].add(event.ns, cost_.spent_ps(*event.stream));
}

void CallCost::fold(const FoldedActors& gone) {
  for (const std::uint32_t thread : gone.all()) {
    if (thread < threads_.size()) threads_[thread] = {};
  }
}

std::uint64_t CallCost::own_ns(const RoleEvent& event, std::int64_t begin_ns) {
  const std::uint64_t spent = cost_.spent_ps(*event.stream);
  const std::uint64_t before = streams_[static_cast<std::size_t>(event.stream - first_)].until(begin_ns);
  // One event records a whole call when the call is over.
  const std::uint64_t telling = event.role == Role::kCall ? cost_.event_ps() : 0;
  std::uint64_t within = spent - std::min(spent, before);
  within -= std::min(within, telling);
  std::vector<Done>& done = grown(&threads_, event.thread);
  std::uint64_t inside = 0;
  while (!done.empty() && done.back().begin_ns >= begin_ns) {
    inside += done.back().spent_ps;
    done.pop_back();
  }
  if (done.size() >= kMax) done.erase(done.begin(), done.begin() + kMax / 2);
  done.push_back({begin_ns, within});
  return (within - std::min(within, inside)) / 1000;
}

}  // namespace evt
