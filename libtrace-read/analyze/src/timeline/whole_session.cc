#include "whole_session.h"

#include <algorithm>
#include <utility>

#include "thread_states.h"

namespace evt {
namespace {

EventOptions events_of(const Session& session) {
  EventOptions options;
  options.markers = true;
  options.range = [&session](const Session& each) { return &each == &session ? TimeRange() : TimeRange{1, 0}; };
  return options;
}

bool has_any(const EventType& type, std::initializer_list<Role> roles) {
  return std::ranges::any_of(roles, [&](Role role) { return type.has_role(role); });
}

}  // namespace

bool records_runs(Trace& trace, const Session& session) {
  const auto roles = {Role::kThreadRun, Role::kThreadStop};
  if (!may_have(session, roles)) return false;
  if (!session.counts.empty()) return true;
  Events events = trace.events(events_of(session));
  while (const Event* const event = events.next()) {
    if (has_any(event->type(), roles)) return true;
  }
  return false;
}

std::vector<IdleThread> idle_threads(Trace& trace, std::size_t session, std::uint32_t most_threads,
                                     std::int64_t to_ns) {
  const Session& of = trace.sessions()[session];
  Events events = trace.events(events_of(of));
  RoleEvents roles(trace, events);
  roles.begin_session(session, Actors(of, most_threads));
  const Actors& actors = roles.actors();
  ThreadStates threads(Actors::Impl::of(roles.actors()));
  const auto may_be_idle = [](const Actor& thread) {
    return thread.number == 0 && !thread.is_stream && !thread.is_idle;
  };
  TimelineItems items;
  items.want({});
  std::vector<IdleThread> found;
  bool is_behind = false;
  while (const RoleEvent* const event = roles.next()) {
    TimelineItem at;
    at.ns = event->ns;
    at.event = event;
    at.stream = event->stream;
    threads.take(*event, at, &items);
    const bool was_behind = std::exchange(is_behind, is_behind || event->ns > to_ns);
    if (event->thread >= Actor::kOthers) continue;
    const Actor& thread = actors.threads()[event->thread];
    const bool shows_idle = thread.is_idle && thread.number == 0;
    if (shows_idle && std::ranges::find(found, IdleThread(thread)) == found.end()) {
      found.emplace_back(thread);
    }
    // In a merged session, each part has its own.
    const bool may_have_all = of.parts.empty() ? shows_idle : is_behind && (shows_idle || !was_behind);
    const std::vector<Actor>& all = actors.threads().all();
    if (may_have_all && std::ranges::none_of(all, may_be_idle)) break;
  }
  return found;
}

}  // namespace evt
