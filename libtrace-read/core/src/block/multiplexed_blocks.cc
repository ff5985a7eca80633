#include "multiplexed_blocks.h"

#include <algorithm>

#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

Status wrong_table() { return damaged("its table of streams makes no sense"); }

std::size_t size_of(const SharedBuffer& rows) { return rows != nullptr ? rows->size : 0; }

// Its pieces can be read one by one.
bool has_stored_rows(const Block& block) {
  return block.events.layout == EVT_LAYOUT_MULTIPLEXED_ROWS && block.header.codec == EVT_CODEC_NONE;
}

std::vector<Piece> pieces_of(const EventsHeader& events, Bytes table, bool* ok) {
  PieceTable in(events, raw(table.data()), table.size());
  std::vector<Piece> pieces;
  for (Piece piece; in.next(&piece);) pieces.push_back(piece);
  *ok = in.ok();
  return pieces;
}

}  // namespace

std::uint64_t mark_of(const std::vector<Piece>& pieces) {
  std::uint64_t mark = pieces.size();
  for (const Piece& piece : pieces) {
    for (const std::uint64_t fact :
         {std::uint64_t{piece.stream_id}, std::uint64_t{piece.row_count}, piece.first_ordinal, piece.lost_total}) {
      mark = (mark ^ fact) * 0x9E3779B97F4A7C15;
      mark ^= mark >> 32;
    }
  }
  return mark;
}

Status read_pieces(BlockReader& blocks, const Block& block, std::vector<Piece>* pieces) {
  std::vector<std::byte> table(EVT_PIECE_TABLE_HEAD);
  table.resize(blocks.read(block, 0, table.data(), table.size()));
  const std::size_t size =
      table.size() < EVT_PIECE_TABLE_HEAD ? 0 : piece_table_size(raw(table.data()), block.header.payload_size);
  table.resize(size);
  if (size == 0 || blocks.read(block, 0, table.data(), size) != size) return wrong_table();
  bool ok = false;
  *pieces = pieces_of(block.events, table, &ok);
  return ok ? Status() : wrong_table();
}

Status MultiplexedBlocks::find(Block* block, std::uint32_t number, Part* part) {
  if (const auto known = tables_.find(block); known != tables_.end() && number < known->second.size()) {
    *part = known->second[number];
    return {};
  }
  const Decoded& from = decoded(block);
  if (number < from.parts.size()) *part = from.parts[number];
  if (!from.status.ok()) return from.status;
  return number < from.parts.size() ? Status() : wrong_table();
}

const MultiplexedBlocks::Decoded& MultiplexedBlocks::decoded(Block* block) {
  const auto found = std::ranges::find_if(latest_, [&](const Decoded& decoded) { return decoded.block == block; });
  if (found != latest_.end()) {
    latest_.splice(latest_.begin(), latest_, found);
    return latest_.front();
  }
  Decoded fresh;
  fresh.block = block;
  fresh.status = decode(block, &fresh);
  if (!fresh.status.ok()) tell_what_is_missing(*block, &fresh);
  bytes_ += size_of(fresh.rows);
  forget_beyond(most_bytes_);
  latest_.push_front(std::move(fresh));
  return latest_.front();
}

void MultiplexedBlocks::forget_beyond(std::size_t bytes) {
  while (!latest_.empty() && bytes_ > bytes) {
    bytes_ -= size_of(latest_.back().rows);
    keep_table(&latest_.back());
    latest_.pop_back();
  }
}

// The rows have been checked.
void MultiplexedBlocks::keep_table(Decoded* of) {
  if (!of->status.ok() || !has_stored_rows(*of->block)) return;
  if ((parts_ + of->parts.size()) * sizeof(Part) > most_bytes_) {
    tables_.clear();
    parts_ = 0;
  }
  for (Part& part : of->parts) part.rows = {};
  parts_ += of->parts.size();
  tables_.emplace(of->block, std::move(of->parts));
}

// A table has its own checksum.
void MultiplexedBlocks::tell_what_is_missing(const Block& block, Decoded* of) {
  std::vector<Piece> pieces;
  of->rows.reset();
  of->parts.clear();
  if (!block.verified || !read_pieces(blocks_, block, &pieces).ok()) return;
  if (mark_of(pieces) != block.pieces_mark) return;
  for (const Piece& piece : pieces) of->parts.push_back({piece, {}});
}

void MultiplexedBlocks::expect(Block* block, DecodeAhead* ahead) {
  const auto is_it = [&](const Decoded& decoded) { return decoded.block == block; };
  if (ticket_ != nullptr || tables_.contains(block) || std::ranges::any_of(latest_, is_it)) return;
  // An error is reported when the block is decoded.
  if (!block->verified && !verifier_.verify(block).ok()) return;
  const std::size_t size = block->events.rows_size;
  if (size > most_bytes_ / 2) return;
  forget_beyond(most_bytes_ - size);
  ahead_ = ahead;
  expected_ = block;
  ticket_ = ahead->ask(*block, fresh_buffer(size));
}

Status MultiplexedBlocks::take_rows(Decoded* to, std::vector<Piece>* pieces) {
  const Block& block = *to->block;
  const std::shared_ptr<DecodeAhead::Ticket> ticket = std::move(ticket_);
  const bool is_ahead = ticket != nullptr && expected_ == &block;
  if (is_ahead) ahead_->finish(*ticket, decoder_);
  to->rows = is_ahead ? std::move(ticket->slice) : fresh_buffer(block.events.rows_size);
  const Status status = is_ahead ? std::move(ticket->status) : decoder_.decode(block, to->rows->data.get());
  if (!status.ok()) return status;
  bool ok = false;
  *pieces = pieces_of(block.events, is_ahead ? Bytes(ticket->table) : decoder_.table(), &ok);
  return ok ? Status() : wrong_table();
}

Status MultiplexedBlocks::decode(Block* block, Decoded* to) {
  Status status = block->verified ? Status() : verifier_.verify(block);
  if (!status.ok()) return status;
  std::vector<Piece> pieces;
  status = take_rows(to, &pieces);
  if (!status.ok()) return status;
  if (mark_of(pieces) != block->pieces_mark) return damaged("the index and its table differ in its streams");
  const Bytes rows(to->rows->data.get(), to->rows->size);
  const bool is_stored = has_stored_rows(*block);
  const std::uint64_t table_size = block->header.payload_size - rows.size();
  std::size_t at = 0;
  for (const Piece& piece : pieces) {
    to->parts.push_back({piece, rows.subspan(at, piece.rows_size), is_stored ? table_size + at : 0});
    at += piece.rows_size;
  }
  return {};
}

}  // namespace evt
