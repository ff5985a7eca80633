#include "row_check.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

// The totals and the times of a run of rows.
struct Said {
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
  std::uint64_t lost = 0;
  std::uint32_t rows = 0;
  bool goes_on = false;  // after the row that ends the stream
};

// Returns false if these are not rows. `ended`: an earlier row ended the stream, or one of these did.
bool walk(Bytes rows, std::uint64_t base, std::uint64_t latest_possible, Said* said, std::vector<std::uint64_t>* counts,
          bool* ended) {
  RowReader reader(rows, base);
  while (const RowView* const row = reader.next()) {
    ++said->rows;
    ++(*counts)[row->type];
    said->goes_on |= *ended && row->is_event();
    *ended |= row->is_end();
    if (row->type == EVT_ROW_TIME_BASE) continue;
    if (row->ticks <= latest_possible) {
      said->first_ticks = std::min(said->first_ticks, row->ticks);
      said->last_ticks = std::max(said->last_ticks, row->ticks);
    }
    if (row->is_lost()) saturating_add(&said->lost, row->lost_count());
  }
  return reader.at_end();
}

}  // namespace

void RowCheck::check(const SessionData& session) {
  streams_.clear();
  counts_.assign(UINT16_MAX + 1, 0);
  knows_all_ = true;
  for (const Block& block : session.blocks) {
    if (!read(block)) {
      knows_all_ = false;
      continue;
    }
    if (!is_multiplexed(block.events.layout)) {
      check_piece(block, piece_of(block.events), rows_);
      continue;
    }
    const Bytes table = decoder_.table();
    PieceTable pieces(block.events, raw(table.data()), table.size());
    std::size_t at = 0;
    for (Piece piece; pieces.next(&piece); at += piece.rows_size) {
      check_piece(block, piece, Bytes(rows_).subspan(at, piece.rows_size));
    }
  }
  check_counts(session);
}

// Called if all rows are present.
void RowCheck::check_counts(const SessionData& session) {
  const Session& said = *session.session;
  knows_all_ &= said.missing == 0 && said.not_decodable == 0 && said.not_understood == 0;
  if (!knows_all_ || !session.index) return;
  for (const TypeCount& type : said.counts) {
    const std::uint64_t found = counts_[type.number & UINT16_MAX];
    if (found == type.rows) continue;
    return ledger_.add(
        {session.index->offset, 0,
         fmt::format("by the index there are {} events of type {}, there are {}", type.rows, type.number, found)});
  }
}

bool RowCheck::read(const Block& block) {
  rows_.resize(block.events.rows_size);
  if (!BlockDecoder::is_plain(block)) return decoder_.decode(block, rows_.data()).ok();
  if (blocks_.read(block, 0, rows_.data(), rows_.size()) != rows_.size()) return false;
  const std::uint32_t crc = crc32c(0, rows_.data(), rows_.size());
  return crc == block.header.payload_crc && crc == block.events.rows_crc;
}

// If a stream lacks a block, the number of events lost before is unknown.
void RowCheck::check_piece(const Block& block, const Piece& piece, Bytes rows) {
  Said said;
  Stream& stream = streams_[piece.stream_id];
  // Rows of a gap are before the stream's end, though they are found after it.
  const bool is_late = piece.first_ordinal < stream.next_ordinal;
  bool ended = stream.ended && !is_late;
  const bool is_right = walk(rows, piece.base_ticks, block.events.latest_possible(), &said, &counts_, &ended) &&
                        said.rows == piece.row_count;
  stream.ended |= ended;
  knows_all_ &= is_right;
  if (!is_right) return;
  const bool follows = piece.first_ordinal == stream.next_ordinal;
  std::uint64_t lost = stream.lost;
  saturating_add(&lost, said.lost);
  if (const std::uint64_t end = piece.first_ordinal + piece.row_count; end > stream.next_ordinal) {
    stream.next_ordinal = end;
    stream.lost = follows ? lost : piece.lost_total;
  }
  if (said.goes_on && !stream.was_named) {
    stream.was_named = true;
    ledger_.add({block.offset, 0, fmt::format("stream {} goes on behind its end", piece.stream_id)});
  }
  const bool has_times = said.first_ticks <= said.last_ticks;
  if (has_times && (said.first_ticks != piece.first_ticks || said.last_ticks != piece.last_ticks)) {
    ledger_.add({block.offset, 0,
                 fmt::format("by its header the rows of stream {} are at ticks {} to {}, they are at {} to {}",
                             piece.stream_id, piece.first_ticks, piece.last_ticks, said.first_ticks, said.last_ticks)});
  } else if (follows && lost != piece.lost_total) {
    ledger_.add({block.offset, 0,
                 fmt::format("by its header {} events of stream {} are lost so far, by its rows {}", piece.lost_total,
                             piece.stream_id, lost)});
  }
}

}  // namespace evt
