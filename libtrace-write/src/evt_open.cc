// Part of <evt/evt.h>: how sessions begin.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "evt_writer.h"
#include "format-spec/src/ring/ring_folders.h"
#include "format-spec/src/ring/ring_layout.h"
#include "output_path.h"
#include "process_info.h"
#include "stale_recorders.h"
#include "stale_rings.h"

namespace evt {
namespace {

ClockReading start_of(const Clock& clock) {
  if (clock.can_sync()) return clock.read_all();
  ClockReading start;
  start.ticks = clock.start_ticks();
  start.utc_ns = utc_ns();
  return start;
}

void describe(evt_writer& writer, const evt_session_info& info, const ClockReading& start) {
  writer.metadata().session().clear();
  writer.metadata().clock().clear();
  append_session(writer.metadata().session(), info, start.ns);
  evt_session_info copied = info;
  copied.ring_name = nullptr;
  copied.ring_kind = EVT_RING_NONE;
  copied.origins = info.uuid;
  copied.origin_count = 1;
  writer.session_of_snapshots().clear();
  append_session(writer.session_of_snapshots(), copied, start.ns);
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

// For processes that may not start a thread, by a limit or a filter of system calls: the recording threads write their
// rows.
void begin_without_thread(evt_writer& writer, ProcessInfo& facts, const ClockReading& start, evt_error* notice) {
  add_notice(notice,
             "no thread to write the trace (%s): each thread writes its own events, and a kill loses what it holds",
             strerror(errno));
  facts.info.ring_name = nullptr;
  facts.info.ring_kind = EVT_RING_NONE;
  describe(writer, facts.info, start);
}

// In one of the folders, or in private memory. The SESSION block records which ring there is, and the ring begins with
// the SESSION block.
void begin_with_ring(evt_writer& writer, ProcessInfo& facts, const RingFolders& folders, const ClockReading& start,
                     const evt_options& options, evt_error* notice) {
  const bool compacts = options.compact != nullptr;
  if (options.short_lived != 0) writer.begin_small();
  char name[ring::kMaxName];
  ring::name_of(writer.output().session_id(), name);
  facts.info.ring_kind = EVT_RING_SHARED;
  facts.info.ring_name = name;
  describe(writer, facts.info, start);
  char shown[kPathOfTwoShown];
  for (const char* const* folder = folders.begin(); folder != folders.end_for_writers(); ++folder) {
    const bool has_ring = writer.use_ring(*folder, name, options.ring_size, compacts);
    const int reason = errno;
    show_path(*folder, shown, sizeof shown);
    if (has_ring && !writer.make_thread()) return begin_without_thread(writer, facts, start, notice);
    if (has_ring && folder != folders.begin()) add_notice(notice, "the ring is in %s", shown);
    if (has_ring) return;
    add_notice(notice, "no ring in %s: %s", shown, strerror(reason));
  }
  add_notice(notice, "a kill loses what is not in the trace yet");
  facts.info.ring_name = nullptr;
  facts.info.ring_kind = EVT_RING_PRIVATE;
  describe(writer, facts.info, start);
  if (writer.use_ring(nullptr, nullptr, options.ring_size, compacts)) {
    if (!writer.make_thread()) begin_without_thread(writer, facts, start, notice);
    return;
  }
  facts.info.ring_kind = EVT_RING_NONE;
  describe(writer, facts.info, start);
}

void begin(evt_writer& writer, const evt_options& options, evt_error* notice) {
  ProcessInfo facts(options.session);
  if (options.anonymous != 0) facts.info.anonymous = 1;
  if (facts.info.anonymous != 0) writer.facts().leave_out();
  if (facts.info.anonymous != 0) writer.types().leave_out_sources();
  const ClockReading start = start_of(writer.clock());
  const bool is_of_the_system = writer.clock().kind() != EVT_CLOCK_OTHER;
  if (is_of_the_system && facts.info.time_scale == 0) facts.info.time_scale = EVT_TIME_SCALE_MONOTONIC;
  if (facts.info.start_utc_ns == 0 && facts.info.exact == 0) facts.info.start_utc_ns = start.utc_ns;
  writer.output().begin(evt_session_id(facts.info.uuid));
  if (options.flush_inline != 0) {
    describe(writer, facts.info, start);
  } else {
    const RingFolders folders;
    if (folders.misfit() != nullptr) {
      add_notice(notice, "EVTRACE_RING_DIR: expected an absolute path, found %.64s", folders.misfit());
    }
    for (const char* const* folder = folders.begin(); folder != folders.end_for_writers(); ++folder) {
      reap_stale_rings(*folder);
      reap_stale_recorders(*folder);
    }
    begin_with_ring(writer, facts, folders, start, options, notice);
  }
  writer.paired_clocks(start);
}

using OpenSink = bool (*)(evt_writer& writer, const void* where, const evt_options& options, OutputPath& path,
                          evt_error* error);

bool use_compactor(evt_writer& writer, const evt_options& options, evt_error* error) {
  if (options.compact == nullptr) return true;
  if (options.compact->size < sizeof *options.compact) {
    set_error(error, EVT_CODE_INVALID, "compacting: libevtrace-compact is older than the library that writes");
    return false;
  }
  if (writer.output().use_compactor(options.compact)) return true;
  set_error(error, EVT_CODE_MEMORY, "no memory for compacting");
  return false;
}

// The first file of a flight recorder has no rows: its segments follow at once.
bool begin_rotation(evt_writer& writer, evt_error* error) {
  Rotation& rotation = *writer.rotation();
  if (rotation.is_beside_ring()) rotation.keep_first(writer.output().sink().descriptor());
  rotation.begin(writer);
  return !rotation.is_beside_ring() || writer.begin_beside_ring(error);
}

// Writes SESSION first, so that a file is never without its first line; an unwritable sink shows here. Only then is the
// earlier file at the path removed.
bool begin_trace(evt_writer& writer, OpenSink open_sink, const void* where, const evt_options& options,
                 evt_error* error) {
  OutputPath path;
  evt_error message = {EVT_OK, ""};
  Sink& sink = writer.output().sink();
  const bool opened = open_sink(writer, where, options, path, &message);
  if (opened) writer.notices().add(EVT_NOTICE_PATH, message.message, path.is_beside_parent());
  if (opened) writer.backend().set_output();
  const FileId first = sink.id();
  bool begun = opened && writer.metadata().write_front(writer.output());
  *error = opened ? writer.output().first_error() : message;
  if (begun && writer.rotation() != nullptr) begun = begin_rotation(writer, error);
  if (begun) path.keep();
  if (opened && !begun) path.give_back(first);
  return begun;
}

// Ends a session that could not be opened; its notices are reported all the same.
evt_writer* give_up(evt_writer* writer) {
  writer->backend().give_up();
  writer->backend().release();
  writer->end(nullptr);
  writer->end_rotation();
  writer->notices().deliver();
  writer->notices().release();
  writer->forget();
  writer->session_of_snapshots().release();
  writer->snapshots().release();
  free(writer);
  return nullptr;
}

// Steps that may fail come before steps that cannot be undone: the trace of an earlier run is displaced last.
evt_writer* open_session(OpenSink open_sink, const void* where, const evt_options& options, Notices::Printing printing,
                         evt_error* error) {
  void* const memory = calloc(1, sizeof(evt_writer));
  if (memory == nullptr) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a session");
    return nullptr;
  }
  auto* const writer = new (memory) evt_writer;
  writer->notices().choose(options, printing);
  writer->set_options(options);
  writer->choose_on_segment(options);
  writer->make_thread_key(seal_thread_stream);
  writer->remember();
  if (!use_compactor(*writer, options, error)) return give_up(writer);
  evt_error of_ring = {EVT_OK, ""};
  begin(*writer, options, &of_ring);
  writer->error_was_returned(true);
  if (!begin_trace(*writer, open_sink, where, options, error)) return give_up(writer);
  writer->error_was_returned(false);
  writer->notices().add(EVT_NOTICE_RING, of_ring.message);
  writer->backend().start();
  writer->notices().deliver();
  return writer;
}

// With options in the program's layout.
evt_writer* open_given(OpenSink open_sink, const void* where, const evt_options* given, const evt_sizes_* sizes,
                       evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  GivenStructs structs(*sizes);
  static constexpr evt_options kDefaults = {};
  const evt_options* const options = given != nullptr ? structs.options(given) : &kDefaults;
  if (structs.lacks_memory()) {
    set_error(error, EVT_CODE_MEMORY, "no memory for the options of a session");
    return nullptr;
  }
  evt_writer* const writer = open_session(open_sink, where, *options, Notices::Printing::kOnTerminal, error);
  if (writer != nullptr) writer->report(structs);
  return writer;
}

// `where`: the destination, in words.
bool may_not_rotate(const evt_options& options, const char* where, evt_error* error) {
  if (!Rotation::is_wanted(options)) return true;
  char shown[kPathShown];
  show_path(where, shown, sizeof shown);
  if (options.flight_bytes != 0 || options.flight_ns != 0) {
    set_error(error, EVT_CODE_INVALID, "flight: expected the path of a file, such as app.evt, found %s", shown);
    return false;
  }
  set_error(error, EVT_CODE_INVALID, "rotate and keep: expected a path with %%n, such as app.%%n.evt, found %s", shown);
  return false;
}

// For a destination without a path: only a file can be copied, or continued in another one.
bool may_have_no_path(const evt_options& options, const char* where, evt_error* error) {
  if (!AutomaticSnapshots::are_wanted(options)) return may_not_rotate(options, where, error);
  char shown[kPathShown];
  show_path(where, shown, sizeof shown);
  set_error(error, EVT_CODE_INVALID, "snapshot: expected a trace in a file, such as app.evt, found %s", shown);
  return false;
}

bool open_files_of_path(evt_writer& writer, const char* pattern, const evt_options& options, OutputPath& path,
                        evt_error* error) {
  Sink& sink = writer.output().sink();
  const bool is_numbered = NumberedFiles::is_numbered(pattern);
  const bool is_flight = options.flight_bytes != 0 || options.flight_ns != 0;
  if (!is_numbered && !is_flight) {
    return may_not_rotate(options, pattern, error) && sink.open_path(pattern, options.append != 0, path, error);
  }
  Rotation* const rotation = writer.make_rotation();
  if (rotation == nullptr) {
    set_error(error, EVT_CODE_MEMORY, "no memory for a session in several files");
    return false;
  }
  if (!rotation->take(options, writer.has_thread(), error)) return false;
  if (is_numbered) return rotation->open(pattern, error) && sink.open_numbered(rotation->files(), path, error);
  evt_error less_room = {EVT_OK, ""};
  if (!rotation->open_beside(writer.ring_path(), &less_room)) {
    *error = less_room;
    return false;
  }
  if (!sink.open_path(pattern, false, path, error)) return false;
  if (sink.is_regular() && sink.path()[0] != '\0') {
    if (less_room.message[0] != '\0') add_notice(error, "%s", less_room.message);
    return true;
  }
  path.give_back(sink.id());
  return may_not_rotate(options, pattern, error);
}

bool open_sink_of_path(evt_writer& writer, const void* where, const evt_options& options, OutputPath& path,
                       evt_error* error) {
  const auto* const pattern = static_cast<const char*>(where);
  if (!writer.snapshots().choose(options, &writer, writer.notices(), pattern, writer.has_thread(), error)) return false;
  if (!open_files_of_path(writer, pattern, options, path, error)) return false;
  const Sink& sink = writer.output().sink();
  if (!AutomaticSnapshots::are_wanted(options) || (sink.is_regular() && sink.path()[0] != '\0')) return true;
  path.give_back(sink.id());
  return may_have_no_path(options, pattern, error);
}

}  // namespace

evt_writer* open_for_user(const char* path, const evt_options& options, evt_error* error) {
  return open_session(open_sink_of_path, path, options, Notices::Printing::kAlways, error);
}

}  // namespace evt

evt_writer* evt_open_1(const char* path, const evt_options* options, const evt_sizes_* sizes, evt_error* error) {
  return evt::open_given(evt::open_sink_of_path, path, options, sizes, error);
}

evt_writer* evt_open_fd_1(int fd, const evt_options* options, const evt_sizes_* sizes, evt_error* error) {
  const auto open = [](evt_writer& writer, const void* where, const evt_options& given, evt::OutputPath&,
                       evt_error* reason) {
    if (!evt::may_have_no_path(given, "a descriptor", reason)) return false;
    writer.output().sink().use_descriptor(*static_cast<const int*>(where));
    return true;
  };
  return evt::open_given(open, &fd, options, sizes, error);
}

namespace {
struct Function {
  evt_sink sink;
  void* context;
};
}  // namespace

evt_writer* evt_open_sink_1(evt_sink sink, void* context, const evt_options* options, const evt_sizes_* sizes,
                            evt_error* error) {
  const auto open = [](evt_writer& writer, const void* where, const evt_options& given, evt::OutputPath&,
                       evt_error* reason) {
    const auto& function = *static_cast<const Function*>(where);
    if (!evt::may_have_no_path(given, "a function", reason)) return false;
    writer.output().sink().use_function(function.sink, function.context);
    return true;
  };
  const Function function = {sink, context};
  return evt::open_given(open, &function, options, sizes, error);
}
