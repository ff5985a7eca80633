// Sessions: opened, and kept in order while they last. How they end is in close.cc.
#include "writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <new>

#include "session_facts.h"

namespace evt {
namespace {

constexpr std::uint32_t kDefaultBuffer = 64 << 10;
constexpr std::uint32_t kSmallestBuffer = 4 << 10;
constexpr std::uint32_t kLargestBuffer = 8 << 20;
constexpr std::uint64_t kSyncEveryNs = 1'000'000'000;

// All writers for ever: handles stay valid after close, and leak checkers see why.
evt_writer* all_writers = nullptr;
pthread_mutex_t all_writers_mutex = PTHREAD_MUTEX_INITIALIZER;

void remember(evt_writer* writer) {
  pthread_mutex_lock(&all_writers_mutex);
  writer->next_writer = all_writers;
  all_writers = writer;
  pthread_mutex_unlock(&all_writers_mutex);
}

thread_local int locks_held = 0;

void describe_session(evt_writer& writer, const evt_options& options) {
  SessionFacts facts(options.session);
  ClockReading start;
  if (writer.clock.can_sync()) {
    start = writer.clock.read_all();
  } else {
    start.ticks = writer.clock.start_ticks();
    start.utc_ns = utc_ns();
  }
  if (facts.info.start_utc_ns == 0 && facts.info.exact == 0) facts.info.start_utc_ns = start.utc_ns;
  writer.output.set_session_id(evt_load_u64(facts.info.uuid));
  append_session(writer.metadata.session(), facts.info, start.ns);
  ClockFacts clock;
  clock.id = 1;
  clock.kind = writer.clock.kind();
  clock.hz = writer.clock.hz();
  clock.start_ticks = start.ticks;
  clock.start_ns = start.ns;
  clock.tolerance_ns = writer.clock.can_sync() ? 1000 : 0;
  append_clock(writer.metadata.clock(), clock, facts.info);
  writer.synced_at_ns = monotonic_ns();  // CLOCK pairs the clocks as a SYNC does
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
  if (!open_sink(writer->output.sink(), where, options, error)) {
    free(memory);
    return nullptr;
  }
  std::uint32_t size = options.buffer_size == 0 ? kDefaultBuffer : options.buffer_size;
  size = size < kSmallestBuffer ? kSmallestBuffer : size > kLargestBuffer ? kLargestBuffer : size;
  writer->buffer_size = size / EVT_ALIGNMENT * EVT_ALIGNMENT;
  writer->pid = getpid();
  writer->on_error = options.on_error;
  writer->on_error_context = options.on_error_context;
  writer->clock.choose(options.clock);
  writer->has_thread_stream = pthread_key_create(&writer->thread_stream, seal_thread_stream) == 0;
  remember(writer);

  describe_session(*writer, options);
  // SESSION goes out before anything, so that a file is never without its first line; an unwritable sink shows here.
  const Lock lock(*writer);
  if (writer->metadata.write_pending(writer->output)) return writer;
  *error = writer->output.first_error();
  writer->told = true;  // by open
  end_session(*writer, nullptr);
  return nullptr;
}

}  // namespace

Lock::Lock(evt_writer& writer) : writer_(writer) {
  ++locks_held;
  pthread_mutex_lock(&writer_.mutex);
}

Lock::~Lock() {
  const bool tell = writer_.output.failed() && !writer_.told;
  if (tell) writer_.told = true;
  pthread_mutex_unlock(&writer_.mutex);
  --locks_held;
  if (tell && writer_.on_error != nullptr) writer_.on_error(writer_.on_error_context, &writer_.output.first_error());
}

bool Lock::held_by_this_thread() { return locks_held > 0; }

}  // namespace evt

bool evt_writer::ours() const { return getpid() == pid; }
bool evt_writer::usable() const { return !closed && !output.failed() && ours(); }

void evt_writer::session_failed() {
  for (evt::StreamState* s = streams; s != nullptr; s = s->next) {
    __atomic_store_n(&s->hot.limit, nullptr, __ATOMIC_RELAXED);
  }
}

bool evt_writer::write_sync() {
  if (!clock.can_sync()) return true;
  const evt::ClockReading now = clock.read_all();
  evt::SyncFacts sync;
  sync.clock_id = 1;
  sync.uncertainty_ns = now.uncertainty_ns;
  sync.ticks = now.ticks;
  sync.ns = now.ns;
  sync.utc_ns = now.utc_ns;
  sync.rows_before = rows_written;
  sync.lost_before = lost_written;
  evt::Buffer payload;
  append_sync(payload, sync);
  synced_at_ns = static_cast<std::uint64_t>(now.ns);
  synced_at_bytes = output.bytes_written();
  return output.write(EVT_BLOCK_SYNC, payload.data(), payload.size());
}

bool evt_writer::write_housekeeping() {
  const std::uint64_t bytes = output.bytes_written();
  if (bytes - repeated_at_bytes >= EVT_REPEAT_METADATA_EVERY) {
    repeated_at_bytes = bytes;
    if (!metadata.write_all(output)) return false;
  }
  if (!metadata.write_pending(output)) return false;
  const bool due =
      bytes - synced_at_bytes >= EVT_SYNC_EVERY_BYTES || evt::monotonic_ns() - synced_at_ns >= evt::kSyncEveryNs;
  return !due || write_sync();
}

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

const evt_type* evt_declare(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  static constexpr evt_type kOff = {0};
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (writer == nullptr) return &kOff;
  if (!writer->ours()) return &kOff;
  const evt::Lock lock(*writer);
  const evt_type* const declared = writer->types.declare(*type, writer->metadata.types(), error);
  return declared != nullptr ? declared : &kOff;
}

uint32_t evt_intern_as(evt_writer* writer, uint32_t id, const char* text, size_t size) {
  if (writer == nullptr || !writer->ours()) return 0;
  const evt::Lock lock(*writer);
  return writer->usable() ? writer->strings.intern(text, size, id, writer->metadata.strings()) : 0;
}

uint32_t evt_intern(evt_writer* writer, const char* text, size_t size) { return evt_intern_as(writer, 0, text, size); }

uint64_t evt_writer_now(const evt_writer* writer) { return writer == nullptr ? 0 : writer->clock.now(); }

evt_counts evt_writer_counts(evt_writer* writer) {
  if (writer == nullptr || !writer->ours()) return {};
  const evt::Lock lock(*writer);
  evt_counts counts = writer->counts;
  counts.bytes_written = writer->output.bytes_written();
  for (const evt::StreamState* s = writer->streams; s != nullptr; s = s->next) {
    for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      counts.lost[cause] += __atomic_load_n(&s->lost_pending[cause], __ATOMIC_RELAXED);
    }
    counts.texts_cut += __atomic_load_n(&s->texts_cut, __ATOMIC_RELAXED);
  }
  return counts;
}

const char* evt_version() { return EVT_VERSION; }
