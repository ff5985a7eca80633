#include <evt/analysis/actors.h>

#include <algorithm>
#include <utility>

#include "role_events_impl.h"

namespace evt {

bool RoleEvents::Impl::next_session() {
  while (next() != nullptr) {  // the unread rest of the previous one
  }
  if (session_ == trace_->sessions().size()) return false;
  begin_session(session_, Actors(trace_->sessions()[session_]));
  return true;
}

void RoleEvents::Impl::begin_session(std::size_t number, Actors from) {
  actors_.emplace(std::move(from));
  in_actors_ = &Actors::Impl::of(*actors_);
  session_ = number + 1;
  has_begun_ = false;
  is_ordinary_ = false;
  if (is_carried_) waiting_ = nullptr;
  is_carried_ = false;
  carried_ = CarriedEvents();
  missing_.clear();
  missing_seen_ = 0;
}

// Some are known when the trace is opened, others when their block is read.
void RoleEvents::Impl::note_missing() {
  for (; missing_seen_ < all_missing_.size(); ++missing_seen_) {
    const MissingRows& missing = all_missing_[missing_seen_];
    if (missing.session + 1 != session_ || in_actors_->session().stream(missing.stream) == nullptr) continue;
    // A later state includes it.
    if (missing.to_ns <= in_actors_->now()) continue;
    missing_.push_back(missing);
  }
  std::ranges::stable_sort(missing_, [](const MissingRows& a, const MissingRows& b) { return a.to_ns > b.to_ns; });
}

// First returns what a cut carried into the session, except what a later state includes.
const Event* RoleEvents::Impl::read() {
  if (!has_begun_) {
    has_begun_ = true;
    carried_.read(*trace_, in_actors_->session(), in_actors_->now());
  }
  if (is_carried_) carried_.pop();
  const Event* event = carried_.first();
  is_carried_ = event != nullptr;
  if (is_carried_) return event;
  do {
    event = events_->next();
  } while (event != nullptr && &event->session() == &in_actors_->session() && carried_.has(*event));
  return event;
}

// True if an event of this session waits to be returned.
bool RoleEvents::Impl::look() {
  is_ordinary_ = false;
  if (waiting_ == nullptr) waiting_ = read();
  if (missing_seen_ != all_missing_.size()) note_missing();
  return waiting_ != nullptr && &waiting_->session() == &in_actors_->session();
}

std::int64_t RoleEvents::Impl::coming_ns() {
  const std::int64_t event_ns = look() ? waiting_->ns() : INT64_MAX;
  return missing_.empty() ? event_ns : std::min(event_ns, missing_.back().to_ns);
}

const RoleEvent* RoleEvents::Impl::next_other() {
  if (in_actors_ == nullptr) return nullptr;
  const bool any = look();
  if (!missing_.empty() && (!any || missing_.back().to_ns <= waiting_->ns())) {
    const MissingRows missing = missing_.back();
    missing_.pop_back();
    return &in_actors_->understand(missing);
  }
  if (!any) return nullptr;
  if (is_carried_ && CarriedEvents::is_loss(*waiting_)) {
    const MissingRows lost = CarriedEvents::loss_of(*std::exchange(waiting_, nullptr));
    return &in_actors_->understand(lost);
  }
  const std::vector<EventType>& facets = waiting_->type().facet_types();
  // Usually it has no facets.
  const Event& event = facet_ == 0 ? *waiting_ : of_facet_.of(*waiting_, facets[facet_ - 1]);
  if (in_actors_->must_fold(event)) return &in_actors_->fold(event);
  const bool is_facet = facet_ > 0;
  if (facets.empty() || facet_++ == facets.size()) {
    waiting_ = nullptr;
    facet_ = 0;
    is_ordinary_ = missing_.empty() && !carried_.are_any();
  }
  return &in_actors_->understand(event, is_facet);
}

RoleEvents::Impl& RoleEvents::Impl::of(RoleEvents& events) { return *events.impl_; }

RoleEvents::RoleEvents(Trace& trace, Events& events) : impl_(std::make_unique<Impl>(trace, events)) {}

bool RoleEvents::next_session() { return impl_->next_session(); }
void RoleEvents::begin_session(std::size_t number, Actors from) { impl_->begin_session(number, std::move(from)); }
const RoleEvent* RoleEvents::next() { return impl_->next(); }
std::int64_t RoleEvents::coming_ns() { return impl_->coming_ns(); }
Actors& RoleEvents::actors() { return impl_->actors(); }
const Status& RoleEvents::status() const { return impl_->status(); }

}  // namespace evt
