// One session, whichever way its rows are written: what its threads share, what they declare, and its output.
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

// Events of threads that have no stream: signal handlers before they have one, destructors and signal handlers when it
// has ended. None could count them. They are recorded in a stream of their own when the session is closed.
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

// Never freed, so that handles stay valid; what it holds is released by end().
class Recording {
 public:
  Recording() : epochs_(clock_), rows_(output_, epochs_), writer_events_(clock_) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // --- By open, before another thread has the session.
  void set_options(const evt_options& options);
  void use(Backend& backend) { backend_ = &backend; }
  // While a failed write is returned to the caller `on_error` is not called for it.
  void error_was_returned(bool is) { error_was_reported_ = is; }

  // --- Settled by open.
  Backend& backend() { return *backend_; }
  const Clock& clock() const { return clock_; }
  std::uint32_t buffer_size() const { return buffer_size_; }  // of a stream that writes its rows itself
  bool drops() const { return drops_; }                       // what finds the ring full, at once
  std::uint64_t wait_ms() const { return wait_ms_; }          // else, for a slot
  // Not a fork child's copy, which must not write into its parent's file, and whose lock may be held for ever.
  bool ours() const;

  // --- Guarded by the lock.
  MetadataLog& metadata() { return metadata_; }
  TypeTable& types() { return types_; }
  StringTable& strings() { return strings_; }
  FactTable& facts() { return facts_; }
  StreamList& streams() { return streams_; }
  const StreamList& streams() const { return streams_; }
  bool is_closed() const { return closed_; }
  // Before the lock: a thread that has it may be waiting for a reader. From here on readers are not waited for for
  // ever.
  void limit_waiting() { output_.sink().limit_waiting(close_wait_ms_); }
  bool usable() const;  // open, in its own process, and no write has failed
  // From here on no stream is added; false when that is so already.
  bool begin_closing();
  // All metadata as it is now, for write_metadata().
  bool gather_metadata(Buffer& all);
  // Types that the environment chose and the program never declares are reported when the session is closed.
  void expect_types();
  // Nothing more is written to the trace.
  void note_closed() { closed_ = true; }
  // Releases what the session holds of the system, when nothing is written any more.
  void end(evt_error* error);
  // So many events of the stream are lost behind one that was begun and never finished. By close.
  void note_unfinished(const StreamState& stream, std::uint64_t events);
  // The sentence of that, if there is one.
  void describe_unfinished(evt_error* error) const;

  // --- Of the thread that writes the trace: the flusher, or without one the thread that holds the lock.
  BlockOutput& output() { return output_; }
  const BlockOutput& output() const { return output_; }
  RowOutput& rows() { return rows_; }
  const RowOutput& rows() const { return rows_; }
  bool write_metadata(const Buffer& blocks);
  bool write_sync();
  // The payloads of the last of these, each EVT_SYNC_FIXED_SIZE bytes, as copies for the next segment of the session.
  void append_sync_copies(Buffer& payloads) const;
  // An IndexedStream for each stream, as long as a person could look at all of them. Without memory there is none.
  // REQUIRES: no stream is opened meanwhile.
  void append_stream_table(Buffer& table) const;
  bool write_sync_if_due();
  // CLOCK pairs the clocks as a SYNC does.
  void paired_clocks(const ClockReading& start);
  ClockEpochs& epochs() { return epochs_; }
  // Its functions state which thread may call them.
  WriterEvents& writer_events() { return writer_events_; }
  // The clock behind a step, among the metadata. REQUIRES: lock held. False without memory.
  bool add_next_clock();
  // What the backend has ready and, at the end of the session, all metadata once more, SYNC, the table of streams,
  // INDEX and TRAILER: no single block of a session is a point of failure, but tiny sessions are spared the metadata.
  template <typename Prepare, typename Repeat>
  void write_last_words(bool with_end, Prepare prepare_block, Repeat repeat_metadata) {
    const bool repeats = output_.last_repeat_is_due();
    if (!prepare_block() || !with_end || (repeats && !repeat_metadata()) || !write_sync()) return;
    write_end();
  }

  // --- Any thread.
  bool is_closing() const { return __atomic_load_n(&closing_, __ATOMIC_ACQUIRE); }
  // After the first write that failed, calls on_error once; every stream is off then, unless the write may be tried
  // again. REQUIRES: this thread does not hold the lock.
  void report_error();
  // The sentence for expect_types(), if there is one. REQUIRES: as above.
  void describe_unmatched_types(evt_error* notice);
  // For a stream: what it was to record is not even counted.
  void note_lack_of_memory() { __atomic_store_n(&lacked_memory_, true, __ATOMIC_RELAXED); }
  bool lacked_memory() const { return __atomic_load_n(&lacked_memory_, __ATOMIC_RELAXED); }
  evt_counts counts();
  UnplacedLosses& unplaced_losses() { return unplaced_losses_; }
  // Takes over what signal handlers lost on a stream since its last row. REQUIRES: called by its producer; it is off.
  void take_losses(StreamState& stream);
  // An event came when its stream had ended with its thread. Any signal handler; others with its handle count nothing.
  void count_late(const StreamState& stream);

  // The calling thread's stream; null when it has none. REQUIRES: has_thread_key(), under the lock.
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
  static constexpr std::size_t kSyncsKept = 16;
  SyncRecord syncs_[kSyncsKept];
  std::uint64_t sync_count_ = 0;
  UnplacedLosses unplaced_losses_;
  evt_error unfinished_ = {EVT_OK, ""};  // of the first such stream
  Buffer sync_payload_;                  // kept: a flusher that allocates could wait for a thread that waits for it

  // Atomic.
  bool closing_ = false;
  bool error_was_reported_ = false;
  bool lacked_memory_ = false;
};

// For an event that finds its stream off: a thread may record on when its stream has ended with it, in destructors of
// its values and in signal handlers.
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
  // True in a signal handler that interrupted a thread inside the library: to lock again would be to wait for oneself.
  static bool held_by_this_thread();

 private:
  Lock(Recording& recording, bool waits);

  Recording& recording_;
  bool held_;
};

// Declares the writer's own events that are on, and makes them known: an empty session has none. False when there is no
// room for that now. REQUIRES: lock held.
bool declare_writer_events(Recording& recording);

// Opens one more stream, which is described in the metadata before it can record. Null, with `error` filled, when there
// is no memory, the id is taken or the session has ended. REQUIRES: lock held.
StreamState* open_stream(Recording& recording, const evt_stream_info& info, bool of_thread, evt_error* error);

}  // namespace evt
