#include "late_rows.h"

#include <evt/analysis/extent.h>

#include <algorithm>

namespace evt {
namespace {

bool is_late(const EventType& type) {
  return type.has_role(Role::kSpan) || type.has_role(Role::kCall) || type.has_role(Role::kStopped);
}

bool is_late(Role role) { return role == Role::kSpan || role == Role::kCall || role == Role::kStopped; }

}  // namespace

void LateRows::read(std::int64_t to_ns, const Take& take) {
  const bool may_be =
      std::any_of(session_.types.begin(), session_.types.end(), [](const EventType& type) { return is_late(type); });
  if (!may_be || to_ns >= session_.last_ns) return;
  EventOptions wanted;
  wanted.markers = true;
  wanted.range = [&](const Session& each) {
    return &each == &session_ ? TimeRange{to_ns + 1, INT64_MAX} : TimeRange{1, 0};
  };
  wanted.stream = [&](const Session&, const StreamInfo& stream) { return streams_(stream); };
  Events events = trace_.events(wanted);
  while (const Event* const event = events.next()) {
    if (event->is_jump()) return;
    note(*event);
    if (!is_late(event->type()) || !covers(*event, to_ns)) continue;
    if (event->type().field(Role::kThread) == nullptr) take_context(event->stream(), take);
    take(KeptEvent(*event));
  }
}

bool LateRows::covers(const Event& event, std::int64_t to_ns) {
  const auto began_before = [&](const Event& of) {
    if (!is_late(of.type().role())) return false;
    const auto extent = extent_of(of, of.ns());
    return extent && extent->began_ns <= to_ns;
  };
  const std::vector<EventType>& facets = event.type().facet_types();
  return began_before(event) || std::any_of(facets.begin(), facets.end(), [&](const EventType& facet) {
           return began_before(of_facet_.of(event, facet));
         });
}

void LateRows::note(const Event& event) {
  if (event.type().has_role(Role::kThreadRun)) {
    scheduling_[&event.stream()] = {std::make_unique<KeptEvent>(event), {}, {}};
  } else if (event.type().has_role(Role::kThreadStop)) {
    Stream& stream = scheduling_[&event.stream()];
    if (stream.stopped.insert(thread_stopped_by(event)).second) {
      stream.stops.push_back(std::make_unique<KeptEvent>(event));
    }
  }
}

// Its number; none for the thread that runs on the stream.
std::optional<std::uint64_t> LateRows::thread_stopped_by(const Event& event) {
  if (event.type().role() == Role::kThreadStop) return event.number(Role::kThread);
  const std::vector<EventType>& facets = event.type().facet_types();
  const auto stop = std::find_if(facets.begin(), facets.end(),
                                 [](const EventType& facet) { return facet.role() == Role::kThreadStop; });
  return of_facet_.of(event, *stop).number(Role::kThread);
}

void LateRows::take_context(const StreamInfo& stream, const Take& take) {
  const auto found = scheduling_.find(&stream);
  if (found == scheduling_.end()) return;
  if (found->second.run != nullptr) take(*found->second.run);
  for (const auto& stop : found->second.stops) take(*stop);
  scheduling_.erase(found);
}

}  // namespace evt
