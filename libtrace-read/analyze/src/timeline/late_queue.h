// Places the begins and ends of things that one event records as a whole between the events of a session.
#pragma once

#include <deque>
#include <optional>

#include "late_events.h"
#include "open_spans.h"

namespace evt {

// Returns what ended before an event, or with it, and what began before it. What began with it follows all events of
// that moment, which may end earlier things: except if it is around a begin, or the event itself records it.
class LateQueue {
 public:
  // Its state at a moment.
  struct Mark {
    std::deque<LateCall> begins;
    std::size_t place = 0;
    std::uint64_t order = 0;
  };

  LateQueue(Trace& trace, const Timeline::Options& options) : events_(trace, options) {}

  // See LateEvents::read(); called before the first event of the session.
  void read(const Actors& from, EventNames* names, TimeRange range, bool with_spans) {
    events_.read(from, order_, names, range, with_spans);
    first_ = events_.first();
  }
  void begin_session() {
    begins_.clear();
    order_ = 0;
    epoch_ = 0;
  }
  std::int64_t first_ns() const { return events_.first_ns(); }
  const Status& status() const { return events_.status(); }

  bool is_empty() const { return first_ == nullptr && begins_.empty(); }
  void count_event() { ++order_; }
  void count_jump() { ++epoch_; }
  // Number of the latest event in the session, from 1 on.
  std::uint64_t order() const { return order_; }

  // The next one before the event; null if there is no more. Valid until the next call; must be called until it returns
  // null.
  const LateEvent* next_before(const RoleEvent& event, const OpenSpans& spans, const Actors::Impl& actors);
  // Like next_before(), for those before a time, or at it.
  const LateEvent* next_until(std::int64_t ns);

  // None if there was no room in memory, if time has stepped back, or if something comes up to `now_ns`.
  std::optional<Mark> mark(std::int64_t now_ns) const;
  // Continues where `other` was at the mark.
  void go_on(const LateQueue& other, const Mark& mark);
  // True if everything after `now_ns` can be read again from there on.
  bool can_be_kept(std::int64_t now_ns) const {
    return !events_.may_be_any() || (epoch_ == 0 && !is_any_until(now_ns) && begins_.empty());
  }
  // REQUIRES: can_be_kept(). One that is read continues from there, once it has read the rest.
  void archive(Archive& archive) { archive.numbers(order_); }

 private:
  using Begin = std::deque<LateCall>::iterator;

  template <typename IsDue, typename IsOver>
  const LateEvent* next_in_order(const IsDue& is_due, const IsOver& is_over);
  bool begins_first(const LateEvent& late) const;
  bool is_any_until(std::int64_t ns) const;
  const LateEvent* take_out(Begin begin);
  void pop() {
    events_.pop();
    first_ = events_.first();
  }

  LateEvents events_;
  const LateEvent* first_ = nullptr;  // in them
  bool is_out_ = false;               // it was returned
  std::deque<LateCall> begins_;       // due, and waiting for the events of their moment
  LateCall out_;                      // the one that was returned
  std::uint64_t order_ = 0;
  std::uint32_t epoch_ = 0;  // number of intentional steps back in time so far
};

}  // namespace evt
