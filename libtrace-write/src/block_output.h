// Blocks of a session on their way to the sink. Owns the first failed write, which ends the session.
#pragma once

#include <cstdint>

#include "compactor.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/session/session_encoder.h"
#include "sink.h"

namespace evt {

// Precedes the rows of several streams.
struct PieceTableBytes {
  const std::uint8_t* data;
  std::size_t size;
  const Piece* pieces;
  std::uint32_t count;
};

// Not thread-safe: one thread at a time writes a session.
class BlockOutput {
 public:
  Sink& sink() { return sink_; }
  const Sink& sink() const { return sink_; }
  BlockOutput() : encoder_(put, this) {}

  void begin(std::uint64_t session_id) { encoder_.begin(session_id, true); }
  std::uint64_t session_id() const { return encoder_.session_id(); }

  // Compresses rows from now on; false if there is no memory for it.
  bool use_compactor(const evt_compactor* compactor);
  bool compacts() const { return compactor_ != nullptr; }
  // Tells whether there is time to compress. True until the first call.
  void set_compacting(bool compacting) { compacting_ = compacting; }

  // A write that failed for want of space is retried by the next one, instead of ending the session.
  void try_again(bool again) { try_again_ = again; }

  // Called for space while there is none, as long as it returns true; the write is then retried at once. Null: nothing.
  void use_space_giver(bool (*give)(void*), void* context) {
    give_space_ = give;
    space_giver_ = context;
  }

  // Writes one block of metadata, or SYNC. Returns false if it was not written.
  bool write(std::uint16_t type, const void* payload, std::size_t size);

  // Writes an EVENTS block of these rows, which do not change. Chooses how they are stored. `table`: for rows of
  // several streams.
  bool write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events,
                    const PieceTableBytes* table = nullptr);

  // Where to count the rows of the next EVENTS block by type; null if there is no index.
  TypeCounts* begin_counts() { return encoder_.begin_counts(); }

  // When the metadata is to be written again, and that it was: behind so many bytes.
  bool repeat_is_due() const { return encoder_.repeat_is_due(); }
  bool last_repeat_is_due() const { return encoder_.last_repeat_is_due(); }
  void repeated(std::uint64_t from) { encoder_.repeated(from); }
  // Writes INDEX and a TRAILER after which the session continues in another segment; false if the trailer was not
  // written.
  bool end_segment(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost);
  void begin_segment(std::uint64_t rows, std::uint64_t lost) { encoder_.begin_segment(rows, lost); }
  std::uint64_t segment() const { return encoder_.segment(); }
  std::uint64_t segment_bytes() const { return encoder_.segment_bytes(); }
  std::uint64_t next_block_no() const { return encoder_.next_block_no(); }
  // INDEX and TRAILER.
  void end(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost);

  // Ends the session for want of memory; returns false.
  bool no_memory(std::size_t size);

  // The last write failed, and will be retried.
  bool stalled() const { return __atomic_load_n(&stalled_, __ATOMIC_RELAXED); }
  // Nothing more will be written.
  bool failed() const { return __atomic_load_n(&failed_, __ATOMIC_ACQUIRE); }
  // The first write that failed, even if a retry worked.
  const evt_error& first_error() const { return first_error_; }
  bool met_error() const { return __atomic_load_n(&met_error_, __ATOMIC_ACQUIRE); }
  void fail(const evt_error& error);

  std::uint64_t bytes_written() const { return encoder_.bytes(); }

  // Releases its memory.
  void close(evt_error* error);

 private:
  static bool put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count);
  bool put(const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count);
  bool gives_space() const { return sink_.may_work_later() && give_space_ != nullptr && give_space_(space_giver_); }
  void note(const evt_error& error);

  Sink sink_;
  SessionEncoder encoder_;
  const evt_compactor* compactor_ = nullptr;
  void* compactor_state_ = nullptr;
  bool compacting_ = true;
  bool try_again_ = false;
  bool (*give_space_)(void*) = nullptr;
  void* space_giver_ = nullptr;
  bool stalled_ = false;
  bool failed_ = false;
  bool met_error_ = false;
  evt_error first_error_ = {EVT_OK, ""};
};

}  // namespace evt
