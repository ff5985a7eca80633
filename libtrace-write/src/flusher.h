// The thread that writes a session's trace from its ring.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "automatic_snapshots.h"
#include "flusher_stream.h"
#include "idle_slots.h"
#include "multiplexed_block.h"
#include "next_file.h"
#include "program_threads.h"
#include "recording.h"
#include "ring.h"
#include "state_stream.h"
#include "type_switches.h"

namespace evt {

// Waits for no lock that an emitter can hold, so that neither waits for the other: work that needs one is retried in
// the next round. Once started, it allocates only for metadata.
class Flusher {
 public:
  Flusher(Recording& recording, Ring& ring)
      : recording_(recording),
        ring_(ring),
        next_file_(recording, ring),
        idle_slots_(ring),
        own_stream_(recording),
        state_stream_(recording),
        snapshots_(recording),
        switches_(recording, ring) {}

  // Makes the thread, which waits; false, with the reason in errno, if there is none.
  bool make_thread();
  void start();
  // Ends the thread; the caller handles what is still in the ring.
  void stop();
  // Releases its memory: sessions are never freed, and there may be many. REQUIRES: nothing is written any more.
  void release();
  // Any thread, also while another one stops it.
  bool is_this_thread() const { return __atomic_load_n(&self_, __ATOMIC_RELAXED) == pthread_self(); }

  // Wakes it from a long sleep, or with `now` from any. Any thread, any signal handler.
  void wake(bool now);

  // Requests that everything committed so far is written; returns the number of this request. Any thread.
  std::uint64_t request_all() { return __atomic_add_fetch(&requested_, 1, __ATOMIC_ACQ_REL); }
  bool has_written(std::uint64_t request) const { return __atomic_load_n(&answered_, __ATOMIC_ACQUIRE) >= request; }

  // True if the program's own threads have all ended, and this one with them: later rows, of exit handlers, are written
  // by the thread that closes or flushes the session. Any thread.
  bool has_ended() const { return __atomic_load_n(&has_ended_, __ATOMIC_ACQUIRE); }

  // True if rows that cannot be written stay in the ring, from which a recovery can put them into the trace.
  bool keeps_ring() const { return ring_.memory().shared() && recording_.output().sink().is_regular(); }

  StateStream& state_stream() { return state_stream_; }
  AutomaticSnapshots& snapshots() { return snapshots_; }
  NextFile& next_file() { return next_file_; }
  Rotation* rotation() { return next_file_.rotation(); }
  // Continues a requested change of segment; false if it is to be retried, and no rows may be written until then.
  bool change_segment();

  // Looks at the clock; if it has stepped, later rows are on a new one. Returns false if a write is to be retried.
  bool follow_clock();
  // Writes metadata, then the rows of all full slots; false if a write is to be retried. Called when the thread has
  // ended.
  bool drain();
  // Writes the contents of slots that are being filled: all of it, or what has waited so long.
  bool sweep(std::uint64_t older_than_ns);
  // Called before a block of events: writes metadata that is not in the trace yet, or is due again, and SYNC when due.
  bool prepare_block();
  // Repeats all metadata. Without waiting for the session's lock it may do nothing, until the next time.
  bool repeat_metadata(bool waits_for_lock);

 private:
  bool declare_clock();
  bool put_on_current_clock(SlotState& slot, std::uint64_t commit);
  bool write_log();
  bool write_rows(SlotState& slot, std::uint64_t commit);
  bool write_multiplexed();
  bool round();
  bool answer();
  void wake_from_any();
  static void* run(void* self);
  static void* end_program(void* self);
  void work();
  void leave_program();
  void sleep_for(std::uint64_t ns, bool until_full);
  std::size_t write_blocks(const std::uint8_t* block, std::size_t size);
  bool write_waiting();
  void finish_first(bool written);
  void release(SlotState& slot);
  bool is_unwritten(SlotState& slot, std::uint64_t* commit) const;
  bool any_older_than(std::uint64_t ns, std::uint64_t now);

  Recording& recording_;
  Ring& ring_;
  NextFile next_file_;
  IdleSlots idle_slots_;
  FlusherStream own_stream_;
  StateStream state_stream_;
  AutomaticSnapshots snapshots_;
  TypeSwitches switches_;
  pthread_t thread_ = {};  // to be joined, when running_
  bool running_ = false;
  pthread_t self_ = {};  // set by the thread itself while it works, because a later thread may get the same number
  ProgramThreads threads_;
  bool has_ended_ = false;  // atomic
  bool stop_ = false;
  std::uint32_t started_ = 0;     // a futex: may work, or stop
  std::uint32_t sleeping_ = 0;    // a futex: not asleep, for a short time, for a long time, until a retry
  SlotState* waiting_ = nullptr;  // full slots in the order in which they filled up
  SlotState** waiting_end_ = &waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::uint64_t swept_at_ns_ = 0;
  std::uint64_t requested_ = 0;  // writing all
  std::uint64_t answered_ = 0;
  struct Buffers {
    MultiplexedBlock multiplexed;
    std::uint8_t merged[64 << 10];
  };
  Buffers* buffers_ = nullptr;  // mapped, so that only used pages are ever touched
};

}  // namespace evt
