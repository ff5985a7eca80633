#include "source_blocks.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {

bool SourceBlocks::next() {
  while (next_ < session_.blocks.size()) {
    Block* const block = &session_.blocks[next_++];
    if (!session_.clocks.contains(block->events.clock_id)) continue;
    if (wants_ && !wants_(*block)) continue;
    if (!load(block)) continue;
    block_ = block;
    check_rows();
    return true;
  }
  return false;
}

std::optional<bool> SourceBlocks::next_at(std::uint64_t offset) {
  if (next_ == session_.blocks.size() || session_.blocks[next_].offset != offset) return std::nullopt;
  Block* const block = &session_.blocks[next_++];
  if (!session_.clocks.contains(block->events.clock_id)) return std::nullopt;
  if (!load(block)) return false;
  block_ = block;
  check_rows();
  return true;
}

// `stream` 0: of which streams they are is not known.
void SourceBlocks::lose_rows(UnreadableRows rows, std::uint32_t stream, const Status& why) {
  const EventsHeader& events = rows.block->events;
  const ClockMap& clock = session_.clocks.at(events.clock_id);
  const auto ns_of = [&](std::uint64_t ticks) { return distance_ns(session_.session->start_ns, clock.to_ns(ticks)); };
  const auto of = session_.streams.find(stream);
  rows.session_number = session_.number;
  rows.session = session_.session;
  rows.stream = stream;
  rows.info = of == session_.streams.end() ? nullptr : of->second.info;
  rows.from_ns = ns_of(events.first_ticks);
  rows.to_ns = ns_of(events.last_ticks);
  trace_.ledger.lose(rows, why);
}

// All rows of a piece, or of a block of one stream.
void SourceBlocks::lose_piece(const Block& block, std::uint32_t number, const Piece& piece, const Status& why) {
  UnreadableRows rows;
  rows.block = &block;
  rows.piece = number;
  rows.rows = piece.row_count;
  const auto before = totals_.before(block, piece);
  if (before && piece.lost_total > *before) rows.lost = piece.lost_total - *before;
  lose_rows(rows, piece.stream_id, why);
}

// All rows of the block.
void SourceBlocks::lose(const Block& block, const Status& why) {
  if (!is_multiplexed(block.events.layout)) return lose_piece(block, StreamSpan::kWhole, piece_of(block.events), why);
  // A table has a checksum of its own. Without it nothing is known of the streams.
  std::vector<Piece> pieces;
  const bool is_known = block.verified && read_pieces(trace_.blocks, block, &pieces).ok();
  if (!is_known) {
    UnreadableRows rows;
    rows.block = &block;
    rows.piece = StreamSpan::kWhole;
    rows.rows = block.events.row_count;
    return lose_rows(rows, 0, why);
  }
  for (std::uint32_t i = 0; i < pieces.size(); ++i) lose_piece(block, i, pieces[i], why);
}

std::uint64_t SourceBlocks::count_unnamed(std::size_t piece) {
  if (session_.session->lost == 0) return 0;
  std::uint64_t named = totals_.before(*block_, pieces_[piece]).value_or(UINT64_MAX);
  for (const RowCount::Loss& loss : counted_.losses()) {
    if (loss.piece == piece) saturating_add(&named, loss.count);
  }
  const std::uint64_t all = pieces_[piece].lost_total;
  return all > named ? all - named : 0;
}

bool SourceBlocks::load(Block* block) {
  Status status = block->verified ? Status() : trace_.verifier.verify(block);
  if (status.ok()) status = BlockDecoder::is_plain(*block) ? load_plain(*block) : load_other(*block);
  if (status.ok()) return true;
  lose(*block, status);
  return false;
}

Status SourceBlocks::load_plain(const Block& block) {
  plain_.resize(block.header.payload_size);
  const std::size_t got = trace_.blocks.read(block, 0, plain_.data(), plain_.size());
  const std::uint32_t crc = crc32c(0, plain_.data(), got);
  if (got != plain_.size() || crc != block.header.payload_crc) {
    return wrong_checksum("payload", crc, block.header.payload_crc);
  }
  if (crc != block.events.rows_crc) {
    return wrong_checksum("rows", crc, block.events.rows_crc);
  }
  stored_ = rows_ = plain_;
  table_size_ = 0;
  pieces_.assign(1, piece_of(block.events));
  pieces_.front().rows_size = static_cast<std::uint32_t>(rows_.size());
  return {};
}

Status SourceBlocks::load_other(const Block& block) {
  decoded_.resize(block.events.rows_size);
  Status status = decoder_.decode(block, decoded_.data());
  if (!status.ok()) return status;
  stored_ = decoder_.stored();
  rows_ = decoded_;
  table_size_ = decoder_.table().size();
  pieces_.assign(1, piece_of(block.events));
  if (!is_multiplexed(block.events.layout)) return {};
  pieces_.clear();
  PieceTable table(block.events, raw(decoder_.table().data()), table_size_);
  for (Piece piece; table.next(&piece);) pieces_.push_back(piece);
  return table.ok() ? Status() : damaged("its table of streams makes no sense");
}

// Leaves out the rows of a piece that its stream has had; how many bytes these are.
std::size_t SourceBlocks::leave_out_seen(Bytes rows, std::uint64_t expected, Piece* piece) {
  RowReader walk(rows, piece->base_ticks);
  std::uint64_t left = std::min<std::uint64_t>(expected - piece->first_ordinal, piece->row_count);
  std::size_t size = 0;
  while (const RowView* const row = left > 0 ? walk.next() : nullptr) {
    size += row->bytes.size();
    --left;
    ++piece->first_ordinal;
    --piece->row_count;
  }
  piece->base_ticks = walk.base();
  piece->rows_size -= static_cast<std::uint32_t>(size);
  return size;
}

// Counts the rows, and leaves out those that have been there before, and those behind a place where rows break off.
void SourceBlocks::check_rows() {
  counted_.clear();
  std::size_t at = 0;
  is_whole_ = true;
  places_.clear();
  unnamed_.clear();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    const std::size_t end = at + piece.rows_size;
    std::uint64_t& expected = next_ordinals_[piece.stream_id];
    if (piece.first_ordinal < expected) {
      at += leave_out_seen(rows_.subspan(at, piece.rows_size), expected, &piece);
      is_whole_ = false;
    }
    const Piece said = piece;
    places_.push_back(at);
    counted_.add(i, rows_.subspan(at, said.rows_size), block_->events.latest_possible(), &piece);
    unnamed_.push_back(said.row_count == 0 ? 0 : count_unnamed(i));
    at = end;
    expected = std::max(expected, piece.first_ordinal + said.row_count);
    if (piece.row_count == said.row_count && piece.rows_size == said.rows_size) continue;
    const auto number = is_multiplexed(block_->events.layout) ? static_cast<std::uint32_t>(i) : StreamSpan::kWhole;
    UnreadableRows rows;
    rows.block = block_;
    rows.piece = number;
    rows.rows = said.row_count - piece.row_count;
    lose_rows(
        rows, piece.stream_id,
        damaged(fmt::format("the rows of stream {} are not the {} of its header", piece.stream_id, said.row_count)));
    is_whole_ = false;
  }
}

}  // namespace evt
