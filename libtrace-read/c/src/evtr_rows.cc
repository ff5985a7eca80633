// Events with all their fields, many at a time.
#include <evt/reader.h>

#include "open_events.h"

namespace evt::reader {
namespace {

// Null for a type without fields.
FieldRows* rows_of(evtr_events* events, const EventType& type) {
  if (type.fields().empty()) return nullptr;
  return &events->rows.try_emplace(&type, type).first->second;
}

// True if more may follow in the same rows.
bool add_event(evtr_events* events, const Event& event) {
  const std::uint32_t type = place_of(event.type(), event.session());
  events->ns.push_back(event.ns());
  events->streams.push_back(place_of(event.stream(), event.session()));
  events->types.push_back(type);
  FieldRows* const rows = type != EVTR_NONE ? rows_of(events, event.type()) : nullptr;
  if (rows == nullptr) return true;
  if (rows->is_empty()) events->table_types.push_back(type);
  rows->add(event, &events->made);
  return !rows->has_long();
}

}  // namespace
}  // namespace evt::reader

using namespace evt::reader;

extern "C" {

int evtr_next_rows_1(evtr_events* events, size_t most, evtr_rows* to, size_t size) {
  evtr_rows made = {};
  const int done = step(events, [&] {
    events->ns.clear();
    events->streams.clear();
    events->types.clear();
    events->table_types.clear();
    events->schemas.clear();
    events->arrays.clear();
    const evt::Event* event = next_event(events);
    if (event == nullptr) return 0;
    const evt::Session& session = event->session();
    while (add_event(events, *event) && events->ns.size() < most && (event = next_event(events)) != nullptr) {
      if (&event->session() == &session) continue;
      events->is_left = true;
      break;
    }
    for (const std::uint32_t type : events->table_types) {
      FieldRows* const rows = rows_of(events, session.types[type]);
      events->schemas.push_back(rows->schema());
      events->arrays.push_back(rows->take());
    }
    made.size = events->ns.size();
    made.ns = events->ns.data();
    made.streams = events->streams.data();
    made.types = events->types.data();
    made.table_count = events->table_types.size();
    made.table_types = events->table_types.data();
    made.schemas = events->schemas.data();
    made.arrays = events->arrays.data();
    made.session = events->open->place_of(session);
    return 1;
  });
  hand_out(made, to, size);
  return done;
}

}  // extern "C"
