// The front of blocks: their session, their number, their checksums (FORMAT.md, section 5).
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
  std::uint32_t crc = 0;       // covers the stored bytes
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
  // For the blocks of a ring: the numbers are those of the file that they are put into.
  static BlockFramer of_ring(std::uint64_t session_id);

  std::uint64_t session_id() const { return session_id_; }

  std::uint64_t next_block_no() const { return next_block_no_; }
  // From here on SESSION blocks are flagged *continued*.
  void begin_segment() { continued_ = true; }
  // The blocks before this number are not written. REQUIRES: no block was counted.
  void begin_at(std::uint64_t block_no) { next_block_no_ = block_no; }

  // The front of the next block: any but EVENTS, with its payload stored unchanged. `flags`: those of the block.
  BlockFront front(std::uint16_t type, const void* payload, std::size_t size, std::uint16_t flags = 0) const;
  BlockFront front(const EventsHeader& events, const StoredRows& stored) const;
  // The front of a block that readers skip, copied from another trace: its type and codec, and that it is copyable.
  // `payload_crc`, `payload_size` and `raw_size` describe its payload as stored.
  BlockFront front_of_copy(const BlockHeader& original) const;
  // The block is in the trace: the next front has the next number.
  void count() { next_block_no_ += flags_ == 0 ? 1 : 0; }

  // Replaces the header in these `header.header_size` bytes; bytes after the known fields, of a later version, stay.
  // `events` is null except for EVENTS blocks.
  static void replace(const BlockHeader& header, const EventsHeader* events, std::uint8_t* bytes);

 private:
  BlockFront front(BlockHeader header, const EventsHeader* events) const;

  std::uint64_t session_id_;
  std::uint64_t next_block_no_ = 0;
  std::uint16_t flags_ = 0;  // set in all blocks
  bool continued_ = false;
};

// Appends front, payload and padding.
void append_block(Buffer& out, const BlockFront& front, const void* payload, std::size_t size);

}  // namespace evt
