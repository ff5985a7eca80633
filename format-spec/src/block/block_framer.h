// The front of blocks: who they belong to, their number, their checksums (FORMAT.md, section 5).
#pragma once

#include "block_header.h"
#include "format-spec/src/base/buffer.h"

namespace evt {

// How the payload of an EVENTS block is stored.
struct StoredRows {
  std::uint16_t flags = 0;
  std::uint8_t codec = EVT_CODEC_NONE;
  std::uint32_t raw_size = 0;  // before the codec
  std::uint32_t size = 0;      // as stored
  std::uint32_t crc = 0;       // of these bytes
};

// The header of one block, complete with its checksum.
struct BlockFront {
  std::uint8_t bytes[EVT_EVENTS_HEADER_SIZE];
  std::size_t size;
};

// Numbers the blocks of one session. Nothing else seals a block's header. One thread at a time.
class BlockFramer {
 public:
  explicit BlockFramer(std::uint64_t session_id = 0) : session_id_(session_id) {}
  // Of the blocks that a ring has: the file that they are put into has taken the numbers.
  static BlockFramer of_ring(std::uint64_t session_id);

  std::uint64_t session_id() const { return session_id_; }

  std::uint64_t next_block_no() const { return next_block_no_; }
  // From here on SESSION blocks are flagged *continued*.
  void begin_segment() { continued_ = true; }

  // The front of the next block: any but EVENTS, with its payload stored as it is. `flags`: its own.
  BlockFront front(std::uint16_t type, const void* payload, std::size_t size, std::uint16_t flags = 0) const;
  BlockFront front(const EventsHeader& events, const StoredRows& stored) const;
  // Of a block that readers skip, as another trace has it: its type and codec, and that it is copyable. `payload_crc`,
  // `payload_size` and `raw_size` are of its payload as stored.
  BlockFront front_of_copy(const BlockHeader& original) const;
  // The block is in the trace: the next front has the next number.
  void count() { next_block_no_ += flags_ == 0 ? 1 : 0; }

  // Writes another header over the one in these `header.header_size` bytes; those behind the known fields, of a later
  // version, stay. `events` is null but for EVENTS blocks.
  static void replace(const BlockHeader& header, const EventsHeader* events, std::uint8_t* bytes);

 private:
  BlockFront front(BlockHeader header, const EventsHeader* events) const;

  std::uint64_t session_id_;
  std::uint64_t next_block_no_ = 0;
  std::uint16_t flags_ = 0;  // of all blocks
  bool continued_ = false;
};

// Front, payload and padding, behind what is there.
void append_block(Buffer& out, const BlockFront& front, const void* payload, std::size_t size);

}  // namespace evt
