// Number of events of each type until a moment.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/opaque.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order.
class EventCounts {
 public:
  struct Count {
    const EventType* type = nullptr;  // in the session; null: all whose types it does not declare
    std::uint64_t events = 0;
  };

  EventCounts();

  void take(const RoleEvent& event);
  // Counts since an earlier state, which may be an empty one. Only types that have events, in the order of the
  // session's types.
  std::vector<Count> since(const EventCounts& before, const Session& session) const;
  std::uint64_t all() const;
  std::uint64_t lost() const;  // counted by rows that were read

  struct Impl;

 private:
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
