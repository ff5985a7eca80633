// A row that outgrows its slot while it is emitted: it moves to the beginning of another one, or into separate memory,
// the overflow, which becomes a slot for this one row.
#pragma once

#include "stream_state.h"

namespace evt {

// Limit for an event; its row is not larger than EVT_MAX_EVENT_ROW.
constexpr std::size_t kMaxPayload = EVT_MAX_EVENT_ROW - 12;

// Begins the row of an event at the stream's cursor. REQUIRES: room there for the row's front and a wide number.
evt_begun_ begin_row(StreamState& stream, std::uint32_t number, std::uint64_t ticks);
constexpr std::size_t kWideNumber = 4;

// The inline half lets a row of a wide type start after the number, which comes first, and never finishes such a row.
// These convert between its true start and the one that the inline half knows.
bool is_wide(const evt_row& row);
void to_true_start(evt_row* row);
void to_inline_start(evt_row* row);

// REQUIRES of these: the row has its true start.
std::uint64_t ticks_of(const StreamState& stream, const evt_row& row);
std::size_t payload_of(const evt_row& row);
// Room that a slot must have for a row with so much payload; 0 if it is too large for any.
std::size_t slot_room(std::size_t payload);
// Moves the row's bytes so far to the front of the stream's present slot.
void put_at_front(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks);
// Adds the row, complete in its place, to the finished ones.
void finish_row(StreamState& stream, const evt_row& row);
// A jump belongs to the next row: if that row leaves the slot, the jump moves with it.
void take_back_jump(StreamState& stream);
// Records losses from before the row before it. Losses since it was begun are recorded after it.
void record_losses_before(StreamState& stream, std::uint64_t ticks);

// Moves the row to the overflow, with room for `wanted` bytes of payload; false if there is no memory.
bool move_to_overflow(StreamState& stream, evt_row* row, std::size_t payload, std::size_t wanted);
void drop_overflow(StreamState& stream);
// Makes the overflow a slot that holds this one row, after the row of a jump if there is one.
SlotState& slot_of_overflow(StreamState& stream, const evt_row& row, std::size_t payload, std::uint64_t ticks);

}  // namespace evt
