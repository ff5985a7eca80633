// What the threads of a session share: its lock, what they declare, and what goes out before their rows.
#include "recording.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

namespace evt {
namespace {

constexpr std::uint64_t kSyncEveryNs = 1'000'000'000;
constexpr int kPublishTries = 1000;  // a millisecond each

thread_local int locks_held = 0;

}  // namespace

Lock::Lock(evt_writer& writer) : writer_(writer) {
  ++locks_held;
  pthread_mutex_lock(&writer_.mutex);
}

Lock::~Lock() {
  pthread_mutex_unlock(&writer_.mutex);
  --locks_held;
  if (!writer_.has_flusher()) writer_.tell_error();  // else the flusher does
}

bool Lock::held_by_this_thread() { return locks_held > 0; }

}  // namespace evt

bool evt_writer::ours() const { return getpid() == pid; }
bool evt_writer::usable() const { return !closed && !output.failed() && ours(); }

void evt_writer::switch_off_streams() {
  // A producer that gets a slot at this moment sees that the session has failed, or its limit is taken away here.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // Streams are only ever added at the front, and stay.
  for (evt::StreamState* s = __atomic_load_n(&streams, __ATOMIC_ACQUIRE); s != nullptr; s = s->next) {
    __atomic_store_n(&s->hot.limit, nullptr, __ATOMIC_RELAXED);
  }
}

void evt_writer::tell_error() {
  if (!output.met_error()) return;
  if (output.failed()) switch_off_streams();  // first: who is told finds every stream off
  if (__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) return;
  if (on_error != nullptr) on_error(on_error_context, &output.first_error());
}

bool evt_writer::publish_metadata() {
  if (!has_flusher() || closed) return true;
  for (int i = 0; !metadata.publish(ring, output.session_id()); ++i) {
    if (i == evt::kPublishTries || output.failed() || metadata.lacks_memory()) return false;
    flusher.wake(true);
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
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
  sync_payload.clear();
  append_sync(sync_payload, sync);
  if (!sync_payload.ok()) return output.no_memory(EVT_SYNC_FIXED_SIZE);
  synced_at_ns = static_cast<std::uint64_t>(now.ns);
  synced_at_bytes = output.bytes_written();
  return output.write(EVT_BLOCK_SYNC, sync_payload.data(), sync_payload.size());
}

bool evt_writer::gather_metadata(evt::Buffer& all) {
  evt::Buffer living;
  for (const evt::StreamState* s = streams; s != nullptr; s = s->next) {
    evt_stream_info info = {};
    info.id = s->id;
    info.name = s->name;
    info.thread = s->thread;
    info.process = s->process;
    append_stream_record(living, info);
  }
  return metadata.gather(all, living);
}

// With a flusher nobody waits for the lock while the sink takes its time.
bool evt_writer::repeat_metadata(bool wait_for_lock) {
  evt::Buffer all;
  if (has_flusher()) {
    if ((wait_for_lock ? pthread_mutex_lock(&mutex) : pthread_mutex_trylock(&mutex)) != 0) return true;  // next time
    gather_metadata(all);
    pthread_mutex_unlock(&mutex);
  } else {
    gather_metadata(all);
  }
  if (!all.ok()) return output.no_memory(all.size());
  if (!evt::MetadataLog::write_gathered(output, all)) return false;
  output.repeated();
  return true;
}

bool evt_writer::write_housekeeping() {
  const std::uint64_t bytes = output.bytes_written();
  if (output.repeat_is_due() && !repeat_metadata(false)) return false;
  if (!(has_flusher() ? flusher.write_log() : metadata.write_pending(output))) return false;
  const bool due =
      bytes - synced_at_bytes >= EVT_SYNC_EVERY_BYTES || evt::monotonic_ns() - synced_at_ns >= evt::kSyncEveryNs;
  return !due || write_sync();
}

static const evt_type* declare(evt_writer* writer, const evt_event_type* type, evt::TypeTable::By by,
                               evt_error* error) {
  static constexpr evt_type kOff = {0, nullptr};
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  if (writer == nullptr) return &kOff;
  if (!writer->ours()) return &kOff;
  const evt::Lock lock(*writer);
  if (writer->closed) {
    evt::set_error(error, EVT_CODE_CLOSED, "event type %.64s: the session is closed", type->name);
    return &kOff;
  }
  const evt_type* const declared = writer->types.declare(*type, by, writer->metadata.types(), error);
  if (declared == nullptr) return &kOff;
  if (writer->publish_metadata()) return declared;
  evt::set_error(error, EVT_CODE_MEMORY, "event type %.64s: no room in the ring for its description", type->name);
  return &kOff;
}

const evt_type* evt_declare(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return declare(writer, type, evt::TypeTable::By::kName, error);
}

const evt_type* evt_declare_as(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return declare(writer, type, evt::TypeTable::By::kNumber, error);
}

uint32_t evt_switch_types(evt_writer* writer, const char* glob, int on) {
  if (writer == nullptr || !writer->ours()) return 0;
  const evt::Lock lock(*writer);
  return writer->types.switch_types(glob, on != 0);
}

uint32_t evt_intern_as(evt_writer* writer, uint32_t id, const char* text, size_t size) {
  if (writer == nullptr || !writer->ours()) return 0;
  const evt::Lock lock(*writer);
  if (!writer->usable()) return 0;
  const std::uint32_t known = writer->strings.intern(text, size, id, writer->metadata.strings());
  return writer->publish_metadata() ? known : 0;
}

uint32_t evt_intern(evt_writer* writer, const char* text, size_t size) { return evt_intern_as(writer, 0, text, size); }

uint64_t evt_writer_now(const evt_writer* writer) { return writer == nullptr ? 0 : writer->clock.now(); }

void evt_flush(evt_writer* writer) {
  if (writer == nullptr || !writer->ours() || !writer->has_flusher()) return;
  evt::wait_until_written(*writer, writer->flusher.ask_for_all());
}

evt_counts evt_writer_counts(evt_writer* writer) {
  if (writer == nullptr || !writer->ours()) return {};
  const evt::Lock lock(*writer);
  evt_counts counts = {};
  counts.events_written = __atomic_load_n(&writer->events_written, __ATOMIC_RELAXED);
  counts.bytes_written = writer->output.bytes_written();
  counts.texts_cut = writer->texts_cut_with_streams;
  for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) counts.lost[cause] = writer->lost_with_streams[cause];
  for (const evt::StreamState* s = writer->streams; s != nullptr; s = s->next) {
    for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      counts.lost[cause] += __atomic_load_n(&s->losses->lost[cause], __ATOMIC_RELAXED);
    }
    counts.texts_cut += __atomic_load_n(&s->texts_cut, __ATOMIC_RELAXED);
  }
  return counts;
}

const char* evt_writer_path(const evt_writer* writer) {
  return writer == nullptr ? "" : const_cast<evt_writer*>(writer)->output.sink().path();
}

const char* evt_version() { return EVT_VERSION; }
