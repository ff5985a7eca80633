// Frames blocks and hands them to the sink. Owns what numbers a session's blocks and what ends it: the first failed
// write.
#pragma once

#include <cstdint>

#include "format-spec/src/block_header.h"
#include "format-spec/src/buffer.h"
#include "sink.h"

namespace evt {

// Not thread-safe: whoever holds the writer's lock uses it.
class BlockOutput {
 public:
  Sink& sink() { return sink_; }
  void set_session_id(std::uint64_t id) { session_id_ = id; }

  // Writes one block. False once the session has failed.
  bool write(std::uint16_t type, const void* payload, std::size_t size);

  // Writes an EVENTS block whose rows stand in memory behind EVT_EVENTS_HEADER_SIZE bytes of room and before
  // EVT_ALIGNMENT more: one write, no copy. `events` gets its checksum here.
  bool write_events(std::uint8_t* block, std::uint16_t flags, EventsHeader events);

  // Ends the session for want of memory; false.
  bool no_memory(std::size_t size);

  bool failed() const { return first_error_.code != EVT_OK; }
  const evt_error& first_error() const { return first_error_; }
  void fail(const evt_error& error) {
    if (!failed()) first_error_ = error;
  }

  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  bool put(std::uint8_t* block, std::size_t header_size, std::size_t payload_size);

  Sink sink_;
  Buffer scratch_;
  std::uint64_t session_id_ = 0;
  std::uint64_t next_block_no_ = 0;
  std::uint64_t bytes_written_ = 0;
  evt_error first_error_ = {EVT_OK, ""};
};

}  // namespace evt
