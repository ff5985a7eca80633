// Quantities over time, from events of roles counter, counterTotal and counterDelta.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. A counter is a name on a stream; memory grows with them.
class Counters {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Counter {
    const StreamInfo* stream = nullptr;
    std::string name;
    // Unit of its values: "ns", "B", "%", or a text from the trace; empty for none, and for a count.
    std::string unit;
    double value = 0;  // the latest
  };

  // False: take() has nothing to do.
  static bool is_about(const TimelineItem& item) {
    if (item.kind != ItemKind::kRow) return false;
    const Role role = item.event->role;
    return role == Role::kCounter || role == Role::kCounterTotal || role == Role::kCounterDelta;
  }

  // Both must outlive it and its copies; the names are those of the items' timeline.
  Counters(const Session& session, EventNames& names);

  // The index in all() of the counter that has a new value now, even if it is the same as before; kNone if the item is
  // not about one.
  std::uint32_t take(const TimelineItem& item);
  // In the order in which they were met.
  const std::vector<Counter>& all() const;
  // Continues from the state of another, of the same session.
  void go_on_from(const Counters& other);

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
