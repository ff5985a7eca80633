// The fixed layouts of FORMAT.md, sections 5 and 6, between bytes and structs. Pure: bytes in, bytes out.
#pragma once

#include <evt/format.h>

#include <cstddef>
#include <cstdint>

namespace evt {

struct BlockHeader {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::uint16_t header_size = EVT_BLOCK_HEADER_SIZE;
  std::uint8_t codec = EVT_CODEC_NONE;
  std::uint8_t must_understand = 0;
  std::uint32_t payload_size = 0;
  std::uint32_t raw_size = 0;
  std::uint64_t session_id = 0;
  std::uint64_t block_no = 0;
  std::uint32_t payload_crc = 0;
};

// The rest of the header of an EVENTS block.
struct EventsHeader {
  std::uint32_t stream_id = 0;
  std::uint8_t layout = EVT_LAYOUT_ROWS;
  std::uint16_t clock_id = 0;
  std::uint64_t base_ticks = 0;
  std::uint64_t first_ticks = 0;  // the smallest valid time in the block
  std::uint64_t last_ticks = 0;   // the largest of them
  std::uint32_t row_count = 0;
  std::uint32_t rows_size = 0;
  std::uint32_t rows_crc = 0;
  std::uint32_t stream_seq = 0;
  std::uint64_t first_ordinal = 0;
  std::uint64_t lost_total = 0;
  std::uint64_t bound_ticks = 0;  // no later stamp is possible; 0: not stated

  // A row with a later stamp was recorded at another time.
  std::uint64_t latest_possible() const { return bound_ticks == 0 ? UINT64_MAX : bound_ticks; }
};

// What the bytes at an offset are.
enum class HeaderState : std::uint8_t {
  kGood,
  kNotABlock,  // no magic
  kNewer,      // the magic of another generation of the header
  kShort,      // the magic or its front, then fewer bytes than the header declares
  kBadSize,    // header_size is not one
  kBadChecksum,
};

// Writes the 48 bytes of `header`, its checksum still missing.
void store_block_header(const BlockHeader& header, std::uint8_t* out);
// Writes the 72 bytes of `events` that follow the 48 at `out`.
void store_events_header(const EventsHeader& events, std::uint8_t* out);
// Fills in the checksum of the header at `out`, whose `header_size` bytes are all there.
void seal_header(std::uint8_t* out, std::size_t header_size);
// Gives the block with this good header another number.
void renumber_block(std::uint8_t* header, std::uint64_t block_no);

// Reads the header at the start of `size` bytes. `out` is filled only for kGood.
HeaderState load_block_header(const std::uint8_t* bytes, std::size_t size, BlockHeader* out);
// REQUIRES: a good header of at least EVT_EVENTS_HEADER_SIZE bytes.
EventsHeader load_events_header(const std::uint8_t* bytes);

// The zero bytes that follow a payload so that the next block begins at a multiple of 8.
constexpr std::size_t padding_after(std::size_t size) { return (EVT_ALIGNMENT - size % EVT_ALIGNMENT) % EVT_ALIGNMENT; }

}  // namespace evt
