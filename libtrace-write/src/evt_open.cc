// Of <evt/evt.h>: how sessions begin.
#include <stdlib.h>
#include <unistd.h>

#include <new>

#include "evt_stream.h"
#include "evt_writer.h"
#include "format-spec/src/ring/ring_layout.h"
#include "previous_session.h"
#include "process_info.h"

namespace evt {
namespace {

ClockReading start_of(const Clock& clock) {
  if (clock.can_sync()) return clock.read_all();
  return {clock.start_ticks(), 0, utc_ns(), 0};
}

void describe(evt_writer& writer, const evt_session_info& info, const ClockReading& start) {
  writer.metadata().session().clear();
  writer.metadata().clock().clear();
  append_session(writer.metadata().session(), info, start.ns);
  ClockRecord clock;
  clock.id = 1;
  clock.kind = writer.clock().kind();
  clock.hz = writer.clock().hz();
  clock.hz_denominator = writer.clock().hz_denominator();
  clock.start_ticks = start.ticks;
  clock.start_ns = start.ns;
  clock.tolerance_ns = writer.clock().kind() != EVT_CLOCK_OTHER ? 1000 : 0;
  append_clock(writer.metadata().clock(), clock, info);
}

// The SESSION block records which ring there is, and the ring begins with the SESSION block.
void begin_with_ring(evt_writer& writer, ProcessInfo& facts, const char* name, const ClockReading& start,
                     const evt_options& options) {
  struct Choice {
    std::uint8_t kind;
    const char* name;
  };
  const Choice choices[] = {{EVT_RING_SHARED, name}, {EVT_RING_PRIVATE, nullptr}};
  for (const Choice& choice : choices) {
    facts.info.ring_kind = choice.kind;
    facts.info.ring_name = choice.name;
    describe(writer, facts.info, start);
    if (writer.use_ring(choice.name, options.ring_size, options.compact != nullptr)) return;
  }
  facts.info.ring_kind = EVT_RING_NONE;
  describe(writer, facts.info, start);
}

void begin(evt_writer& writer, const evt_options& options) {
  ProcessInfo facts(options.session);
  if (options.anonymous != 0) facts.info.anonymous = 1;
  if (facts.info.anonymous != 0) writer.facts().leave_out();
  const ClockReading start = start_of(writer.clock());
  const bool is_of_the_system = writer.clock().kind() != EVT_CLOCK_OTHER;
  if (is_of_the_system && facts.info.time_scale == 0) facts.info.time_scale = EVT_TIME_SCALE_MONOTONIC;
  if (facts.info.start_utc_ns == 0 && facts.info.exact == 0) facts.info.start_utc_ns = start.utc_ns;
  writer.output().begin(evt_session_id(facts.info.uuid));
  if (options.flush_inline != 0) {
    describe(writer, facts.info, start);
  } else {
    tidy_rings();
    char name[ring::kMaxName];
    ring::name_of(writer.output().session_id(), name);
    begin_with_ring(writer, facts, name, start, options);
  }
  writer.paired_clocks(start);
}

using OpenSink = bool (*)(Sink& sink, const void* where, const evt_options& options, evt_error* error);

evt_writer* open_session(OpenSink open_sink, const void* where, const evt_options* given, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  static constexpr evt_options kDefaults = {};
  const evt_options& options = given != nullptr ? *given : kDefaults;
  void* const memory = calloc(1, sizeof(evt_writer));
  if (memory == nullptr) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a session");
    return nullptr;
  }
  auto* const writer = new (memory) evt_writer;
  if (!open_sink(writer->output().sink(), where, options, error)) {
    free(memory);
    return nullptr;
  }
  if (options.compact != nullptr && !writer->output().use_compactor(options.compact)) {
    set_error(error, EVT_CODE_MEMORY, "no memory for compacting");
    writer->output().close(nullptr);
    free(memory);
    return nullptr;
  }
  writer->set_options(options);
  writer->make_thread_key(seal_thread_stream);
  writer->remember();
  begin(*writer, options);

  // SESSION goes out before anything, so that a file is never without its first line; an unwritable sink shows here.
  if (writer->metadata().write_front(writer->output()) && writer->backend().start()) return writer;
  *error = writer->output().first_error();
  writer->error_was_returned();
  const Lock lock(*writer);
  writer->backend().release();
  writer->end(nullptr);
  return nullptr;
}

}  // namespace
}  // namespace evt

evt_writer* evt_open(const char* path, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& sink, const void* where, const evt_options& o, evt_error* e) {
    return sink.open_path(static_cast<const char*>(where), o.append != 0, e);
  };
  return evt::open_session(open, path, options, error);
}

evt_writer* evt_open_fd(int fd, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& sink, const void* where, const evt_options&, evt_error*) {
    sink.use_descriptor(*static_cast<const int*>(where));
    return true;
  };
  return evt::open_session(open, &fd, options, error);
}

namespace {
struct Function {
  evt_sink sink;
  void* context;
};
}  // namespace

evt_writer* evt_open_sink(evt_sink sink, void* context, const evt_options* options, evt_error* error) {
  const auto open = [](evt::Sink& out, const void* where, const evt_options&, evt_error*) {
    const auto& function = *static_cast<const Function*>(where);
    out.use_function(function.sink, function.context);
    return true;
  };
  const Function function = {sink, context};
  return evt::open_session(open, &function, options, error);
}
