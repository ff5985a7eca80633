// The streams and rows of a multiplexed block (FORMAT.md, section 7.3). Pure: structs in, bytes out, and back.
#pragma once

#include <evt/format.h>

#include <cstddef>
#include <cstdint>

#include "block_header.h"

namespace evt {

// Consecutive rows of one stream: a part of a multiplexed block, or all of another block.
struct Piece {
  std::uint32_t stream_id = 0;
  std::uint32_t row_count = 0;
  std::uint32_t rows_size = 0;
  std::uint64_t base_ticks = 0;
  std::uint64_t first_ticks = 0;
  std::uint64_t last_ticks = 0;
  std::uint64_t first_ordinal = 0;
  std::uint64_t lost_total = 0;
};

constexpr bool is_multiplexed(std::uint8_t layout) {
  return layout == EVT_LAYOUT_MULTIPLEXED_ROWS || layout == EVT_LAYOUT_MULTIPLEXED_COLUMNS;
}
// The layout of the rows after the table, or of all rows if there is none; and back.
constexpr std::uint8_t without_table(std::uint8_t layout) {
  return is_multiplexed(layout) ? layout - EVT_LAYOUT_MULTIPLEXED_ROWS : layout;
}
constexpr std::uint8_t with_table(std::uint8_t layout) { return layout + EVT_LAYOUT_MULTIPLEXED_ROWS; }

// The only piece of a block of one stream.
Piece piece_of(const EventsHeader& events);
// The header fields of a piece's rows, as in a separate block.
EventsHeader header_of(const Piece& piece, std::uint16_t clock_id, std::uint64_t bound_ticks);

// The header fields of a block with these pieces, except the checksum of their rows. REQUIRES: count > 0.
EventsHeader multiplexed_header(const Piece* pieces, std::uint32_t count, std::uint16_t clock_id,
                                std::uint64_t bound_ticks);

constexpr std::size_t kMaxPiece = 72;  // bytes in a table

// Writes the table of these pieces to `out`, which has room for EVT_PIECE_TABLE_HEAD and kMaxPiece each, and returns
// its size. `events`: of the block.
std::size_t store_piece_table(const EventsHeader& events, const Piece* pieces, std::uint32_t count, std::uint8_t* out);

// Size of a payload's table, from the first EVT_PIECE_TABLE_HEAD bytes; 0 if it is not valid.
std::size_t piece_table_size(const std::uint8_t* payload, std::size_t payload_size);

// The pieces of a table, from the first. The bytes, which the caller owns, must outlive it.
class PieceTable {
 public:
  // `size`: from piece_table_size.
  PieceTable(const EventsHeader& events, const std::uint8_t* table, std::size_t size);

  // False at the end, and if the table is not valid.
  bool next(Piece* piece);
  // After the last one: true if the table was valid, and the pieces add up to what the block's header states.
  bool ok() const { return ok_ && left_ == 0 && rows_left_ == 0 && bytes_left_ == 0; }

 private:
  bool read(Piece* piece);

  EventsHeader events_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint32_t left_ = 0;
  std::uint32_t rows_left_;
  std::uint32_t bytes_left_;
  bool ok_;
};

}  // namespace evt
