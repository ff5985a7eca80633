// When what one event records as a whole begins and ends, between the events of a session.
#pragma once

#include <deque>
#include <optional>

#include "late_events.h"
#include "open_spans.h"

namespace evt {

// Hands out what ended before an event, or with it, and what began before it. What began with it follows all events of
// that moment, which may end what was before: except for what is around a begin, and what the event itself records.
class LateQueue {
 public:
  // What it is at a moment.
  struct Mark {
    std::deque<LateCall> begins;
    std::size_t place = 0;
    std::uint64_t order = 0;
  };

  LateQueue(Trace& trace, const Timeline::Options& options) : events_(trace, options) {}

  // As LateEvents::read(), before the first event of the session.
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
  // Of the latest event among those of the session, from 1 on.
  std::uint64_t order() const { return order_; }

  // The next one before the event; null when there is no more. Holds until it is asked for the next one: it is asked
  // for until there is none.
  const LateEvent* next_before(const RoleEvent& event, const OpenSpans& spans, const Actors::Impl& actors);
  // The same of what is before a time, or at it.
  const LateEvent* next_until(std::int64_t ns);

  // None where there was no room in memory, time has stepped back, or something comes up to `now_ns`.
  std::optional<Mark> mark(std::int64_t now_ns) const;
  // Goes on where `other` was at the mark.
  void go_on(const LateQueue& other, const Mark& mark);
  // Whether what comes behind `now_ns` can be read again from there on.
  bool can_be_kept(std::int64_t now_ns) const {
    return !events_.may_be_any() || (epoch_ == 0 && !is_any_until(now_ns) && begins_.empty());
  }
  // REQUIRES: that. What is read goes on from there, once it has read what comes.
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
  const LateEvent* first_ = nullptr;  // of them
  bool is_out_ = false;               // it was handed out
  std::deque<LateCall> begins_;       // that are due, and wait for the events of their moment
  LateCall out_;                      // of them, that was handed out
  std::uint64_t order_ = 0;
  std::uint32_t epoch_ = 0;  // how often time has stepped back by intent
};

}  // namespace evt
