// A slot as passed between the writer's threads: memory for rows, and its owner.
#pragma once

#include <cstdint>

#include "format-spec/src/ring/ring_layout.h"

namespace evt {

struct StreamState;

// One stream's producer fills it and hands it to the thread that writes the trace, which releases it. The fields under
// a thread's name belong to that thread; handing over orders the rest.
struct SlotState {
  ring::Slot* memory = nullptr;  // the part that recovery sees
  std::uint8_t* rows = nullptr;  // after `memory`; followed by EVT_ALIGNMENT bytes of room
  std::uint32_t capacity = 0;    // bytes of rows
  std::uint8_t size_class = 0;
  std::uint32_t next_free = 0;    // in the list of free slots, +1
  SlotState* next = nullptr;      // in a queue of full ones
  StreamState* stream = nullptr;  // atomic: the flusher looks
  std::size_t mapped = 0;         // not in the ring: separate memory, to be unmapped after it is written

  // The flusher's.
  std::uint64_t base = 0;             // the time base of the next row to be written
  std::uint64_t latest = 0;           // ticks of the rows that were written
  std::uint64_t unwritten_since = 0;  // ns; 0: all has been written
  std::uint64_t seen_commit = 0;      // when it last looked for idle streams

  std::uint64_t committed() const { return __atomic_load_n(&memory->commit, __ATOMIC_ACQUIRE); }
  std::uint64_t flushed() const { return __atomic_load_n(&memory->flushed, __ATOMIC_RELAXED); }
  // The time base of the unwritten rows.
  std::uint64_t base_of_unwritten() const { return flushed() == 0 ? memory->base_ticks : base; }
  std::uint16_t clock_id() const {
    return static_cast<std::uint16_t>(__atomic_load_n(&memory->clock_id, __ATOMIC_RELAXED));
  }
  void set_clock_id(std::uint16_t id) { __atomic_store_n(&memory->clock_id, id, __ATOMIC_RELAXED); }
};

// Empties a slot for a stream whose next row has this ordinal. A recovery sees either all of this or nothing.
inline void prepare_slot(SlotState& slot, std::uint32_t stream_id, std::uint16_t clock_id, std::uint64_t ordinal,
                         std::uint64_t base, const std::uint64_t* recorded) {
  ring::Slot& memory = *slot.memory;
  const std::uint64_t generation = memory.generation | 1;
  __atomic_store_n(&memory.generation, generation, __ATOMIC_RELAXED);
  __atomic_store_n(&memory.commit, 0, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&memory.flushed, 0, __ATOMIC_RELAXED);
  memory.base_ticks = slot.base = base;
  __atomic_store_n(&memory.first_ordinal, ordinal, __ATOMIC_RELAXED);  // a close may look, which no longer waits
  memory.stream_id = stream_id;
  slot.set_clock_id(clock_id);
  for (std::size_t cause = 0; cause < ring::kCauses; ++cause) memory.recorded[cause] = recorded[cause];
  slot.latest = 0;
  slot.unwritten_since = 0;
  __atomic_store_n(&memory.generation, generation + 1, __ATOMIC_RELEASE);
}

}  // namespace evt
