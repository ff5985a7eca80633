// Things that events record when they are over, in the order in which they began.
#pragma once

#include <evt/timeline.h>

#include <optional>

#include "libtrace-read/analyze/src/actor_table.h"
#include "sorted_spool.h"

namespace evt {

// A span, call or stop that one event records as a whole.
struct LateEvent {
  static constexpr std::uint32_t kNotAround = UINT32_MAX;  // not around any of them

  // If several begin at a time, the outer one comes first.
  friend bool operator<(const LateEvent& a, const LateEvent& b) {
    if (a.epoch != b.epoch) return a.epoch < b.epoch;
    if (a.at_ns != b.at_ns) return a.at_ns < b.at_ns;
    if (a.place() != b.place()) return a.place() < b.place();
    // Those that began later, and were recorded earlier, end first.
    if (a.is_end) return a.other_ns != b.other_ns ? a.other_ns > b.other_ns : a.order < b.order;
    if (a.other_ns != b.other_ns) return a.other_ns > b.other_ns;
    return a.order > b.order;
  }

  std::int64_t began_ns() const { return is_end ? other_ns : at_ns; }
  std::int64_t ended_ns() const { return is_end ? at_ns : other_ns; }
  bool has_no_length() const { return at_ns == other_ns; }
  // Order within a moment: earlier ones end, others begin, and of these those of zero length end.
  int place() const { return !is_end ? 1 : has_no_length() ? 2 : 0; }

  std::int64_t at_ns = 0;     // when it began or, with is_end, ended
  std::int64_t other_ns = 0;  // when it ended or, with is_end, began
  std::uint64_t order = 0;    // its event's number in the session, from 1 on
  std::uint64_t number = 0;   // its thread's; for a stop: for how many ns the machine was suspended
  std::uint32_t epoch = 0;    // number of intentional steps back in time before
  std::uint32_t step_ns = 0;
  std::uint32_t part = 0;    // the thread's, or the stop's
  std::uint32_t stream = 0;  // its index in the session
  std::uint32_t name = 0;
  // Number of spans and calls around it that begin at its moment on its thread by separate events.
  std::uint32_t around = kNotAround;
  Role role = Role::kNone;
  bool is_stream = false;  // the thread is one
  bool is_end = false;     // else it begins; an end that comes with its event is not stored
  bool ends_with_event = false;
  bool is_negative = false;
  bool is_wanted = false;
};

// For role call.
struct LateCall : LateEvent {
  CallFacts facts;
};

// By the options. `threads`: contains the event's thread.
inline bool is_wanted(const Timeline::Options& options, const RoleEvent& event, const ActorTable& threads) {
  if (options.wanted && !options.wanted(*event.event)) return false;
  if (!options.wanted_thread) return true;
  const bool is_followed = event.thread < Actor::kOthers;
  return options.wanted_thread(*event.event, is_followed ? &threads[event.thread] : nullptr);
}

// For the sessions of a trace, one after another: reads those that have such events once, in advance.
class LateEvents {
 public:
  LateEvents(Trace& trace, const Timeline::Options& options) : trace_(&trace), options_(&options) {}

  // Reads a session, whose names are `names`, unless nothing of it is requested: from these actors' state on, after so
  // many of its events, including what begins and ends later. Without spans, it keeps only the begins of spans, which
  // make their threads known. Errors are in the status.
  void read(const Actors& from, std::uint64_t order, EventNames* names, TimeRange range, bool with_spans);

  // When the first of the session began; INT64_MAX if there are none.
  std::int64_t first_ns() const { return first_ns_; }

  // Its position; none if there was no room in memory.
  std::optional<std::size_t> place() const {
    return calls_ ? calls_->place() : spans_ ? spans_->place() : std::optional<std::size_t>(0);
  }
  // Takes what another read, from its place() on.
  void take_again(const LateEvents& other, std::size_t place) {
    if (other.calls_) calls_.emplace(*other.calls_, place);
    if (other.spans_) spans_.emplace(*other.spans_, place);
  }

  // The session may have some.
  bool may_be_any() const { return calls_ || spans_; }
  // The next; null after the last.
  const LateEvent* first() const { return calls_ ? calls_->first() : spans_ ? spans_->first() : nullptr; }
  void pop() { calls_ ? calls_->pop() : spans_->pop(); }
  const Status& status() const { return status_; }

  static bool is_late(Role role) { return role == Role::kSpan || role == Role::kCall || role == Role::kStopped; }

 private:
  std::size_t place_of(const Session& session) const;
  bool add(const LateCall& late) { return calls_ ? calls_->add(late) : spans_->add(late); }

  Trace* trace_;
  const Timeline::Options* options_;
  std::optional<SortedSpool<LateCall>> calls_;   // all, if some are calls
  std::optional<SortedSpool<LateEvent>> spans_;  // all, if none are
  std::int64_t first_ns_ = INT64_MAX;
  Status status_;
};

}  // namespace evt
