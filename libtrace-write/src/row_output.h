// Rows between the slot that holds them and the trace: what their block states, and what is noted when it is written.
#pragma once

#include <cstdint>

#include "block_output.h"
#include "clock_epochs.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/index_entries.h"
#include "snapshot_trigger.h"
#include "stream_state.h"

namespace evt {

// Contents of a run of rows (FORMAT.md, section 7).
struct RowStats {
  std::uint64_t first_ticks = UINT64_MAX;  // without rows that are later than the bound
  std::uint64_t last_ticks = 0;
  std::uint64_t events = 0;
  std::uint64_t lost = 0;  // counted by LOST rows
  std::uint64_t base = 0;  // the time base of the next row
  bool unsorted = false;
  bool passes_bound = false;  // some row is later than the bound
};

// Rows of a slot after the written ones, up to a commit. Valid while the slot is.
struct UnwrittenRows {
  SlotState* slot = nullptr;
  std::uint64_t commit = 0;
  const std::uint8_t* rows = nullptr;
  EventsHeader events;
  RowStats facts;
};

// Not thread-safe: one thread at a time writes a session.
class RowOutput {
 public:
  RowOutput(BlockOutput& blocks, const ClockEpochs& epochs) : blocks_(blocks), epochs_(epochs) {}

  // Writes the unwritten rows of a slot up to `commit` as a block; false if that failed. The metadata that they need is
  // in the trace. REQUIRES: there are some.
  bool write(SlotState& slot, std::uint64_t commit);

  // The steps of write(), for rows of several streams in one block. `counts`: from begin_counts().
  TypeCounts* begin_counts() { return counts_ = blocks_.begin_counts(); }
  UnwrittenRows describe(SlotState& slot, std::uint64_t commit, TypeCounts* counts) const;
  // Replaces the bound by a later one.
  static void set_bound(UnwrittenRows* rows, std::uint64_t bound_ticks);
  bool write_block(const std::uint8_t* rows, bool unsorted, const EventsHeader& events,
                   const PieceTableBytes* table = nullptr);
  void note_written(const UnwrittenRows& written);

  // Shows it the rows that are written from now on. Called by open.
  void watch(SnapshotTrigger* trigger) { trigger_ = trigger; }

  // After a failed write: counts the remaining rows of the slot as lost.
  static void give_up(SlotState& slot);

  std::uint64_t rows_written() const { return rows_written_; }
  std::uint64_t lost_written() const { return lost_written_; }
  // Any thread.
  std::uint64_t events_written() const { return __atomic_load_n(&events_written_, __ATOMIC_RELAXED); }

 private:
  BlockOutput& blocks_;
  const ClockEpochs& epochs_;
  TypeCounts* counts_ = nullptr;  // rows of each type in the current block
  SnapshotTrigger* trigger_ = nullptr;
  std::uint64_t rows_written_ = 0;
  std::uint64_t lost_written_ = 0;
  std::uint64_t events_written_ = 0;  // atomic
};

}  // namespace evt
