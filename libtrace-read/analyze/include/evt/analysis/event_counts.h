// How many events of each type there were until a moment.
#pragma once

#include <evt/analysis/actors.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order.
class EventCounts {
 public:
  struct Count {
    const EventType* type = nullptr;  // of the session; null: all whose types it does not declare
    std::uint64_t events = 0;
  };

  void take(const RoleEvent& event);
  // Since an earlier state, which may be an empty one. Those of which there were any, in the order of the session's
  // types.
  std::vector<Count> since(const EventCounts& before, const Session& session) const;
  std::uint64_t all() const { return all_; }
  std::uint64_t lost() const { return lost_; }  // by the rows that were read

 private:
  friend class StateWords;

  std::vector<std::uint64_t> by_type_;  // by place in Session::types
  std::uint64_t undeclared_ = 0;
  std::uint64_t all_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace evt
#pragma GCC visibility pop
