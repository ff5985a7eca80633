// The cost of tracing itself on each stream so far, to be subtracted from measured times.
#pragma once

#include <evt/analysis/actors.h>

#include <cstdint>
#include <vector>

namespace evt {

inline constexpr std::uint64_t kPsInNs = 1000;

// Takes the events of one session in order. Each event took so long on its stream, by calibration; events of role
// overhead record other costs. A time between two events of a stream is too long by the stream's total at the later of
// them, including that event, minus the total at the earlier: half of each lies within. Picoseconds, because an event
// takes a few nanoseconds.
class TracingCost {
 public:
  TracingCost(const Session& session, std::uint64_t event_ps)
      : event_ps_(event_ps), first_(session.streams.data()), spent_ps_(session.streams.size()) {}

  void take(const RoleEvent& event);
  std::uint64_t spent_ps(const StreamInfo& stream) const {
    return spent_ps_[static_cast<std::size_t>(&stream - first_)];
  }
  std::uint64_t event_ps() const { return event_ps_; }

 private:
  std::uint64_t event_ps_;
  const StreamInfo* first_;
  std::vector<std::uint64_t> spent_ps_;
};

}  // namespace evt
