// The ring of a session: slots that streams fill and the flusher empties, the log of metadata that is not in the file
// yet, and a record of each stream's losses. FORMAT.md, section 12.
#pragma once

#include "file_id.h"
#include "format-spec/src/base/buffer.h"
#include "format-spec/src/ring/control_page.h"
#include "ring_memory.h"
#include "slot.h"

namespace evt {

class Ring {
 public:
  static constexpr unsigned kClasses = 7;  // slots of 4 KiB, doubling up to 256 KiB
  static constexpr std::uint32_t kSmallestSlot = ring::kSmallestSlot;

  // Called before open(): starts with few slots, and keeps free those that a stream needs next.
  void begin_small() { largest_kept_ = kSmall; }
  // `front`: the SESSION and CLOCK blocks, which say where the ring is: with `name` in a folder of rings, without in
  // private memory. `most` bytes of slots, 0 for a fair share. Returns false, with the reason in errno, if that fails.
  bool open(const char* folder, const char* name, const Buffer& front, std::uint64_t session_id, std::uint64_t most);
  bool is_open() const { return memory_.data() != nullptr; }
  RingMemory& memory() { return memory_; }
  const RingMemory& memory() const { return memory_; }
  // Records which file the session writes to from now on, for a process that finds the ring after a kill.
  void set_output(const char* path, const FileId& id, std::uint64_t segment, std::uint64_t first_block_no);
  // Records what the session keeps, for those who list rings.
  void set_budget(const ring::Budget& budget) { header_->budget = budget; }

  // Where other processes ask for something; null: in private memory. FORMAT.md, section 12.1.
  ring::ControlPage* control() const;

  // Records that no row has a later time on this clock, until it is called again. Flusher only.
  void set_bound(std::uint16_t clock, std::uint64_t ticks);

  // A free slot of this class, or else of a larger or a smaller one; null if all are in use. Any thread, any signal
  // handler.
  SlotState* take(unsigned size_class);
  void give(SlotState* slot);
  // Queues a slot that its stream has released. From here on another thread may have the stream.
  void hand_over(SlotState* slot);
  // The flusher has written it, or gives it up. Flusher only.
  void take_out_of_flight() { __atomic_fetch_sub(&in_flight_, 1, __ATOMIC_RELAXED); }
  // True if slots are on their way to the file, and so will be free soon.
  bool has_in_flight() const { return __atomic_load_n(&in_flight_, __ATOMIC_RELAXED) != 0; }
  // Takes all that were pushed, oldest first. Flusher only.
  SlotState* take_full();
  bool has_full() const { return __atomic_load_n(&full_, __ATOMIC_RELAXED) != nullptr; }

  // Keeps `times` times as many slots free, for a slow consumer.
  void keep_more_free(std::uint32_t times) { kept_times_ = times; }
  // Adds slots where the last round used them up. Flusher only. Returns false if not all wanted slots could be added.
  bool grow();
  // Like grow(), for a producer that waited in vain, between try_begin_growth() and end_growth(): adds slots of this
  // class, or of a smaller one down to `least`. Returns false if the ring has reached its limit, or there is no memory.
  bool grow_for(unsigned size_class, unsigned least);
  // True if the ring, which began small, has no slots of this class yet, and may have some.
  bool lacks(unsigned size_class) const { return !__atomic_load_n(&was_added_[size_class], __ATOMIC_RELAXED); }
  // Adds the slots that a ring has from its beginning, between try_begin_growth() and end_growth().
  void add_lacking(unsigned size_class);
  // Only one thread at a time adds slots; false if another one does. This thread must not be interrupted: a signal
  // handler that waited for it would wait for ever.
  bool try_begin_growth() { return !__atomic_exchange_n(&growing_, true, __ATOMIC_ACQUIRE); }
  void end_growth() { __atomic_store_n(&growing_, false, __ATOMIC_RELEASE); }

  // Called when a producer finds no slot, and the ring cannot grow: idle streams must give theirs back. Any thread, any
  // signal handler.
  void call_for_idle_slots() { __atomic_store_n(&wants_idle_slots_, true, __ATOMIC_RELAXED); }
  // True if one has called since the last time. Flusher only.
  bool is_called_for_idle_slots() { return __atomic_exchange_n(&wants_idle_slots_, false, __ATOMIC_RELAXED); }

  // All existing slots. Any thread.
  std::uint32_t slot_count() const { return __atomic_load_n(&slot_count_, __ATOMIC_ACQUIRE); }
  SlotState& slot(std::uint32_t index) { return slots_[index]; }

  // A record for a stream; null if there are too many. REQUIRES: the writer's lock held.
  ring::StreamRecord* take_record();

  // Adds one finished block to the log of metadata; false if there is no room until more of it has been written.
  // REQUIRES: the writer's lock held.
  bool append_to_log(std::uint16_t type, const void* payload, std::size_t size, std::uint64_t session_id);
  // The log from byte `from` up to the returned one, both counted from the log's start; `*bytes` points to them.
  // Flusher only.
  std::uint64_t log_since(std::uint64_t from, const std::uint8_t** bytes) const;
  void set_log_written(std::uint64_t total) { __atomic_store_n(&log_written_, total, __ATOMIC_RELEASE); }
  std::uint64_t log_written() const { return __atomic_load_n(&log_written_, __ATOMIC_ACQUIRE); }

  // Rows that have not been written. REQUIRES: no slot is emptied meanwhile.
  std::uint64_t unwritten_rows() const;

  // Limit for the bytes of slots.
  std::uint64_t capacity() const { return slots_most_; }

  void unmap();

 private:
  static constexpr std::uint32_t kSmall = 2;

  bool commit_log(std::uint64_t size);
  bool add_slots(unsigned size_class, std::uint32_t count);
  std::uint32_t wanted_slots(unsigned size_class);
  SlotState* pop(unsigned size_class);
  void push_full(SlotState* slot);

  RingMemory memory_;
  ring::Header* header_ = nullptr;
  SlotState* slots_ = nullptr;
  std::uint32_t slot_count_ = 0;
  std::uint64_t slots_end_ = 0;  // in the memory
  std::uint64_t slots_most_ = 0;
  std::uint64_t free_[kClasses] = {};   // lists: tag << 32 | index + 1
  std::uint64_t taken_[kClasses] = {};  // bytes requested in this class since the last growth
  std::uint32_t free_count_[kClasses] = {};
  std::uint32_t kept_times_ = 1;
  std::uint32_t largest_kept_ = kClasses;  // classes up to this one have slots kept free
  bool was_added_[kClasses] = {};          // atomic: some, or there was no room for any
  bool growing_ = false;                   // atomic
  SlotState* full_ = nullptr;              // newest first
  std::uint32_t in_flight_ = 0;            // atomic
  bool wants_idle_slots_ = false;          // atomic

  std::uint64_t log_committed_ = 0;  // bytes that have memory
  std::uint64_t log_written_ = 0;
  std::uint32_t records_committed_ = 0;
};

}  // namespace evt
