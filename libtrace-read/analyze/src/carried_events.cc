#include "carried_events.h"

#include <evt/timeline.h>

#include <algorithm>

#include "libtrace-read/core/src/trace/trace_data.h"

namespace evt {
namespace {

// The latest reading of a clock at the first moment of a range: ticks may be longer than nanoseconds.
std::int64_t first_moment_ns(const Trace& trace, const Session& session) {
  const std::int64_t from_ns = cut_of(session).from_ns;
  std::int64_t moment_ns = from_ns;
  std::int64_t on_scale = 0;
  if (__builtin_add_overflow(session.start_ns, from_ns, &on_scale)) return moment_ns;
  for (const SessionData& data : TraceData::of(trace).data) {
    if (data.session != &session) continue;
    for (const auto& [id, clock] : data.clocks) {
      std::uint64_t ticks = 0;
      if (!ticks_at(clock, on_scale, &ticks)) continue;
      moment_ns = std::max(moment_ns, data.ns_of(id, ticks));
    }
  }
  return moment_ns;
}

// When its original was recorded, from its last field; without one, just before the cut.
std::uint64_t since_of(const Event& twin) {
  const std::vector<Field>& fields = twin.type().fields();
  if (fields.empty() || fields.back().kind != Kind::kTicks) return twin.ticks() - 1;
  const std::optional<Value> since = twin.value(fields.size() - 1);
  return since && since->bytes().size() == sizeof(std::uint64_t) ? since->as_unsigned() : twin.ticks() - 1;
}

bool is_before(const KeptEvent& a, const KeptEvent& b) {
  return &a.clock() == &b.clock() ? a.event().ticks() < b.event().ticks() : a.event().ns() < b.event().ns();
}

}  // namespace

bool CarriedEvents::may_be_in(const Session& session) {
  return cut_of(session).from_ns != INT64_MIN && has_twins(session);
}

void CarriedEvents::read(Trace& trace, const Session& session, std::int64_t known_ns) {
  *this = CarriedEvents();
  are_any_ = has_twins(session);
  if (!may_be_in(session)) return;
  const std::int64_t moment_ns = first_moment_ns(trace, session);
  if (known_ns >= moment_ns) return;
  session_ = &session;
  EventOptions wanted;
  wanted.range = [&](const Session& each) {
    return &each == &session ? TimeRange{INT64_MIN, moment_ns} : TimeRange{1, 0};
  };
  Events events = trace.events(wanted);
  while (const Event* const event = events.next()) {
    if (has(*event)) keep(*event);
  }
  put_in_order();
  while (first() != nullptr && first()->ns() <= known_ns) pop();
}

MissingRows CarriedEvents::loss_of(const Event& event) {
  MissingRows lost;
  lost.stream = event.stream().id;
  lost.from_ns = lost.to_ns = event.ns();
  return lost;
}

void CarriedEvents::keep(const Event& twin) {
  streams_[&twin.stream()].push_back(std::make_unique<KeptEvent>(twin, original_of(twin.type()), since_of(twin)));
}

// Several types may share a name: picks the one whose fields the twin has.
const EventType& CarriedEvents::original_of(const EventType& twin) {
  const auto [known, is_new] = originals_.try_emplace(&twin, &twin);
  if (!is_new) return *known->second;
  for (const EventType& type : session_->types) {
    if (type.name() != twin.meaning().twin_of || type.role() != twin.role()) continue;
    const bool has_fields =
        type.fields().size() + 1 == twin.fields().size() &&
        std::equal(type.fields().begin(), type.fields().end(), twin.fields().begin(),
                   [](const Field& a, const Field& b) {
                     return a.name == b.name && a.kind == b.kind && a.shape == b.shape && a.width == b.width;
                   });
    if (has_fields) known->second = &type;
  }
  return *known->second;
}

// Each stream's events are in its order.
void CarriedEvents::put_in_order() {
  using Stream = std::pair<const StreamInfo* const, std::deque<Kept>>;
  const auto is_later = [](const Stream* a, const Stream* b) {
    if (is_before(*b->second.front(), *a->second.front())) return true;
    return !is_before(*a->second.front(), *b->second.front()) && a->first > b->first;
  };
  std::vector<Stream*> heap;
  for (Stream& stream : streams_) heap.push_back(&stream);
  std::ranges::make_heap(heap, is_later);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, is_later);
    std::deque<Kept>& next = heap.back()->second;
    events_.push_back(std::move(next.front()));
    next.pop_front();
    next.empty() ? heap.pop_back() : std::push_heap(heap.begin(), heap.end(), is_later);
  }
  streams_.clear();
}

}  // namespace evt
