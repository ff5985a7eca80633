// The data of RoleEvents.
#pragma once

#include <evt/analysis/actors.h>

#include <optional>
#include <vector>

#include "actors_impl.h"
#include "carried_events.h"
#include "libtrace-read/core/src/event/facet_event.h"

namespace evt {

class RoleEvents::Impl {
 public:
  static Impl& of(RoleEvents& events);

  Impl(Trace& trace, Events& events) : trace_(&trace), all_missing_(trace.missing()), events_(&events) {}

  bool next_session();
  void begin_session(std::size_t number, Actors from);
  const RoleEvent* next() {
    const Event* const event = next_ordinary();
    return event != nullptr ? &in_actors_->understand(*event) : next_other();
  }
  // Usually an event has no facets, and its thread has room. Null: the next one is not ordinary, so call next_other().
  const Event* next_ordinary();
  const RoleEvent* next_other();
  std::int64_t coming_ns();
  Actors& actors() { return *actors_; }
  Actors::Impl& in_actors() { return *in_actors_; }
  const Status& status() const { return events_->status(); }

 private:
  void note_missing();
  bool look();
  const Event* read();

  Trace* trace_;
  const std::vector<MissingRows>& all_missing_;
  Events* events_;
  std::optional<Actors> actors_;
  Actors::Impl* in_actors_ = nullptr;  // in them
  std::size_t session_ = 0;            // index after the current one
  bool has_begun_ = false;             // the session: what was carried into it has been read
  CarriedEvents carried_;
  bool is_carried_ = false;         // the last one read
  const Event* waiting_ = nullptr;  // read but not returned
  bool is_ordinary_ = false;        // nothing waits, is missing or was carried, until more is read
  std::size_t facet_ = 0;           // index of its next facet: 0 is the event itself
  FacetEvent of_facet_;
  std::size_t missing_seen_ = 0;      // in the trace
  std::vector<MissingRows> missing_;  // rows of the session, not returned yet; the earliest last
};

inline const Event* RoleEvents::Impl::next_ordinary() {
  if (!is_ordinary_) return nullptr;
  const Event* const event = events_->next_ready();
  if (event != nullptr && event->type().facet_types().empty() && !in_actors_->must_fold(*event)) return event;
  is_ordinary_ = false;
  waiting_ = event;
  return nullptr;
}

}  // namespace evt
