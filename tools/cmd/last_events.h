// The last of many events, without holding any.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <functional>

namespace evt::tools {

// The program emitted it: it is no loss, no jump and no end of its stream.
inline bool is_emitted(const Event& event) { return !event.is_lost() && !event.is_jump() && !event.is_end(); }

using CountsEvent = std::function<bool(const Event&)>;

// Of all that are asked for, how many count.
std::uint64_t number_of_events(Trace& trace, const EventOptions& options, const CountsEvent& counts);

// How to read no more of a trace than its last events need.
struct LastEvents {
  EventOptions options;    // with which to read
  std::uint64_t skip = 0;  // how many of those that count are in front of them
};

// Of the events that `all` asks for, the last `wanted` for which `counts` is true. They are counted from the last
// blocks on, and once more from further in front as long as there are too few. Refers to `all`.
LastEvents last_events(Trace& trace, const EventOptions& all, std::uint64_t wanted, const CountsEvent& counts);

// Those in front of the last ones, as they are met.
class EventsInFront {
 public:
  // `count` of them are emitted.
  explicit EventsInFront(std::uint64_t count) : left_(count), is_over_(count == 0) {}
  // Of each event in order. A loss between them and the first of the others is one of them.
  bool have(const Event& event) {
    if (is_over_) return false;
    if (!is_emitted(event)) return true;
    is_over_ = left_ == 0;
    left_ -= is_over_ ? 0 : 1;
    return !is_over_;
  }

 private:
  std::uint64_t left_;
  bool is_over_;
};

}  // namespace evt::tools
