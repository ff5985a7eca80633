// The state of evtr_events_open(): the events of all traces, one after another.
#pragma once

#include <evt/arrow.h>
#include <evt/export/table.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "guarded.h"
#include "libtrace-read/export/src/tables/event_fields.h"
#include "open_traces.h"

namespace evt::reader {

// The fields of events of one type as rows. Refers to the type, which must have a field. One thread at a time.
class FieldRows {
 public:
  explicit FieldRows(const EventType& type);
  FieldRows(const FieldRows&) = delete;
  FieldRows& operator=(const FieldRows&) = delete;
  ~FieldRows();

  // REQUIRES: the event is of the type.
  void add(const Event& event, TextBuffer* made);
  bool is_empty() const { return rows_->rows() == 0; }
  // True if one of its texts is long, so that more rows should wait.
  bool has_long() const;

  // The rows that were added since the last call, valid until the next.
  const ArrowArray* take();
  const ArrowSchema* schema() const { return &schema_; }

 private:
  Table table_;
  EventFields fields_;
  std::unique_ptr<TableBatch> rows_;
  ArrowSchema schema_ = {};
  ArrowArray array_ = {};
};

}  // namespace evt::reader

struct evtr_events {
  std::shared_ptr<evt::reader::OpenTraces> open;
  evt::EventOptions options;
  std::size_t trace = 0;
  std::optional<evt::Events> events;  // that trace's
  const evt::Event* event = nullptr;  // that was returned
  bool is_left = false;               // it was not, because it is of another session than those before
  evt::Status status;
  std::vector<std::int64_t> ns;
  std::vector<std::uint32_t> streams;
  std::vector<std::uint32_t> types;
  std::map<const evt::EventType*, evt::reader::FieldRows> rows;
  std::vector<std::uint32_t> table_types;
  std::vector<const ArrowSchema*> schemas;
  std::vector<const ArrowArray*> arrays;
  evt::TextBuffer number;
  evt::TextBuffer made;
  std::string text;
};

namespace evt::reader {

// Moves to the next trace; false if there is none, or events could not be read at all.
inline bool begin_trace(evtr_events* events) {
  if (events->events) {
    if (events->status.ok()) events->status = events->events->status();
    events->events.reset();
    ++events->trace;
  }
  if (events->trace >= events->open->traces().size()) return false;
  events->events.emplace(events->open->traces()[events->trace].events(events->options));
  return true;
}

// The next event of any trace; null at the end.
inline const Event* next_event(evtr_events* events) {
  if (std::exchange(events->is_left, false)) return events->event;
  events->event = nullptr;
  while (events->events) {
    events->event = events->events->next();
    if (events->event != nullptr || !begin_trace(events)) break;
  }
  return events->event;
}

inline std::uint32_t place_of(const StreamInfo& stream, const Session& session) {
  return static_cast<std::uint32_t>(&stream - session.streams.data());
}

inline std::uint32_t place_of(const EventType& type, const Session& session) {
  const bool is_declared = &type >= session.types.data() && &type < session.types.data() + session.types.size();
  return is_declared ? static_cast<std::uint32_t>(&type - session.types.data()) : EVTR_NONE;
}

// Returns the result of `call`; 0, and an error of the events, without memory.
template <typename Call>
int step(evtr_events* events, Call call) {
  evtr_error error;
  const int done = guarded(&error, 0, call);
  if (error.code != EVT_OK && events->status.ok())
    events->status = Status(Code::kMemory, "there is no memory for this");
  return done;
}

}  // namespace evt::reader
