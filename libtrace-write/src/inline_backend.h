// Rows that their producers write: each stream has one slot, which is written as a block when it is full.
#pragma once

#include "backend.h"
#include "recording.h"

namespace evt {

// The session's lock guards the output. Declarations are written before the next rows. Only producers know when their
// rows are finished, so there is no flush_all().
class InlineBackend final : public Backend {
 public:
  explicit InlineBackend(Recording& recording) : recording_(recording) {}

  bool make_room(StreamState& stream, std::size_t room, std::uint64_t ticks) override;
  bool get_room(StreamState& stream, std::size_t room) override;
  Moved move_row(StreamState& stream, evt_row* row, std::size_t payload, std::size_t room,
                 std::uint64_t ticks) override;
  void write_overflow(StreamState& stream, evt_row row, std::size_t payload, std::uint64_t ticks) override;
  void flush(StreamState& stream) override;
  bool begin_block(StreamState& stream) override;
  void seal(StreamState& stream) override;

  bool begin_stream(StreamState& stream) override;
  bool publish_metadata() override;
  void close(bool with_end) override;

 private:
  // Writes what the stream holds as one block and empties it; false if the session has ended. A row in progress keeps
  // its place and bytes, and losses are recorded after it.
  enum class Row : std::uint8_t { kNone, kInProgress };
  bool write_slot(StreamState& stream, Row row);
  bool write_slot_locked(StreamState& stream, Row row);
  bool write_rows(SlotState& slot);
  bool repeat_metadata();
  bool prepare_block();
  void close_stream(StreamState& stream);
  void write_losses_beside(StreamState& stream);

  Recording& recording_;
  SlotState* left_behind_ = nullptr;  // from producers that close found in the middle of an event
};

}  // namespace evt
