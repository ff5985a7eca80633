#include "segment_record.h"

#include <evt/little_endian.h>

namespace evt {

void append_segment(Buffer& out, const SegmentRecord& segment) {
  std::uint8_t* const p = out.extend(EVT_SEGMENT_FIXED_SIZE);
  if (p != nullptr) store_segment(segment, p);
}

void store_segment(const SegmentRecord& segment, std::uint8_t* p) {
  evt_store_u16(p, EVT_SEGMENT_FIXED_SIZE);
  evt_store_u16(p + 2, EVT_SEGMENT_STREAM_SIZE);
  evt_store_u32(p + 4, segment.stream_count);
  evt_store_u64(p + 8, segment.number);
  evt_store_u64(p + 16, segment.first_block_no);
  evt_store_u64(p + 24, segment.rows_before);
  evt_store_u64(p + 32, segment.lost_before);
  evt_store_u64(p + 40, segment.ticks);
  evt_store_u64(p + 48, static_cast<std::uint64_t>(segment.ns));
  evt_store_u16(p + 56, segment.clock_id);
  evt_store_u32(p + 60, segment.ended_streams);
  evt_store_u64(p + 64, segment.ended_rows);
  evt_store_u64(p + 72, segment.ended_lost);
}

void set_first_block(std::uint8_t* payload, std::uint64_t block_no) { evt_store_u64(payload + 16, block_no); }

void append_segment_stream(Buffer& out, const SegmentStream& stream) {
  std::uint8_t* const p = out.extend(EVT_SEGMENT_STREAM_SIZE);
  if (p == nullptr) return;
  evt_store_u32(p, stream.id);
  evt_store_u16(p + 4, stream.clock_id);
  evt_store_u64(p + 8, stream.next_ordinal);
  evt_store_u64(p + 16, stream.lost_total);
  evt_store_u64(p + 24, stream.latest_ticks);
}

bool load_segment(const std::uint8_t* payload, std::size_t size, SegmentRecord* out) {
  if (size < EVT_SEGMENT_FIXED_SIZE) return false;
  const std::size_t fixed_size = evt_load_u16(payload);
  const std::size_t stream_size = evt_load_u16(payload + 2);
  out->stream_count = evt_load_u32(payload + 4);
  out->number = evt_load_u64(payload + 8);
  out->first_block_no = evt_load_u64(payload + 16);
  out->rows_before = evt_load_u64(payload + 24);
  out->lost_before = evt_load_u64(payload + 32);
  out->ticks = evt_load_u64(payload + 40);
  out->ns = static_cast<std::int64_t>(evt_load_u64(payload + 48));
  out->clock_id = evt_load_u16(payload + 56);
  out->ended_streams = evt_load_u32(payload + 60);
  out->ended_rows = evt_load_u64(payload + 64);
  out->ended_lost = evt_load_u64(payload + 72);
  if (fixed_size < EVT_SEGMENT_FIXED_SIZE || fixed_size > size) return false;
  if (out->stream_count == 0) return true;
  return stream_size >= EVT_SEGMENT_STREAM_SIZE && out->stream_count <= (size - fixed_size) / stream_size;
}

SegmentStream load_segment_stream(const std::uint8_t* payload, std::uint32_t index) {
  const std::uint8_t* const p = payload + evt_load_u16(payload) + std::size_t{evt_load_u16(payload + 2)} * index;
  SegmentStream stream;
  stream.id = evt_load_u32(p);
  stream.clock_id = evt_load_u16(p + 4);
  stream.next_ordinal = evt_load_u64(p + 8);
  stream.lost_total = evt_load_u64(p + 16);
  stream.latest_ticks = evt_load_u64(p + 24);
  return stream;
}

}  // namespace evt
