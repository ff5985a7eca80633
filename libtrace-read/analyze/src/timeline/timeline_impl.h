// How a timeline reads a session: from events to what they begin, change and end.
#pragma once

#include <evt/timeline.h>

#include <deque>
#include <optional>

#include "async_spans.h"
#include "collector_states.h"
#include "late_queue.h"
#include "libtrace-read/analyze/src/actors_impl.h"
#include "libtrace-read/analyze/src/role_events_impl.h"
#include "open_spans.h"
#include "open_stops.h"
#include "past.h"
#include "thread_states.h"
#include "whole_session.h"

namespace evt {

class Timeline::Impl {
 public:
  // Reads events that were recorded at this time or later.
  Impl(Trace& trace, Options options, std::int64_t known_ns = INT64_MIN);

  bool next_session();
  // Begins with a session of the trace; the events are those after the state of the actors.
  void begin_session(std::size_t number, Actors from);
  // True if a thread may be found to be idle, or was found to be so and may have done something.
  bool depends_on_idle();
  // True if there are so many names that a reader of the whole session might lack a text for some.
  bool has_many_names() const { return names_->size() > 32768; }
  // True if another that was read from an archive can continue after the latest event.
  bool can_be_kept();
  // REQUIRES: can_be_kept(); or, to read it, that the session has begun and nothing of it was read.
  void archive(Archive& archive, Past& past);
  // First come items that tell analyses about earlier events: `past` is that of the moment from which it continues.
  void begin_with(Past past) { past_ = std::move(past); }
  // States of threads are right without what is recorded when they are over, and without what comes after the end; what
  // is in progress at the end is not ended.
  void leave_open(bool reads_late) {
    leaves_open_ = true;
    is_late_read_ = !reads_late;
    looks_ahead_ = false;
  }
  // Recorded times of the latest event, and of the next one.
  std::int64_t latest_ns() const { return at_.began_ns; }
  std::int64_t coming_ns() { return roles_.coming_ns(); }
  std::unique_ptr<const Mark::Impl> mark();
  std::unique_ptr<Impl> behind(const Mark::Impl& mark, std::int64_t to_ns) const;
  // The first item that the next event shows, if any, and where the others are; null at the end of the session. All are
  // valid until the next call.
  const TimelineItem* next_items(const TimelineItem** others, const TimelineItem** end);

  void hand_out_rows(const RoleSet& roles) { rows_ = roles; }
  void hand_out(const ItemKinds& kinds) {
    items_.want(is_before_ ? kBefore : kinds);
    has_rows_ = kinds.has(ItemKind::kRow);
    kinds_ = kinds;
    if (state_) follow_what_is_wanted();
  }
  void show_open_every(std::int64_t length, std::int64_t from_ns) {
    show_every_ = length;
    show_after(from_ns, from_ns);
  }
  std::int64_t first_ns() {
    if (!is_late_read_) read_late();
    return first_ns_;
  }
  std::int64_t end_ns() const { return end_ns_; }
  bool records_runs() {
    if (!records_runs_) records_runs_ = evt::records_runs(*trace_, session());
    return *records_runs_;
  }
  std::uint64_t events() const { return counted_; }
  Actors& actors() { return in_roles_.actors(); }
  EventNames& names() { return *names_; }
  const ThreadStates& threads() const { return state_->threads; }
  const Status& status() const { return late_.status().ok() ? roles_.status() : late_.status(); }

 private:
  friend class Mark::Impl;

  struct State {
    State(const Session& session, Actors::Impl& actors)
        : threads(actors), spans(session), collectors(actors), stops(session) {}
    // Copies the state of another, for actors that are a copy of its own.
    State(const State& other, Actors::Impl& actors)
        : threads(other.threads, actors),
          spans(other.spans),
          async(other.async),
          collectors(other.collectors),
          stops(other.stops) {}

    ThreadStates threads;
    OpenSpans spans;
    AsyncSpans async;
    CollectorStates collectors;
    OpenStops stops;
  };

  static inline const ItemKinds kBefore = {ItemKind::kRow, ItemKind::kFold};

  Actors::Impl& in_actors() { return in_roles_.in_actors(); }
  const Session& session() { return in_actors().session(); }

  void read_late();
  void follow_what_is_wanted();
  bool depends_on_threads();
  bool depends_on_spans();
  void begin_range();
  void look_ahead();
  void read();
  void read_ordinary(Role role, const Event& event);
  void read_other(const Event* event);
  void take(Role role, bool is_ordinary, const RoleEvent& event);
  void take_row(Role role, bool counts);
  void take_without_role(const RoleEvent& event, const TimelineItem& at);
  void take_span(const RoleEvent& event, const TimelineItem& at);
  void end_with_thread(const RoleEvent& event, const TimelineItem& at);
  void release(const RoleEvent& event, const TimelineItem& at);
  void take_async(const RoleEvent& event, TimelineItem at);
  void take_collector(const RoleEvent& event, TimelineItem at);
  void begin(const RoleEvent& event, bool is_call, const TimelineItem& at);
  void end(const RoleEvent& event, bool is_call, const TimelineItem& at);
  void end_complete(const RoleEvent& event, TimelineItem at);
  void take_late_before(const RoleEvent& event);
  void take_late(const LateEvent& late, std::int64_t most_ns);
  void finish();
  void end_all(TimelineItem at, State* state);
  void reach(std::int64_t ns);
  void reach_due();
  void begin_with_range();
  void begin_with_past();
  void begin_all(TimelineItem at);
  void show_after(std::int64_t ns, std::int64_t end_ns);
  TimelineItem item_at(std::int64_t ns);

  Trace* trace_;
  Options options_;
  Events events_;
  RoleEvents roles_;
  RoleEvents::Impl& in_roles_;
  LateQueue late_;
  std::optional<EventNames> names_;  // null before the first event
  std::optional<State> state_;
  bool is_late_read_ = true;
  bool has_spans_ = true;  // that are recorded late
  std::int64_t first_ns_ = 0;
  std::int64_t from_ns_ = INT64_MIN;
  std::int64_t end_ns_ = INT64_MAX;  // INT64_MAX: no limit; then the end of the session
  std::int64_t now_ns_ = INT64_MIN;
  std::int64_t show_ns_ = INT64_MAX;  // where the current stretch ends
  std::int64_t show_every_ = 0;       // how long stretches are
  std::int64_t due_ns_ = INT64_MAX;   // show_ns_, or where the range begins
  std::size_t sessions_ = 0;          // begun so far
  std::uint64_t counted_ = 0;
  RoleSet rows_ = RoleSet::all();
  ItemKinds kinds_ = ItemKinds::all();
  bool has_rows_ = true;         // items of that kind are wanted
  bool follows_threads_ = true;  // in the session
  bool follows_spans_ = true;    // that begin and end by separate events
  bool has_reached_from_ = true;
  bool is_before_ = false;  // before the range, whose items alone are returned
  bool is_finished_ = true;
  std::optional<bool> records_runs_;   // for the whole session, once it was requested
  bool looks_ahead_ = false;           // after the range, once a thread runs that may be idle
  bool leaves_open_ = false;           // what is in progress at the end
  std::optional<Past> past_;           // until the first items
  std::deque<CallFacts> calls_;        // referred to by items
  TimelineItem new_;                   // copied, which is faster than making one
  TimelineItem at_;                    // common values of an event's items, and its row
  const TimelineItem* row_ = nullptr;  // set if it is the first item of all that an event shows
  TimelineItems items_;                // the others
};

}  // namespace evt
