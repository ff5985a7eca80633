#include "recording.h"

#include <evt/encode.h>
#include <evt/events.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend.h"

namespace evt {
namespace {

constexpr std::uint64_t kSyncEveryNs = 1'000'000'000;
constexpr std::uint32_t kDefaultBuffer = 64 << 10;
constexpr std::uint32_t kMinBuffer = 4 << 10;
constexpr std::uint32_t kMaxBuffer = 8 << 20;
constexpr std::uint32_t kDefaultWaitMs = 10;
constexpr std::uint32_t kDefaultCloseWaitMs = 1000;
// Tables are for streams that a person could look at; beyond that, blocks contain the same information.
constexpr std::uint32_t kMaxIndexedStreams = 100'000;

thread_local int locks_held = 0;

// In the order of WriterEvents::Reason.
constexpr const char* kTexts[WriterEvents::kReasons] = {"waiting for room", "writing a block", "flusher"};

// Null if it is off, or the program has another type of this name.
template <Traced T>
const evt_type* declare(Recording& recording) {
  if (!recording.types().is_on(schema<T>.name)) return nullptr;
  return encoding::with_description<T>([&](const evt_event_type& type) {
    evt_error ignored;
    return recording.types().declare(type, TypeTable::By::kName, recording.metadata().types(), &ignored);
  });
}

bool make_known(Recording& recording, const evt_stream_info& info, evt_error* error) {
  Buffer& records = recording.metadata().streams();
  const std::size_t before = records.size();
  append_stream_record(records, info);
  if (!records.ok()) records.truncate(before);
  if (records.ok() && recording.backend().publish_metadata()) return true;
  set_error(error, EVT_CODE_MEMORY, "no memory for the description of stream %u", info.id);
  return false;
}

// Returns false if there is no memory.
bool begin(Recording& recording, StreamState& stream, const evt_stream_info& info, bool of_thread) {
  char* const name = info.name != nullptr ? strdup(info.name) : nullptr;
  if (name == nullptr && info.name != nullptr) return false;
  stream.id = info.id;
  stream.thread = info.thread;
  stream.process = info.process;
  stream.of_thread = of_thread;
  stream.users = 1;
  stream.hot.clock = recording.clock().kind();
  stream.clock_id = recording.epochs().place();
  if (!recording.backend().begin_stream(stream)) {
    free(name);
    return false;
  }
  stream.name = name;
  stream.losses->id = info.id;
  stream.losses->in_use = 1;
  stream.losses->lost_clock_id = recording.epochs().current();
  stream.recording = &recording;
  recording.streams().add(stream);
  return true;
}

}  // namespace

void UnplacedLosses::add(std::uint64_t count, std::uint64_t ticks) {
  std::uint64_t none = 0;
  __atomic_compare_exchange_n(&first_ticks_, &none, ticks, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_store_n(&last_ticks_, ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&count_, count, __ATOMIC_RELEASE);
}

void UnplacedLosses::record(evt_writer* writer) {
  const std::uint64_t count = __atomic_exchange_n(&count_, 0, __ATOMIC_ACQUIRE);
  if (count == 0) return;
  evt_stream* const stream = evt_stream_open(writer, "signal handlers");
  const std::uint64_t first = __atomic_load_n(&first_ticks_, __ATOMIC_RELAXED);
  const std::uint64_t last = __atomic_load_n(&last_ticks_, __ATOMIC_RELAXED);
  evt_stream_lost(stream, EVT_LOST_REENTERED, count, first, last > first ? last : first);
  evt_stream_seal(stream);
}

Lock::Lock(Recording& recording, bool waits) : recording_(recording) {
  ++locks_held;
  held_ = (waits ? pthread_mutex_lock(&recording_.mutex_) : pthread_mutex_trylock(&recording_.mutex_)) == 0;
}

Lock::~Lock() {
  if (held_) pthread_mutex_unlock(&recording_.mutex_);
  --locks_held;
}

bool Lock::held_by_this_thread() { return locks_held > 0; }

void Recording::set_options(const evt_options& options) {
  std::uint32_t size = options.buffer_size == 0 ? kDefaultBuffer : options.buffer_size;
  size = size < kMinBuffer ? kMinBuffer : size > kMaxBuffer ? kMaxBuffer : size;
  buffer_size_ = size / EVT_ALIGNMENT * EVT_ALIGNMENT;
  drops_ = options.full == EVT_FULL_DROP;
  wait_ms_ = options.full_wait_ms == 0 ? kDefaultWaitMs : options.full_wait_ms;
  if (options.full_wait_ms == EVT_WAIT_FOR_EVER) wait_ms_ = UINT64_MAX;
  close_wait_ms_ = options.close_wait_ms == 0 ? kDefaultCloseWaitMs : options.close_wait_ms;
  if (options.close_wait_ms == EVT_WAIT_FOR_EVER) close_wait_ms_ = UINT64_MAX;
  pid_ = getpid();
  on_error_ = options.on_error;
  on_error_context_ = options.on_error_context;
  clock_.choose(options.clock);
  // A copy has only the events of its origin; and only the caller knows whether its own clock runs while the writer
  // works.
  const bool copies = options.session != nullptr && options.session->exact != 0;
  if (!copies && options.clock == nullptr) writer_events_.allow();
}

bool Recording::ours() const { return getpid() == pid_; }
bool Recording::usable() const { return !closed_ && !output_.failed() && ours(); }

bool Recording::begin_closing() { return !__atomic_exchange_n(&closing_, true, __ATOMIC_ACQ_REL); }

void Recording::report_error() {
  if (!output_.met_error()) return;
  if (output_.failed()) streams_.switch_off();  // first: `on_error` finds every stream off
  if (__atomic_exchange_n(&error_was_reported_, true, __ATOMIC_RELAXED)) return;
  if (on_error_ != nullptr) on_error_(on_error_context_, &output_.first_error());
}

void Recording::expect_types() {
  types_.expect_matches();
  expects_types_ = true;
}

// No type is declared from now on. A pattern that matches no type is not a failure of the session.
void Recording::describe_unmatched_types(evt_error* notice) {
  if (!expects_types_) return;
  char patterns[100];
  std::uint32_t types = 0;
  {
    const Lock lock(*this);
    if (!types_.unmatched(patterns, sizeof patterns)) return;
    types = types_.size();
  }
  set_error(notice, EVT_OK, "EVTRACE: types=%s: none of the %u event types that were declared has such a name",
            patterns, types);
}

void Recording::take_losses(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  constexpr int kCause = EVT_LOST_REENTERED;
  const std::uint64_t count = __atomic_load_n(&losses.lost[kCause], __ATOMIC_RELAXED) - losses.recorded[kCause];
  if (count == 0) return;
  __atomic_fetch_sub(&losses.lost[kCause], count, __ATOMIC_RELAXED);
  unplaced_losses_.add(count, __atomic_load_n(&losses.lost_ticks, __ATOMIC_RELAXED));
}

void Recording::count_late(const StreamState& stream) {
  const bool is_its_thread = static_cast<std::uint64_t>(syscall(SYS_gettid)) == stream.thread;
  if (is_its_thread && ours() && !is_closing()) unplaced_losses_.count(clock_.now());
}

bool Recording::gather_metadata(Buffer& all) {
  Buffer living;
  for (const StreamState* s = streams_.first(); s != nullptr; s = s->next) {
    evt_stream_info info = {};
    info.id = s->id;
    info.name = s->name;
    info.thread = s->thread;
    info.process = s->process;
    append_stream_record(living, info);
  }
  Buffer last;
  facts_.append_all(last);
  return metadata_.gather(all, living, last);
}

bool Recording::write_metadata(const Buffer& blocks) {
  if (!blocks.ok()) return output_.no_memory(blocks.size());
  const std::uint64_t from = output_.bytes_written();
  if (!MetadataLog::write_collected(output_, blocks)) return false;
  output_.repeated(from);
  return true;
}

void Recording::paired_clocks(const ClockReading& start) {
  epochs_.begin(start);
  start_ns_ = start.ns;
  synced_at_ns_ = monotonic_ns();
}

bool Recording::add_next_clock() {
  const ClockReading& start = epochs_.next_start();
  return metadata_.add_clock(static_cast<std::uint16_t>(epochs_.current() + 1), start.ticks, start.ns);
}

bool Recording::write_sync() {
  if (!clock_.can_sync()) return true;
  const ClockReading now = clock_.read_all();
  SyncRecord sync;
  sync.clock_id = epochs_.current();
  if (epochs_.goes_on(now)) {
    epochs_.note(now);
  } else {
    sync.flags = EVT_SYNC_NO_ANCHOR;
  }
  sync.uncertainty_ns = now.uncertainty_ns;
  sync.ticks = now.ticks;
  sync.ns = now.ns;
  sync.utc_ns = now.utc_ns;
  sync.rows_before = rows_.rows_written();
  sync.lost_before = rows_.lost_written();
  sync_payload_.clear();
  append_sync(sync_payload_, sync);
  if (!sync_payload_.ok()) return output_.no_memory(EVT_SYNC_FIXED_SIZE);
  synced_at_ns_ = monotonic_ns();
  synced_at_bytes_ = output_.bytes_written();
  if (!output_.write(EVT_BLOCK_SYNC, sync_payload_.data(), sync_payload_.size())) return false;
  if (sync.flags == 0) syncs_[sync_count_++ % kSyncsKept] = sync;
  return true;
}

void Recording::append_sync_copies(Buffer& payloads) const {
  const std::uint64_t first = sync_count_ - (sync_count_ < kSyncsKept ? sync_count_ : kSyncsKept);
  for (std::uint64_t i = first; i < sync_count_; ++i) {
    SyncRecord copy = syncs_[i % kSyncsKept];
    copy.flags = EVT_SYNC_COPY;
    append_sync(payloads, copy);
  }
}

bool Recording::write_sync_if_due() {
  const bool due = output_.bytes_written() - synced_at_bytes_ >= EVT_SYNC_EVERY_BYTES ||
                   monotonic_ns() - synced_at_ns_ >= kSyncEveryNs;
  return !due || write_sync();
}

void Recording::append_stream_table(Buffer& table) const {
  std::uint32_t count = 0;
  for (const StreamState* s = streams_.first(); s != nullptr && count < kMaxIndexedStreams; s = s->next, ++count) {
    IndexedStream stream;
    stream.id = s->id;
    stream.rows = s->rows_written;
    stream.first_ticks = s->first_ticks;
    stream.last_ticks = s->last_ticks;
    for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      stream.lost[cause] = __atomic_load_n(&s->losses->lost[cause], __ATOMIC_RELAXED);
    }
    table.append(&stream, sizeof stream);
  }
}

void Recording::write_end() {
  Buffer table;
  append_stream_table(table);
  output_.end(table.ok() ? reinterpret_cast<const IndexedStream*>(table.data()) : nullptr,
              static_cast<std::uint32_t>(table.size() / sizeof(IndexedStream)), rows_.rows_written(),
              rows_.lost_written());
}

void Recording::note_unfinished(const StreamState& stream, std::uint64_t events) {
  if (events == 0 || unfinished_.code != EVT_OK) return;
  char name[80];
  const bool is_named = stream.name != nullptr && *stream.name != '\0';
  if (is_named) {
    snprintf(name, sizeof name, "\"%.64s\"", stream.name);
  } else {
    snprintf(name, sizeof name, "%u", stream.id);
  }
  set_error(&unfinished_, EVT_CODE_INVALID,
            "stream %s: an event was begun and neither committed nor cancelled; %llu event%s after it %s lost", name,
            static_cast<unsigned long long>(events), events == 1 ? "" : "s", events == 1 ? "is" : "are");
}

void Recording::describe_unfinished(evt_error* error) const {
  if (unfinished_.code != EVT_OK) *error = unfinished_;
}

void Recording::end(evt_error* error) {
  closed_ = true;
  if (has_thread_key_) pthread_key_delete(thread_key_);
  has_thread_key_ = false;
  streams_.free_names();
  output_.close(error);
  // A program may have many sessions, one after another: each keeps little more than what handles refer to.
  metadata_.release();
  strings_.release();
  facts_.release();
  types_.release();
  sync_payload_.release();
}

evt_counts Recording::counts() {
  const Lock lock(*this);
  evt_counts counts = {};
  counts.events_written = rows_.events_written();
  counts.bytes_written = output_.bytes_written();
  streams_.add_counts(counts);
  return counts;
}

bool declare_writer_events(Recording& recording) {
  if (!recording.writer_events().allowed() || !recording.usable()) return true;
  const evt_type* const overhead = declare<events::Overhead>(recording);
  const evt_type* const stopped = declare<events::ProcessStopped>(recording);
  std::uint32_t reasons[WriterEvents::kReasons] = {};
  for (int i = 0; i < WriterEvents::kReasons && overhead != nullptr; ++i) {
    reasons[i] = recording.strings().intern(kTexts[i], strlen(kTexts[i]), 0, recording.metadata().strings());
  }
  if (!recording.backend().publish_metadata()) return false;
  recording.writer_events().declared(overhead, stopped, reasons);
  return true;
}

StreamState* open_stream(Recording& recording, const evt_stream_info& info, bool of_thread, evt_error* error) {
  if (!recording.usable() || recording.is_closing()) {
    set_error(error, EVT_CODE_CLOSED, "the session has ended");
    return nullptr;
  }
  evt_stream_info named = info;
  if (!recording.streams().take_id(info.id, &named.id, error) || !make_known(recording, named, error)) return nullptr;
  StreamState* const stream = recording.streams().make();
  if (stream != nullptr && begin(recording, *stream, named, of_thread)) return stream;
  set_error(error, EVT_CODE_MEMORY, "no memory for a stream of %u bytes", recording.buffer_size());
  return nullptr;
}

}  // namespace evt
