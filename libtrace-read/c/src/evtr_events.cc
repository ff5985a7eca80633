// Events, one by one and in batches, and their values.
#include <evt/reader.h>
#include <evt/text/value_text.h>

#include "guarded.h"
#include "libtrace-read/text/plain_value.h"
#include "open_events.h"

namespace evt::reader {
namespace {

evtr_text kept(evtr_events* events, std::string_view text) {
  events->text = text;
  return {events->text.c_str(), events->text.size()};
}

void set_number(evtr_value* to, std::uint32_t kind, std::uint64_t number) {
  to->kind = kind;
  to->is.number = number;
}

void set_value(evtr_events* events, const Event& event, const Value& value, evtr_value* to) {
  if (value.is_sequence()) {
    set_number(to, EVTR_VALUE_LIST, value.count());
    to->text = kept(events, value_json(event, value));
    return;
  }
  if (value.is_absent() || !event.is_known(value)) return;
  switch (value.kind()) {
    case Kind::kUnsigned:
      return set_number(to, EVTR_VALUE_UNSIGNED, value.as_unsigned());
    case Kind::kSigned:
      return set_number(to, EVTR_VALUE_SIGNED, static_cast<std::uint64_t>(value.as_signed()));
    case Kind::kFloat:
      to->kind = EVTR_VALUE_FLOAT;
      to->is.float_number = value.as_double();
      return;
    case Kind::kBool:
      return set_number(to, EVTR_VALUE_BOOL, value.as_unsigned() != 0 ? 1 : 0);
    case Kind::kTicks:
      return set_number(to, EVTR_VALUE_SIGNED, static_cast<std::uint64_t>(event.ticks_to_ns(event.ticks_in(value))));
    case Kind::kTickDelta:
      return set_number(to, EVTR_VALUE_SIGNED, static_cast<std::uint64_t>(event.delta_to_ns(value.as_signed())));
    case Kind::kEnumeration:
    case Kind::kInterned:
    case Kind::kText: {
      set_number(to, EVTR_VALUE_TEXT, value.kind() == Kind::kText ? 0 : value.as_unsigned());
      events->number.clear();
      const auto text = append_unless_text(events->number, event, value, events->made);
      to->text = kept(events, text ? *text : events->number.text());
      return;
    }
    default:
      to->kind = EVTR_VALUE_BYTES;
      to->text = {reinterpret_cast<const char*>(value.bytes().data()), value.bytes().size()};
  }
}

}  // namespace
}  // namespace evt::reader

using namespace evt::reader;

extern "C" {

evtr_events* evtr_events_open_1(evtr_trace* trace, const evtr_range* range, size_t range_size, evtr_error* error) {
  return guarded<evtr_events*>(error, nullptr, [&] {
    auto events = std::make_unique<evtr_events>();
    events->open = trace->open;
    events->options.range = range_in(given(range, range_size));
    begin_trace(events.get());
    return events.release();
  });
}

void evtr_events_close(evtr_events* events) { delete events; }

int evtr_next_1(evtr_events* events, evtr_event* to, size_t size) {
  evtr_event made = {};
  const int done = step(events, [&] {
    if (next_event(events) == nullptr) return 0;
    const evt::Session& session = events->event->session();
    made.ns = events->event->ns();
    made.session = events->open->place_of(session);
    made.stream = place_of(events->event->stream(), session);
    made.type = place_of(events->event->type(), session);
    return 1;
  });
  hand_out(made, to, size);
  return done;
}

int evtr_next_batch_1(evtr_events* events, evtr_batch* to, size_t size) {
  evtr_batch made = {};
  const int done = step(events, [&] {
    events->event = nullptr;
    const evt::EventBatch* batch = nullptr;
    while (events->events) {
      batch = events->events->next_batch();
      if (batch != nullptr || !begin_trace(events)) break;
    }
    if (batch == nullptr) return 0;
    events->streams.resize(batch->size());
    events->types.resize(batch->size());
    for (std::size_t i = 0; i < batch->size(); ++i) {
      events->streams[i] = place_of(*batch->streams[i], *batch->session);
      events->types[i] = place_of(*batch->types[i], *batch->session);
    }
    made.size = batch->size();
    made.ns = batch->ns.data();
    made.streams = events->streams.data();
    made.types = events->types.data();
    made.session = events->open->place_of(*batch->session);
    return 1;
  });
  hand_out(made, to, size);
  return done;
}

int evtr_events_error(const evtr_events* events, evtr_error* error) {
  const evt::Status& status = events->status.ok() && events->events ? events->events->status() : events->status;
  set_error(error, status);
  return status.ok() ? 0 : 1;
}

int evtr_value_at_1(evtr_events* events, size_t field, evtr_value* to, size_t size) {
  evtr_value made = {};
  const int done = step(events, [&] {
    const evt::Event* const event = events->event;
    if (event == nullptr || field >= event->type().fields().size()) return 0;
    if (const auto value = event->value(field)) set_value(events, *event, *value, &made);
    return 1;
  });
  hand_out(made, to, size);
  return done;
}

}  // extern "C"
