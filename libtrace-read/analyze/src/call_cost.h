// What tracing took within calls, to be taken off what they took.
#pragma once

#include <vector>

#include "tracing_cost.h"

namespace evt {

// Takes the events of one session in order, each before it is asked about it. Of calls within others at most the latest
// 64 of a thread are known.
class CallCost {
 public:
  CallCost(const Session& session, std::uint64_t event_ps)
      : cost_(session, event_ps), first_(session.streams.data()), streams_(session.streams.size()) {}

  void take(const RoleEvent& event);
  void fold(const FoldedActors& gone);

  // Of the call that the event ends, or records as a whole, and that began then: nanoseconds that tracing took within
  // it, and not within calls inside of it.
  std::uint64_t own_ns(const RoleEvent& event, std::int64_t begin_ns);

 private:
  static constexpr std::size_t kMax = 64;

  struct Done {
    std::int64_t begin_ns = 0;
    std::uint64_t spent_ps = 0;
  };

  TracingCost cost_;
  const StreamInfo* first_;
  std::vector<SpentHistory> streams_;
  std::vector<std::vector<Done>> threads_;
};

}  // namespace evt
