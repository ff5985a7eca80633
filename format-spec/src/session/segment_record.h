// SEGMENT, the block with which every file of a session except the first begins (FORMAT.md, section 6.7): between bytes
// and structs. Pure: bytes in, bytes out.
#pragma once

#include <evt/format.h>

#include <cstddef>
#include <cstdint>

#include "format-spec/src/base/buffer.h"

namespace evt {

// A live stream, at the beginning of the segment.
struct SegmentStream {
  std::uint32_t id = 0;
  std::uint16_t clock_id = 0;      // clock of latest_ticks
  std::uint64_t next_ordinal = 0;  // rows before the segment
  std::uint64_t lost_total = 0;    // events that LOST rows before it count
  std::uint64_t latest_ticks = 0;  // the largest time of its rows since its last jump
};

// State before a segment.
struct SegmentRecord {
  std::uint64_t number = 0;  // the segment's, from 0
  std::uint64_t first_block_no = 0;
  std::uint64_t rows_before = 0;
  std::uint64_t lost_before = 0;
  std::uint16_t clock_id = 0;
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
  std::uint32_t stream_count = 0;  // live streams, which are described
  // Totals of all other streams.
  std::uint32_t ended_streams = 0;
  std::uint64_t ended_rows = 0;
  std::uint64_t ended_lost = 0;
};

// The fixed part, then a record for each live stream.
void append_segment(Buffer& out, const SegmentRecord& segment);
// Overwrites the fixed part.
void store_segment(const SegmentRecord& segment, std::uint8_t* payload);
// Its first block, once that is known.
void set_first_block(std::uint8_t* payload, std::uint64_t block_no);
void append_segment_stream(Buffer& out, const SegmentStream& stream);

// Reads a payload of this size; false if it is too short. Skips what a later version inserted.
bool load_segment(const std::uint8_t* payload, std::size_t size, SegmentRecord* out);
// REQUIRES: load_segment() was true; index < stream_count.
SegmentStream load_segment_stream(const std::uint8_t* payload, std::uint32_t index);

}  // namespace evt
