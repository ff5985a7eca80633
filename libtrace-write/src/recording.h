// The state behind evt_writer: one session, and the lock that guards what its threads share.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "block_output.h"
#include "clock.h"
#include "flusher.h"
#include "metadata_log.h"
#include "ring.h"
#include "stream_state.h"
#include "string_table.h"
#include "type_table.h"

namespace evt {

// Holds a writer's lock. Afterwards, when nothing is locked any more, tells the caller of a write that failed
// meanwhile.
class Lock {
 public:
  explicit Lock(evt_writer& writer);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // True in a signal handler that interrupted a thread inside the library: to lock again would be to wait for oneself.
  static bool held_by_this_thread();

 private:
  evt_writer& writer_;
};

// Gives back what the session holds of the system. REQUIRES: lock held.
void end_session(evt_writer& writer, evt_error* error);

// The ring's name goes, unless it `stays` for the rows that the trace lacks, and its memory when no thread can touch it
// any more. The flusher's goes as well. REQUIRES: the flusher has ended.
void release_ring(evt_writer& writer, bool unmap, bool stays);

}  // namespace evt

// One session. Never freed, so that its handles stay valid; what it holds is given back by close.
struct evt_writer {
  // Guards what declaring, interning and opening streams change; in a session without a flusher the output too.
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  evt::MetadataLog metadata;
  evt::TypeTable types;
  evt::StringTable strings;
  evt::StreamState* streams = nullptr;
  evt::StreamState* next_state = nullptr;  // of those that have memory already
  std::size_t states_left = 0;
  bool streams_used_again = false;
  evt::SlotState* left_behind = nullptr;  // of producers that close found in the middle of an event
  std::uint32_t next_stream_id = 1;
  bool closed = false;
  bool has_thread_stream = false;
  pthread_key_t thread_stream = 0;

  // Set once, by open.
  evt::Clock clock;
  std::uint32_t buffer_size = 0;  // without a flusher
  bool with_flusher = false;      // and a ring; both are gone when the session is closed
  pid_t pid = 0;                  // of the process that opened: a fork child must not write into its parent's file
  bool drops = false;             // what finds the ring full, at once
  std::uint64_t wait_ms = 0;      // else, for a slot
  void (*on_error)(void*, const evt_error*) = nullptr;
  void* on_error_context = nullptr;
  void (*says_unmatched)(const char*) = nullptr;  // set when the environment chose types

  evt::Ring ring;
  evt::Flusher flusher;
  evt::StreamState* retired = nullptr;   // atomic list: streams that were sealed as their threads ended
  evt::StreamState* reusable = nullptr;  // the same; guarded by the lock
  std::uint64_t open_streams = 0;        // atomic

  // Of whoever writes the trace: the flusher, or without one whoever holds the lock.
  evt::BlockOutput output;
  std::uint64_t rows_written = 0;
  std::uint64_t lost_written = 0;
  std::uint64_t synced_at_bytes = 0;
  std::uint64_t synced_at_ns = 0;
  evt::Buffer sync_payload;  // kept: a flusher that allocates could wait for who waits for it

  std::uint64_t lost_with_streams[EVT_LOST_CAUSES] = {};  // of streams that are used again; guarded by the lock
  std::uint64_t texts_cut_with_streams = 0;

  // Atomic.
  bool closing = false;
  bool told = false;  // of the first failed write, by on_error or by open
  std::uint64_t events_written = 0;

  bool has_flusher() const { return with_flusher; }
  bool ours() const;    // not a fork child's copy, in which the lock may be held by nobody that is there
  bool usable() const;  // open, in its own process, and no write has failed
  bool is_closing() const { return __atomic_load_n(&closing, __ATOMIC_ACQUIRE); }
  // Whether rows that cannot be written stay in the ring, from which a recovery can put them into the trace.
  bool keeps_ring() const { return ring.memory().shared() && output.sink().is_regular(); }
  // From any thread.
  void switch_off_streams();
  // After the first write that failed, calls on_error once; every stream is off then, unless the write may be tried
  // again. REQUIRES: no lock held.
  void tell_error();

  // Makes known, before any id of it is given away, what has been declared. REQUIRES: lock held.
  bool publish_metadata();
  bool write_sync();
  // All metadata again. REQUIRES: as for the output.
  bool repeat_metadata(bool wait_for_lock);
  bool gather_metadata(evt::Buffer& all);
  // Before a block of events: pending metadata, repeats, SYNC when due.
  bool write_housekeeping();

  bool lacked_memory = false;  // for a stream: what it was to record is not even counted
  evt_writer* next_writer = nullptr;
};
