// One session, whichever way its rows are written: state shared by its threads, their declarations, and its output.
#pragma once

#include <evt/evt.h>
#include <pthread.h>
#include <sys/types.h>

#include <cstdint>

#include "clock_epochs.h"
#include "fact_table.h"
#include "metadata_log.h"
#include "row_output.h"
#include "stream_list.h"
#include "string_table.h"
#include "type_table.h"
#include "writer_events.h"

namespace evt {

// Events of threads that have no stream: signal handlers before they have one, destructors and signal handlers after it
// has ended. No stream could count them. They are recorded in a separate stream when the session is closed.
class UnplacedLosses {
 public:
  // Any thread, signal handlers too.
  void count(std::uint64_t ticks) { add(1, ticks); }
  void add(std::uint64_t count, std::uint64_t ticks);
  std::uint64_t total() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }
  // REQUIRES: the session is open; its lock is not held.
  void record(evt_writer* writer);

 private:
  // Atomic.
  std::uint64_t count_ = 0;
  std::uint64_t first_ticks_ = 0;  // 0: none
  std::uint64_t last_ticks_ = 0;
};

class Backend;

// Never freed, so that handles stay valid; end() releases its resources.
class Recording {
 public:
  Recording() : epochs_(clock_), rows_(output_, epochs_), writer_events_(clock_) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // --- By open, before another thread has the session.
  void set_options(const evt_options& options);
  void use(Backend& backend) { backend_ = &backend; }
  // While a failed write is returned to the caller, `on_error` is not called for it.
  void error_was_returned(bool is) { error_was_reported_ = is; }

  // --- Settled by open.
  Backend& backend() { return *backend_; }
  const Clock& clock() const { return clock_; }
  std::uint32_t buffer_size() const { return buffer_size_; }  // for a stream that writes its rows itself
  bool drops() const { return drops_; }                       // when the ring is full, at once
  std::uint64_t wait_ms() const { return wait_ms_; }          // else, for a slot
  // False for a fork child's copy, which must not write into its parent's file, and whose lock may be held for ever.
  bool ours() const;

  // --- Guarded by the lock.
  MetadataLog& metadata() { return metadata_; }
  TypeTable& types() { return types_; }
  StringTable& strings() { return strings_; }
  FactTable& facts() { return facts_; }
  StreamList& streams() { return streams_; }
  const StreamList& streams() const { return streams_; }
  bool is_closed() const { return closed_; }
  // Called before the lock is taken: its holder may be waiting for a reader. From here on the wait for readers is
  // limited.
  void limit_waiting() { output_.sink().limit_waiting(close_wait_ms_); }
  bool usable() const;  // open, in its own process, and no write has failed
  // From here on no stream is added; false if it was called before.
  bool begin_closing();
  // All metadata so far, for write_metadata().
  bool gather_metadata(Buffer& all);
  // When the session is closed, types that the environment chose and the program never declared are reported.
  void expect_types();
  // Nothing more will be written to the trace.
  void note_closed() { closed_ = true; }
  // Releases system resources, when nothing is written any more.
  void end(evt_error* error);
  // Notes that so many events of the stream are lost after one that was begun and never finished. Called by close.
  void note_unfinished(const StreamState& stream, std::uint64_t events);
  // Describes that in a sentence, if it happened.
  void describe_unfinished(evt_error* error) const;

  // --- Of the thread that writes the trace: the flusher, or without one the thread that holds the lock.
  BlockOutput& output() { return output_; }
  const BlockOutput& output() const { return output_; }
  RowOutput& rows() { return rows_; }
  const RowOutput& rows() const { return rows_; }
  bool write_metadata(const Buffer& blocks);
  bool write_sync();
  // The payloads of the latest of these, each EVT_SYNC_FIXED_SIZE bytes, as copies for the next segment of the session.
  void append_sync_copies(Buffer& payloads) const;
  // Appends an IndexedStream for each stream, unless there are too many for a person to look at. Without memory there
  // is none. REQUIRES: no stream is opened meanwhile.
  void append_stream_table(Buffer& table) const;
  bool write_sync_if_due();
  // CLOCK pairs the clocks like a SYNC.
  void paired_clocks(const ClockReading& start);
  ClockEpochs& epochs() { return epochs_; }
  // The session's start on its time scale.
  std::int64_t start_ns() const { return start_ns_; }
  // Its functions state which thread may call them.
  WriterEvents& writer_events() { return writer_events_; }
  // Adds the clock after a step to the metadata. REQUIRES: lock held. False without memory.
  bool add_next_clock();
  // Writes what the backend has ready and, at the end of the session, all metadata once more, SYNC, the table of
  // streams, INDEX and TRAILER: no single block of a session is a point of failure, but tiny sessions do not repeat the
  // metadata.
  template <typename Prepare, typename Repeat>
  void write_last_words(bool with_end, Prepare prepare_block, Repeat repeat_metadata) {
    const bool repeats = output_.last_repeat_is_due();
    if (!prepare_block() || !with_end || (repeats && !repeat_metadata()) || !write_sync()) return;
    write_end();
  }

  // --- Any thread.
  bool is_closing() const { return __atomic_load_n(&closing_, __ATOMIC_ACQUIRE); }
  // After the first failed write, calls on_error once; every stream is off then, unless the write may be retried.
  // REQUIRES: this thread does not hold the lock.
  void report_error();
  // The sentence for expect_types(), if there is one. REQUIRES: as above.
  void describe_unmatched_types(evt_error* notice);
  // Called for a stream: its events are not even counted.
  void note_lack_of_memory() { __atomic_store_n(&lacked_memory_, true, __ATOMIC_RELAXED); }
  bool lacked_memory() const { return __atomic_load_n(&lacked_memory_, __ATOMIC_RELAXED); }
  // Called where a thread gets no stream of its own, as the program has taken all keys for thread data.
  void note_lack_of_key() { __atomic_store_n(&lacked_key_, true, __ATOMIC_RELAXED); }
  bool lacked_key() const { return __atomic_load_n(&lacked_key_, __ATOMIC_RELAXED); }
  evt_counts counts();
  UnplacedLosses& unplaced_losses() { return unplaced_losses_; }
  // Takes over the losses that signal handlers counted on a stream since its last row. REQUIRES: called by its
  // producer; it is off.
  void take_losses(StreamState& stream);
  // Counts an event that came after its stream had ended with its thread. Any signal handler; others with its handle
  // count nothing.
  void count_late(const StreamState& stream);

  // The calling thread's stream; null if it has none. REQUIRES: has_thread_key(), under the lock.
  bool has_thread_key() const { return has_thread_key_; }
  void make_thread_key(void (*ended)(void*)) { has_thread_key_ = pthread_key_create(&thread_key_, ended) == 0; }
  evt_stream* stream_of_thread() const { return static_cast<evt_stream*>(pthread_getspecific(thread_key_)); }
  bool set_stream_of_thread(const void* stream) { return pthread_setspecific(thread_key_, stream) == 0; }

 private:
  friend class Lock;

  void write_end();

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  MetadataLog metadata_;
  TypeTable types_;
  StringTable strings_;
  FactTable facts_;
  StreamList streams_;
  bool closed_ = false;
  bool has_thread_key_ = false;
  pthread_key_t thread_key_ = 0;

  Backend* backend_ = nullptr;
  Clock clock_;
  std::uint32_t buffer_size_ = 0;
  pid_t pid_ = 0;
  bool drops_ = false;
  std::uint64_t wait_ms_ = 0;
  std::uint64_t close_wait_ms_ = 0;
  void (*on_error_)(void*, const evt_error*) = nullptr;
  void* on_error_context_ = nullptr;
  bool expects_types_ = false;

  BlockOutput output_;
  ClockEpochs epochs_;
  RowOutput rows_;
  WriterEvents writer_events_;
  std::uint64_t synced_at_bytes_ = 0;
  std::uint64_t synced_at_ns_ = 0;
  std::int64_t start_ns_ = 0;
  static constexpr std::size_t kSyncsKept = 16;
  SyncRecord syncs_[kSyncsKept];
  std::uint64_t sync_count_ = 0;
  UnplacedLosses unplaced_losses_;
  evt_error unfinished_ = {EVT_OK, ""};  // about the first such stream
  Buffer sync_payload_;  // kept, because a flusher that allocates could wait for a thread that waits for it

  // Atomic.
  bool closing_ = false;
  bool error_was_reported_ = false;
  bool lacked_memory_ = false;
  bool lacked_key_ = false;
};

// For an event that finds its stream off: a thread may continue to record after its stream has ended with it, in
// destructors of its values and in signal handlers.
inline void count_if_late(const StreamState& stream) {
  if (__atomic_load_n(&stream.thread_ended, __ATOMIC_RELAXED)) stream.recording->count_late(stream);
}

// Holds a session's lock.
class Lock {
 public:
  explicit Lock(Recording& recording) : Lock(recording, true) {}
  // Without waiting for it: held() may be false.
  static Lock try_to(Recording& recording) { return Lock(recording, false); }
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool held() const { return held_; }
  // True in a signal handler that interrupted a thread inside the library: locking again would deadlock.
  static bool held_by_this_thread();

 private:
  Lock(Recording& recording, bool waits);

  Recording& recording_;
  bool held_;
};

// Declares the writer's own events that are on, and publishes them: an empty session has none. Returns false if there
// is no room for that now. REQUIRES: lock held.
bool declare_writer_events(Recording& recording);

// Opens one more stream, which is described in the metadata before it can record. Returns null, with `error` filled, if
// there is no memory, the id is taken or the session has ended. REQUIRES: lock held.
StreamState* open_stream(Recording& recording, const evt_stream_info& info, bool of_thread, evt_error* error);

}  // namespace evt
