#include "block_header.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <cstring>

#include "crc32c.h"

namespace evt {
namespace {

constexpr std::size_t kCrcAt = 44;

std::uint32_t header_crc(const std::uint8_t* bytes, std::size_t header_size) {
  static constexpr std::uint8_t kZero[4] = {};
  std::uint32_t crc = crc32c(0, bytes, kCrcAt);
  crc = crc32c(crc, kZero, sizeof kZero);
  return crc32c(crc, bytes + EVT_BLOCK_HEADER_SIZE, header_size - EVT_BLOCK_HEADER_SIZE);
}

// Compares the bytes that are there.
bool is_magic_but_generation(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t at = EVT_MAGIC_GENERATION_AT;
  size = std::min<std::size_t>(size, EVT_MAGIC_SIZE);
  return size > 0 && std::memcmp(bytes, EVT_MAGIC, std::min(size, at)) == 0 &&
         (size <= at || std::memcmp(bytes + at + 1, &EVT_MAGIC[at + 1], size - at - 1) == 0);
}

}  // namespace

void store_block_header(const BlockHeader& header, std::uint8_t* out) {
  std::memcpy(out, EVT_MAGIC, EVT_MAGIC_SIZE);
  evt_store_u16(out + 8, header.type);
  evt_store_u16(out + 10, header.flags);
  evt_store_u16(out + 12, header.header_size);
  out[14] = header.codec;
  out[15] = header.must_understand;
  evt_store_u32(out + 16, header.payload_size);
  evt_store_u32(out + 20, header.raw_size);
  evt_store_u64(out + 24, header.session_id);
  evt_store_u64(out + 32, header.block_no);
  evt_store_u32(out + 40, header.payload_crc);
  evt_store_u32(out + kCrcAt, 0);
}

void store_events_header(const EventsHeader& events, std::uint8_t* out) {
  evt_store_u32(out + 48, events.stream_id);
  out[52] = events.layout;
  out[53] = 0;
  evt_store_u16(out + 54, events.clock_id);
  evt_store_u64(out + 56, events.base_ticks);
  evt_store_u64(out + 64, events.first_ticks);
  evt_store_u64(out + 72, events.last_ticks);
  evt_store_u32(out + 80, events.row_count);
  evt_store_u32(out + 84, events.rows_size);
  evt_store_u32(out + 88, events.rows_crc);
  evt_store_u32(out + 92, events.stream_seq);
  evt_store_u64(out + 96, events.first_ordinal);
  evt_store_u64(out + 104, events.lost_total);
  evt_store_u64(out + 112, events.bound_ticks);
}

void seal_header(std::uint8_t* out, std::size_t header_size) {
  evt_store_u32(out + kCrcAt, header_crc(out, header_size));
}

void renumber_block(std::uint8_t* header, std::uint64_t block_no) {
  evt_store_u64(header + 32, block_no);
  seal_header(header, evt_load_u16(header + 12));
}

HeaderState load_block_header(const std::uint8_t* bytes, std::size_t size, BlockHeader* out) {
  if (!is_magic_but_generation(bytes, size)) return HeaderState::kNotABlock;
  if (size < EVT_MAGIC_SIZE) return HeaderState::kShort;
  if (bytes[EVT_MAGIC_GENERATION_AT] != static_cast<std::uint8_t>(EVT_MAGIC[EVT_MAGIC_GENERATION_AT])) {
    return HeaderState::kNewer;
  }
  if (size < EVT_BLOCK_HEADER_SIZE) return HeaderState::kShort;
  const std::uint16_t header_size = evt_load_u16(bytes + 12);
  if (header_size < EVT_BLOCK_HEADER_SIZE || header_size > EVT_BLOCK_HEADER_MAX || header_size % EVT_ALIGNMENT != 0) {
    return HeaderState::kBadSize;
  }
  if (size < header_size) return HeaderState::kShort;
  if (evt_load_u32(bytes + kCrcAt) != header_crc(bytes, header_size)) return HeaderState::kBadChecksum;
  out->type = evt_load_u16(bytes + 8);
  out->flags = evt_load_u16(bytes + 10);
  out->header_size = header_size;
  out->codec = bytes[14];
  out->must_understand = bytes[15];
  out->payload_size = evt_load_u32(bytes + 16);
  out->raw_size = evt_load_u32(bytes + 20);
  out->session_id = evt_load_u64(bytes + 24);
  out->block_no = evt_load_u64(bytes + 32);
  out->payload_crc = evt_load_u32(bytes + 40);
  return HeaderState::kGood;
}

EventsHeader load_events_header(const std::uint8_t* bytes) {
  EventsHeader events;
  events.stream_id = evt_load_u32(bytes + 48);
  events.layout = bytes[52];
  events.clock_id = evt_load_u16(bytes + 54);
  events.base_ticks = evt_load_u64(bytes + 56);
  events.first_ticks = evt_load_u64(bytes + 64);
  events.last_ticks = evt_load_u64(bytes + 72);
  events.row_count = evt_load_u32(bytes + 80);
  events.rows_size = evt_load_u32(bytes + 84);
  events.rows_crc = evt_load_u32(bytes + 88);
  events.stream_seq = evt_load_u32(bytes + 92);
  events.first_ordinal = evt_load_u64(bytes + 96);
  events.lost_total = evt_load_u64(bytes + 104);
  events.bound_ticks = evt_load_u64(bytes + 112);
  return events;
}

}  // namespace evt
