#include "piece_table.h"

#include <evt/little_endian.h>

#include "crc32c.h"
#include "format-spec/src/base/varint.h"

namespace evt {
namespace {

constexpr std::size_t kCrcFrom = 8;  // covers the table from here to its end

}  // namespace

Piece piece_of(const EventsHeader& events) {
  return {events.stream_id,   events.row_count,  events.rows_size,     events.base_ticks,
          events.first_ticks, events.last_ticks, events.first_ordinal, events.lost_total};
}

EventsHeader header_of(const Piece& piece, std::uint16_t clock_id, std::uint64_t bound_ticks) {
  EventsHeader events;
  events.stream_id = piece.stream_id;
  events.clock_id = clock_id;
  events.base_ticks = piece.base_ticks;
  events.first_ticks = piece.first_ticks;
  events.last_ticks = piece.last_ticks;
  events.row_count = piece.row_count;
  events.rows_size = piece.rows_size;
  events.first_ordinal = piece.first_ordinal;
  events.lost_total = piece.lost_total;
  events.bound_ticks = bound_ticks;
  return events;
}

EventsHeader multiplexed_header(const Piece* pieces, std::uint32_t count, std::uint16_t clock_id,
                                std::uint64_t bound_ticks) {
  EventsHeader events = header_of(pieces[0], clock_id, bound_ticks);
  events.layout = EVT_LAYOUT_MULTIPLEXED_ROWS;
  for (std::uint32_t i = 1; i < count; ++i) {
    const Piece& piece = pieces[i];
    if (piece.first_ticks < events.first_ticks) events.first_ticks = piece.first_ticks;
    if (piece.last_ticks > events.last_ticks) events.last_ticks = piece.last_ticks;
    events.row_count += piece.row_count;
    events.rows_size += piece.rows_size;
  }
  return events;
}

std::size_t store_piece_table(const EventsHeader& events, const Piece* pieces, std::uint32_t count, std::uint8_t* out) {
  std::uint8_t* p = out + EVT_PIECE_TABLE_HEAD;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Piece& piece = pieces[i];
    std::uint8_t* const size = p++;  // a piece never has more than one byte can say
    p = store_number(p, piece.stream_id);
    p = store_number(p, piece.row_count);
    p = store_number(p, piece.rows_size);
    p = store_number(p, fold(piece.base_ticks - events.base_ticks));
    p = store_number(p, piece.first_ticks - events.first_ticks);
    p = store_number(p, piece.last_ticks - piece.first_ticks);
    p = store_number(p, piece.first_ordinal);
    p = store_number(p, piece.lost_total);
    *size = static_cast<std::uint8_t>(p - size - 1);
  }
  const auto size = static_cast<std::size_t>(p - out);
  evt_store_u32(out, static_cast<std::uint32_t>(size));
  evt_store_u32(out + kCrcFrom, count);
  evt_store_u32(out + 12, 0);
  evt_store_u32(out + 4, crc32c(0, out + kCrcFrom, size - kCrcFrom));
  return size;
}

std::size_t piece_table_size(const std::uint8_t* payload, std::size_t payload_size) {
  if (payload_size < EVT_PIECE_TABLE_HEAD) return 0;
  const std::size_t size = evt_load_u32(payload);
  return size >= EVT_PIECE_TABLE_HEAD && size <= payload_size ? size : 0;
}

PieceTable::PieceTable(const EventsHeader& events, const std::uint8_t* table, std::size_t size)
    : events_(events), at_(table), end_(table + size), rows_left_(events.row_count), bytes_left_(events.rows_size) {
  ok_ = size >= EVT_PIECE_TABLE_HEAD && crc32c(0, table + kCrcFrom, size - kCrcFrom) == evt_load_u32(table + 4);
  if (!ok_) return;
  left_ = evt_load_u32(table + kCrcFrom);
  at_ += EVT_PIECE_TABLE_HEAD;
}

bool PieceTable::next(Piece* piece) {
  if (!ok_ || left_ == 0) return false;
  ok_ = read(piece);
  if (ok_) --left_;
  return ok_;
}

// Bytes after the known fields belong to a later version.
bool PieceTable::read(Piece* piece) {
  std::uint64_t size = 0;
  at_ = load_number(at_, end_, &size);
  if (at_ == nullptr || size > static_cast<std::size_t>(end_ - at_)) return false;
  const std::uint8_t* const end = at_ + size;
  std::uint64_t fields[8];
  const std::uint8_t* p = at_;
  for (std::uint64_t& field : fields) {
    p = load_number(p, end, &field);
    if (p == nullptr) return false;
  }
  at_ = end;
  const bool fits = fields[0] <= UINT32_MAX && fields[1] <= rows_left_ && fields[2] <= bytes_left_;
  const std::uint64_t span = events_.last_ticks - events_.first_ticks;
  if (!fits || fields[1] == 0 || fields[4] > span || fields[5] > span - fields[4]) return false;
  if (fields[6] > UINT64_MAX - fields[1]) return false;  // its ordinals go on behind the largest number
  piece->stream_id = static_cast<std::uint32_t>(fields[0]);
  rows_left_ -= piece->row_count = static_cast<std::uint32_t>(fields[1]);
  bytes_left_ -= piece->rows_size = static_cast<std::uint32_t>(fields[2]);
  piece->base_ticks = events_.base_ticks + unfold(fields[3]);
  piece->first_ticks = events_.first_ticks + fields[4];
  piece->last_ticks = piece->first_ticks + fields[5];
  piece->first_ordinal = fields[6];
  piece->lost_total = fields[7];
  return true;
}

}  // namespace evt
