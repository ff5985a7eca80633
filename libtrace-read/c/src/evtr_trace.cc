// Opens traces, and returns their metadata.
#include <evt/reader.h>
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "guarded.h"
#include "libtrace-read/text/session_key.h"
#include "open_traces.h"

namespace evt::reader {
namespace {

evtr_text text_of(std::string_view text) { return {text.data(), text.size()}; }  // `text` must outlive it

evtr_trace* open_all(std::span<const std::string> paths, const evtr_open_options& wanted, evtr_error* error) {
  ReadOptions options;
  options.rings = wanted.no_rings == 0;
  options.strict = wanted.strict != 0;
  std::vector<std::string> all(paths.begin(), paths.end());
  std::deque<Trace> traces;
  if (paths.empty()) {
    set_error(error, EVT_CODE_INVALID, "no path of a trace is given");
    return nullptr;
  }
  const std::size_t at_a_time = wanted.segments != 0 ? paths.size() : 1;
  for (; !paths.empty(); paths = paths.subspan(at_a_time)) {
    Result<Trace> trace = at_a_time > 1 ? Trace::open(paths, options) : Trace::open(paths.front(), options);
    if (!trace) {
      const std::string& sentence = trace.status().message();
      const bool has_path = at_a_time > 1 || sentence.find(paths.front()) != sentence.npos;
      set_error(error, static_cast<int>(trace.status().code()), has_path ? sentence : paths.front() + ": " + sentence);
      return nullptr;
    }
    traces.push_back(*std::move(trace));
  }
  return new evtr_trace{std::make_shared<OpenTraces>(std::move(all), std::move(traces)), {}};
}

const EventType* type_at(const evtr_trace* trace, std::size_t session, std::size_t type) {
  const Session* const found = trace->open->session(session);
  return found != nullptr && type < found->types.size() ? &found->types[type] : nullptr;
}

template <typename Matches>
std::uint32_t find_field(const evtr_trace* trace, std::size_t session, std::size_t type, Matches matches) {
  const EventType* const found = type_at(trace, session, type);
  if (found == nullptr) return EVTR_NONE;
  const auto field = std::ranges::find_if(found->fields(), matches);
  return field != found->fields().end() ? static_cast<std::uint32_t>(field - found->fields().begin()) : EVTR_NONE;
}

}  // namespace
}  // namespace evt::reader

using evt::EventType;
using evt::Field;
using evt::Session;
using evt::StreamInfo;
using namespace evt::reader;

extern "C" {

evtr_trace* evtr_open_1(const char* const* paths, size_t count, const evtr_open_options* options, size_t options_size,
                        evtr_error* error) {
  return guarded<evtr_trace*>(error, nullptr, [&] {
    const auto* const none = std::find(paths, paths + count, nullptr);
    if (none != paths + count) {
      set_error(error, EVT_CODE_INVALID,
                fmt::format("path {} of {}: expected a path, found NULL", none - paths + 1, count));
      return static_cast<evtr_trace*>(nullptr);
    }
    const std::vector<std::string> all(paths, paths + count);
    return open_all(all, given(options, options_size), error);
  });
}

const char* evtr_version(void) { return EVTR_VERSION; }

void evtr_close(evtr_trace* trace) { delete trace; }

int evtr_problem(evtr_trace* trace, size_t number, evtr_error* error) {
  return guarded(error, 0, [&] {
    if (number == 0) trace->problems = trace->open->problems();
    if (number >= trace->problems.size()) return 0;
    set_error(error, trace->problems[number]);
    return 1;
  });
}

size_t evtr_session_count(const evtr_trace* trace) { return trace->open->session_count(); }

int evtr_session_at_1(const evtr_trace* trace, size_t place, evtr_session* to, size_t size) {
  evtr_session made = {};
  const Session* const session = trace->open->session(place);
  if (session != nullptr) {
    made.key = evt::session_key(*session);
    std::copy(session->uuid.begin(), session->uuid.end(), made.uuid);
    made.start_utc_ns = session->start_utc_ns;
    made.last_ns = session->last_ns;
    made.events = session->rows;
    made.lost = session->lost;
    made.missing = session->missing;
    made.pid = session->pid;
    made.program = text_of(session->program);
    made.host = text_of(session->host);
    made.writer = text_of(session->writer);
    made.stream_count = static_cast<uint32_t>(session->streams.size());
    made.type_count = static_cast<uint32_t>(session->types.size());
    made.trace = trace->open->trace_of(place);
    made.closed = session->closed ? 1 : 0;
    made.end = text_of(word_of(session->end()));
  }
  hand_out(made, to, size);
  return session != nullptr ? 1 : 0;
}

int evtr_stream_at_1(const evtr_trace* trace, size_t session, size_t place, evtr_stream* to, size_t size) {
  evtr_stream made = {};
  const Session* const of = trace->open->session(session);
  const bool is_there = of != nullptr && place < of->streams.size();
  if (is_there) {
    const StreamInfo& stream = of->streams[place];
    made.name = text_of(stream.name);
    made.thread = stream.thread;
    made.process = stream.process;
    made.events = stream.rows;
    made.lost = stream.lost;
    made.missing = stream.missing;
    made.first_ns = stream.first_ns;
    made.last_ns = stream.last_ns;
    made.id = stream.id;
  }
  hand_out(made, to, size);
  return is_there ? 1 : 0;
}

int evtr_type_at_1(const evtr_trace* trace, size_t session, size_t place, evtr_type* to, size_t size) {
  evtr_type made = {};
  const EventType* const type = type_at(trace, session, place);
  if (type != nullptr) {
    made.name = text_of(type->name());
    made.description = text_of(type->description());
    made.number = type->number();
    made.role = static_cast<uint32_t>(type->role());
    made.field_count = static_cast<uint32_t>(type->fields().size());
  }
  hand_out(made, to, size);
  return type != nullptr ? 1 : 0;
}

int evtr_field_at_1(const evtr_trace* trace, size_t session, size_t type, size_t place, evtr_field* to, size_t size) {
  evtr_field made = {};
  const EventType* const of = type_at(trace, session, type);
  const bool is_there = of != nullptr && place < of->fields().size();
  if (is_there) {
    const Field& field = of->fields()[place];
    made.name = text_of(field.name);
    made.description = text_of(field.description);
    made.width = field.width;
    made.kind = static_cast<uint16_t>(field.kind);
    made.shape = static_cast<uint16_t>(field.shape);
    made.role = static_cast<uint16_t>(field.role);
    made.unit = static_cast<uint16_t>(field.unit);
    made.scale = field.scale;
  }
  hand_out(made, to, size);
  return is_there ? 1 : 0;
}

uint32_t evtr_find_type(const evtr_trace* trace, size_t session, const char* name) {
  const Session* const of = trace->open->session(session);
  const EventType* const type = of != nullptr ? of->type(name) : nullptr;
  return type != nullptr ? static_cast<uint32_t>(type - of->types.data()) : EVTR_NONE;
}

uint32_t evtr_find_field(const evtr_trace* trace, size_t session, size_t type, const char* name) {
  return find_field(trace, session, type, [&](const Field& field) { return field.name == name; });
}

uint32_t evtr_find_role(const evtr_trace* trace, size_t session, size_t type, uint32_t role) {
  return find_field(trace, session, type,
                    [&](const Field& field) { return static_cast<uint32_t>(field.role) == role; });
}

}  // extern "C"
