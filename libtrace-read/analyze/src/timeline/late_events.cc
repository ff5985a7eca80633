#include "late_events.h"

#include <errno.h>
#include <evt/analysis/extent.h>
#include <evt/event.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "libtrace-read/analyze/src/actors_impl.h"
#include "libtrace-read/analyze/src/call_facts.h"
#include "libtrace-read/analyze/src/parts.h"

namespace evt {
namespace {

// Finds the part of a merged session that is a process. Refers to the session.
class ProcessParts {
 public:
  explicit ProcessParts(const Session& session) : parts_(session.parts.size()) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string* const pid = session.fact(EVT_FACT_SCOPE_PART, i, EVT_FACT_PART_PID);
      if (pid != nullptr) parts_[i].process = strtoull(pid->c_str(), nullptr, 10);
      for (const StreamInfo& stream : session.streams) {
        if (session.parts[i].has_stream(stream.id)) parts_[i].first_ns = std::min(parts_[i].first_ns, stream.first_ns);
      }
    }
  }

  // The part of the process that an event of part `own` is about, from its field of that role and its time; without
  // one, or if the number means nothing in other parts, `own`. Actor::kNone: no part.
  std::uint32_t of(const Event& event, const Actors::Impl& actors, std::uint32_t own, std::int64_t ns) const {
    const Field* const field = event.type().field(Role::kProcess);
    const std::uint64_t process = event.number(Role::kProcess).value_or(0);
    if (parts_.empty() || field == nullptr || field->scope != Scope::kBoot || process == 0) return own;
    std::uint32_t found = Actor::kNone;
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
      const bool is_known_there = i == own || (actors.shares_boot(i) && actors.shares_boot(own));
      if (parts_[i].process != process || !is_known_there) continue;
      // It has several, one for each program that it executed.
      if (found == Actor::kNone || (parts_[i].first_ns <= ns && parts_[i].first_ns > parts_[found].first_ns)) found = i;
    }
    // Threads without a stream belong to the first part.
    return found != Actor::kNone || own != 0 ? found : own;
  }

 private:
  struct Part {
    std::uint64_t process = 0;  // 0: not known
    std::int64_t first_ns = INT64_MAX;
  };
  std::vector<Part> parts_;
};

// In addition to its length.
std::uint64_t suspended_ns(const Event& stop) {
  const Field* const field = stop.type().field(Role::kAmount);
  return field != nullptr && field->unit == Unit::kNanoseconds ? amount_of(stop) : 0;
}

}  // namespace

std::size_t LateEvents::place_of(const Session& session) const {
  const auto& all = trace_->sessions();
  const auto found = std::ranges::find_if(all, [&](const Session& each) { return &each == &session; });
  return static_cast<std::size_t>(found - all.begin());
}

namespace {

// Spans and calls of each thread that are open by separate events.
class OpenByEvents {
 public:
  explicit OpenByEvents(const Session& session)
      : has_any_(std::ranges::any_of(session.types, [](const EventType& type) {
          return type.has_role(Role::kSpanBegin) || type.has_role(Role::kCallBegin);
        })) {}

  void take(const RoleEvent& event) {
    if (!has_any_ || event.thread >= Actor::kOthers) return;
    const bool is_call = event.role == Role::kCallBegin || event.role == Role::kCallEnd;
    if (event.role == Role::kThreadCreate) grown(&threads_, event.thread).created_ns = event.recorded_ns;
    if (event.role == Role::kSpanBegin || event.role == Role::kCallBegin) {
      grown(&threads_, event.thread).open.push_back({event.recorded_ns, is_call});
    } else if (event.role == Role::kSpanEnd || event.role == Role::kCallEnd) {
      std::vector<Open>& open = grown(&threads_, event.thread).open;
      const auto of_kind = [&](const Open& each) { return each.is_call == is_call; };
      const auto ended = std::find_if(open.rbegin(), open.rend(), of_kind);
      if (ended != open.rend()) open.erase(std::next(ended).base());
    }
  }
  // LateEvent::around for a begin on the thread at this time.
  std::uint32_t around(std::uint32_t thread, std::int64_t ns) const {
    if (!has_any_) return LateEvent::kNotAround;
    if (thread >= threads_.size()) return 0;
    // An earlier thread with its number may have had spans at that time.
    if (threads_[thread].created_ns == ns) return LateEvent::kNotAround;
    const std::vector<Open>& open = threads_[thread].open;
    const auto [first, last] = std::equal_range(open.begin(), open.end(), Open{ns, false},
                                                [](const Open& a, const Open& b) { return a.ns < b.ns; });
    return static_cast<std::uint32_t>(last - first);
  }

 private:
  struct Open {
    std::int64_t ns = 0;
    bool is_call = false;
  };
  struct Thread {
    std::int64_t created_ns = INT64_MIN;
    std::vector<Open> open;
  };

  bool has_any_;
  std::vector<Thread> threads_;
};

// True if a begin at this time may be the first of its thread, as far as known. `met`: the first so far, by thread.
bool meets(const RoleEvent& event, std::int64_t began_ns, std::vector<std::int64_t>* met) {
  if (event.role == Role::kStopped || event.thread >= Actor::kOthers) return false;
  if (event.thread >= met->size()) met->resize(event.thread + std::size_t{1}, INT64_MAX);
  std::int64_t& first = (*met)[event.thread];
  if (began_ns >= first) return false;
  first = began_ns;
  return true;
}

}  // namespace

void LateEvents::read(const Actors& from, std::uint64_t order, EventNames* names, TimeRange range, bool with_spans) {
  const Session& session = from.session();
  const std::int64_t known_ns = from.now();
  const auto is_known = [known_ns](std::int64_t ns) { return known_ns != INT64_MIN && ns <= known_ns; };
  calls_.reset();
  spans_.reset();
  first_ns_ = INT64_MAX;
  if (range.from_ns > range.to_ns) return;
  if (may_have(session, {Role::kCall})) {
    calls_.emplace();
  } else if (may_have(session, {Role::kSpan, Role::kStopped})) {
    spans_.emplace();
  } else {
    return;
  }
  EventOptions wanted;
  wanted.markers = true;
  wanted.range = [&](const Session& each) {
    if (&each != &session) return TimeRange{1, 0};
    return TimeRange{known_ns == INT64_MIN ? known_ns : known_ns + 1, INT64_MAX};
  };
  Events events = trace_->events(wanted);
  RoleEvents roles(*trace_, events);
  LateCall late;
  const ProcessParts processes(session);
  OpenByEvents open(session);
  std::vector<std::int64_t> met;
  std::uint32_t epoch = 0;
  bool has_room = true;
  roles.begin_session(place_of(session), from);
  while (const RoleEvent* const event = roles.next()) {
    if (event->event == nullptr) continue;
    ++order;
    if (event->jump) ++epoch;
    open.take(*event);
    if (!is_late(event->role)) continue;
    const std::optional<Extent> extent = extent_of(*event->event, event->recorded_ns);
    if (!extent) continue;
    first_ns_ = std::min(first_ns_, extent->began_ns);
    if (!with_spans && !meets(*event, extent->began_ns, &met)) continue;
    late.is_end = false;
    late.at_ns = extent->began_ns;
    late.other_ns = extent->ended_ns;
    late.step_ns = static_cast<std::uint32_t>(extent->step_ns);
    late.ends_with_event = event->role != Role::kStopped && extent->ended_ns == event->recorded_ns;
    late.is_negative = extent->is_negative;
    late.order = order;
    late.epoch = epoch;
    late.role = event->role;
    late.stream = static_cast<std::uint32_t>(event->stream - session.streams.data());
    if (event->role == Role::kStopped) {
      const std::uint32_t own = roles.actors().part_of(*event->stream);
      late.part = processes.of(*event->event, Actors::Impl::of(roles.actors()), own, late.at_ns);
      late.name = names->said_by(*event->event, Role::kReason);
      late.number = suspended_ns(*event->event);
    } else {
      if (event->thread == Actor::kOthers) continue;
      const Actor& thread = roles.actors().threads()[event->thread];
      late.number = thread.number;
      late.part = thread.part;
      late.is_stream = thread.is_stream;
      late.around = open.around(event->thread, late.at_ns);
      if (event->role == Role::kCall) late.facts = facts_of(*event->event, names);
      late.name = names->of(*event->event, event->role == Role::kCall ? Role::kFunction : Role::kName);
    }
    late.is_wanted = is_wanted(*options_, *event, Actors::Impl::of(roles.actors()).threads());
    if (!is_known(late.at_ns)) has_room &= add(late);
    if (!with_spans || late.ends_with_event) continue;
    late.is_end = true;
    std::swap(late.at_ns, late.other_ns);
    if (!is_known(late.at_ns)) has_room &= add(late);
  }
  has_room &= calls_ ? calls_->finish() : spans_->finish();
  if (!has_room) status_ = {Code::kIo, fmt::format("no room to sort what began by time: {}", strerror(errno))};
}

}  // namespace evt
