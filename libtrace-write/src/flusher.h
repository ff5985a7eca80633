// The thread that writes a session's trace from its ring.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "flusher_stream.h"
#include "idle_slots.h"
#include "multiplexed_block.h"
#include "program_threads.h"
#include "recording.h"
#include "ring.h"
#include "rotation.h"
#include "segment_change.h"

namespace evt {

// Waits for no lock that an emitter can hold, so that neither waits for the other: what needs one is tried again in the
// next round. After it has begun it allocates for metadata alone.
class Flusher {
 public:
  Flusher(Recording& recording, Ring& ring)
      : recording_(recording), ring_(ring), change_(recording, ring), idle_slots_(ring), own_stream_(recording) {}

  // Makes the thread, which waits; false, and errno is why, when there is none.
  bool make_thread();
  void start();
  // Ends the thread; what is still in the ring is left to the caller.
  void stop();
  // Releases its memory: sessions are never freed, and may be many. REQUIRES: nothing is written any more.
  void release();
  // Any thread, also while another one stops it.
  bool is_this_thread() const { return __atomic_load_n(&self_, __ATOMIC_RELAXED) == pthread_self(); }

  // Wakes it from a long sleep, or with `now` from any. Any thread, any signal handler.
  void wake(bool now);

  // What has been committed by now is to be written; the number of this request. Any thread.
  std::uint64_t request_all() { return __atomic_add_fetch(&requested_, 1, __ATOMIC_ACQ_REL); }
  bool has_written(std::uint64_t request) const { return __atomic_load_n(&answered_, __ATOMIC_ACQUIRE) >= request; }

  // The program's own threads have all ended, and this one with them: what is recorded from then on, by exit handlers,
  // is written by who closes or flushes the session. Any thread.
  bool has_ended() const { return __atomic_load_n(&has_ended_, __ATOMIC_ACQUIRE); }

  // Whether rows that cannot be written stay in the ring, from which a recovery can put them into the trace.
  bool keeps_ring() const { return ring_.memory().shared() && recording_.output().sink().is_regular(); }

  // The session goes on in a new file at this path: segments. Any thread.
  SegmentChange& segment_change() { return change_; }
  // What makes it go on in new files by itself.
  // Null: it does not.
  Rotation* rotation() { return rotation_; }
  // Before start(); null without memory.
  Rotation* make_rotation();
  // Goes on with that where it is asked for; false when it is to be tried again, and no rows may be written until then.
  bool change_segment();

  // Looks at the clock; one that has stepped becomes another one, for rows from then on. False when a write is to be
  // tried again.
  bool follow_clock();
  // Metadata, then the rows of all full slots; false when a write is to be tried again. Called when the thread has
  // ended.
  bool drain();
  // Writes what slots hold that are being filled: all of it, or what has waited so long.
  bool sweep(std::uint64_t older_than_ns);
  // Before a block of events: metadata that is not in the trace yet, or is due again, and SYNC when due.
  bool prepare_block();
  // All metadata again. Without waiting for the session's lock it may do nothing, until the next time.
  bool repeat_metadata(bool waits_for_lock);

 private:
  // The next file, when that is due before so many bytes of rows. False while no rows may be written.
  bool rotate_if_due(std::uint64_t upcoming_bytes = 0);
  bool go_on_changing();
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
  SegmentChange change_;
  Rotation* rotation_ = nullptr;
  IdleSlots idle_slots_;
  FlusherStream own_stream_;
  pthread_t thread_ = {};  // to be joined, when running_
  bool running_ = false;
  pthread_t self_ = {};  // set by the thread itself while it works, since a later thread may get the same number
  ProgramThreads threads_;
  bool has_ended_ = false;  // atomic
  bool stop_ = false;
  std::uint32_t started_ = 0;     // a futex: may work, or stop
  std::uint32_t sleeping_ = 0;    // a futex: not, a short time, a long time, until it tries again
  SlotState* waiting_ = nullptr;  // full slots in the order in which they were filled
  SlotState** waiting_end_ = &waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::uint64_t swept_at_ns_ = 0;
  std::uint64_t requested_ = 0;  // writing all
  std::uint64_t answered_ = 0;
  struct Buffers {
    MultiplexedBlock multiplexed;
    std::uint8_t merged[64 << 10];
  };
  Buffers* buffers_ = nullptr;  // mapped, so that only what is used is ever touched
};

}  // namespace evt
