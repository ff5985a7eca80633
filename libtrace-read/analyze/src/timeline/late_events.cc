#include "late_events.h"

#include <errno.h>
#include <evt/analysis/extent.h>
#include <fmt/core.h>
#include <string.h>

#include <algorithm>

#include "libtrace-read/analyze/src/call_facts.h"
#include "libtrace-read/analyze/src/process_parts.h"

namespace evt {
namespace {

// By its index, which may leave out how many rows there are of which types.
bool may_have(const Session& session, const EventType& type) {
  if (session.counts.empty() || type.number() > UINT16_MAX) return true;
  return std::any_of(session.counts.begin(), session.counts.end(),
                     [&](const TypeCount& count) { return count.number == type.number() && count.rows > 0; });
}

bool has_late_events(const Session& session) {
  return std::any_of(session.types.begin(), session.types.end(), [&](const EventType& type) {
    const bool is_late = type.has_role(Role::kSpan) || type.has_role(Role::kCall) || type.has_role(Role::kStopped);
    return is_late && may_have(session, type);
  });
}

// Beside its length.
std::uint64_t suspended_ns(const Event& stop) {
  const Field* const field = stop.type().field(Role::kAmount);
  return field != nullptr && field->unit == Unit::kNanoseconds ? amount_of(stop) : 0;
}

}  // namespace

std::size_t LateEvents::place_of(const Session& session) const {
  const auto& all = trace_->sessions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Session& each) { return &each == &session; });
  return static_cast<std::size_t>(found - all.begin());
}

void LateEvents::read(const Session& session, EventNames* names, TimeRange range) {
  spool_.reset();
  if (range.from_ns > range.to_ns || !has_late_events(session)) return;
  spool_ = std::make_unique<SortedSpool<LateEvent>>(kInMemory);
  EventOptions wanted;
  wanted.markers = true;
  wanted.range = [&](const Session& each) { return &each == &session ? TimeRange() : TimeRange{1, 0}; };
  Events events = trace_->events(wanted);
  RoleEvents roles(*trace_, events);
  LateEvent late;
  const ProcessParts processes(session);
  std::uint32_t epoch = 0;
  bool has_room = true;
  roles.begin_session(place_of(session), Actors(session, options_->most_threads));
  std::uint64_t order = 0;
  while (const RoleEvent* const event = roles.next()) {
    if (event->event == nullptr) continue;
    ++order;
    if (event->jump) ++epoch;
    if (!is_late(event->role)) continue;
    const std::optional<Extent> extent = extent_of(*event->event, event->recorded_ns);
    if (!extent) continue;
    late.began_ns = extent->began_ns;
    late.ended_ns = extent->ended_ns;
    late.step_ns = extent->step_ns;
    late.is_negative = extent->is_negative;
    late.order = order;
    late.epoch = epoch;
    late.role = event->role;
    late.stream = static_cast<std::uint32_t>(event->stream - session.streams.data());
    if (event->role == Role::kStopped) {
      const std::uint32_t own = roles.actors().part_of(*event->stream);
      late.part = processes.of(*event->event, Actors::Impl::of(roles.actors()), own, late.began_ns);
      late.name = names->said_by(*event->event, Role::kReason);
      late.call.amount = suspended_ns(*event->event);
    } else {
      if (event->thread == Actor::kOthers) continue;
      const Actor& thread = roles.actors().threads()[event->thread];
      late.number = thread.number;
      late.part = thread.part;
      late.is_stream = thread.is_stream;
      if (event->role == Role::kCall) late.call = facts_of(*event->event, names);
      late.name = names->of(*event->event, event->role == Role::kCall ? Role::kFunction : Role::kName);
    }
    late.is_wanted = !options_->wanted || options_->wanted(*event->event);
    late.is_end = false;
    late.at_ns = late.began_ns;
    has_room &= spool_->add(late);
    if (late.ended_ns < event->recorded_ns || event->role == Role::kStopped) {
      late.is_end = true;
      late.at_ns = late.ended_ns;
      has_room &= spool_->add(late);
    }
  }
  has_room &= spool_->finish();
  if (!has_room) status_ = {Code::kIo, fmt::format("no room to sort what began by time: {}", strerror(errno))};
}

}  // namespace evt
