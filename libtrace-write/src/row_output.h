// Rows between the slot that holds them and the trace: what a block says of them, and what is noted when it is written.
#pragma once

#include "format-spec/src/block/block_header.h"
#include "stream_state.h"

namespace evt {

// Rows of a slot from what was written of it up to a commit. Valid while the slot is.
struct UnwrittenRows {
  SlotState* slot = nullptr;
  std::uint64_t commit = 0;
  const std::uint8_t* rows = nullptr;
  EventsHeader events;
  RowFacts facts;
};

// --- Of whoever writes the trace.

// `counts`: as for walk().
UnwrittenRows describe_rows(SlotState& slot, std::uint64_t commit, TypeCounts* counts);
void note_written(evt_writer& writer, const UnwrittenRows& written);

// Writes the rows of a slot up to `commit` that have not been written, as a block; false when they were not.
bool write_rows(evt_writer& writer, SlotState& slot, std::uint64_t commit);
// After a failed write: counts what the slot still holds as lost.
void give_up_rows(SlotState& slot);

}  // namespace evt
