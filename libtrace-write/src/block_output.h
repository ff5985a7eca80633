// Frames blocks and hands them to the sink. Owns what numbers a session's blocks and what ends it: the first failed
// write.
#pragma once

#include <cstdint>

#include "compactor.h"
#include "format-spec/src/block_header.h"
#include "format-spec/src/index_log.h"
#include "format-spec/src/piece_table.h"
#include "sink.h"

namespace evt {

// What stands before the rows of several streams.
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
  void set_session_id(std::uint64_t id) { session_id_ = id; }
  std::uint64_t session_id() const { return session_id_; }

  // Rows are compacted from now on; false when there is no memory for it.
  bool use_compactor(const evt_compactor* compactor);
  bool compacts() const { return compactor_ != nullptr; }
  // Whether there is time for it. True until it is said.
  void set_compacting(bool compacting) { compacting_ = compacting; }

  // A failed write for want of space is tried again by the next one, instead of ending the session.
  void try_again(bool again) { try_again_ = again; }

  // Writes one block. False when it was not written.
  bool write(std::uint16_t type, const void* payload, std::size_t size);

  // Writes an EVENTS block of these rows, which stay as they are. How they are stored is settled here. `table`: of rows
  // of several streams.
  bool write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events,
                    const PieceTableBytes* table = nullptr);

  // What INDEX blocks say of the others. They are written when one is due, and at the end.
  IndexLog& index() { return index_; }

  // Ends the session for want of memory; false.
  bool no_memory(std::size_t size);

  // The last write failed, and will be tried again.
  bool stalled() const { return __atomic_load_n(&stalled_, __ATOMIC_RELAXED); }
  // Nothing more will be written.
  bool failed() const { return __atomic_load_n(&failed_, __ATOMIC_ACQUIRE); }
  // The first write that failed, even if it worked when it was tried again.
  const evt_error& first_error() const { return first_error_; }
  bool met_error() const { return __atomic_load_n(&met_error_, __ATOMIC_ACQUIRE); }
  void fail(const evt_error& error);

  std::uint64_t bytes_written() const { return __atomic_load_n(&bytes_written_, __ATOMIC_RELAXED); }

  // Gives back what it holds.
  void close(evt_error* error);

 private:
  using Bytes = IndexLog::Bytes;

  bool write_due_index(std::uint16_t next_type);
  bool put(std::uint8_t* header, std::size_t header_size, Bytes front, Bytes payload);
  void note(const evt_error& error);

  Sink sink_;
  std::uint64_t session_id_ = 0;
  std::uint64_t next_block_no_ = 0;
  std::uint64_t bytes_written_ = 0;
  IndexLog index_;
  const evt_compactor* compactor_ = nullptr;
  void* compactor_state_ = nullptr;
  bool compacting_ = true;
  bool try_again_ = false;
  bool stalled_ = false;
  bool failed_ = false;
  bool met_error_ = false;
  evt_error first_error_ = {EVT_OK, ""};
};

}  // namespace evt
