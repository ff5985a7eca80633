#include "source_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "format-spec/src/block/crc32c.h"
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

// Of a piece of the block, or of all of it.
void SourceBlocks::lose_rows(const Block& block, std::uint32_t piece, std::uint32_t stream, std::uint64_t rows,
                             std::string reason) {
  const ClockMap& clock = session_.clocks.at(block.events.clock_id);
  const auto ns_of = [&](std::uint64_t ticks) { return distance_ns(session_.session->start_ns, clock.to_ns(ticks)); };
  const auto of = session_.streams.find(stream);
  UnreadableRows lost;
  lost.block = &block;
  lost.piece = piece;
  lost.session_number = session_.number;
  lost.session = session_.session;
  lost.stream = stream;
  lost.info = of == session_.streams.end() ? nullptr : of->second.info;
  lost.rows = rows;
  lost.from_ns = ns_of(block.events.first_ticks);
  lost.to_ns = ns_of(block.events.last_ticks);
  trace_.ledger.lose(lost, std::move(reason));
}

// All rows of the block.
void SourceBlocks::lose(const Block& block, std::string reason) {
  if (!is_gathered(block.events.layout)) {
    return lose_rows(block, StreamPart::kWhole, block.events.stream_id, block.events.row_count, std::move(reason));
  }
  // A table has a checksum of its own. Without it nothing is known of the streams.
  std::vector<Piece> pieces;
  const bool is_told = block.confirmed && read_pieces(trace_.blocks, block, &pieces).empty();
  if (!is_told) return lose_rows(block, StreamPart::kWhole, 0, block.events.row_count, std::move(reason));
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    lose_rows(block, i, pieces[i].stream_id, pieces[i].row_count, reason);
  }
}

bool SourceBlocks::load(Block* block) {
  std::string wrong;
  if (block->confirmed || trace_.blocks.confirm(block, &wrong)) {
    wrong = BlockDecoder::is_plain(*block) ? load_plain(*block) : load_other(*block);
  }
  if (wrong.empty()) return true;
  lose(*block, std::move(wrong));
  return false;
}

std::string SourceBlocks::load_plain(const Block& block) {
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
  return "";
}

std::string SourceBlocks::load_other(const Block& block) {
  decoded_.resize(block.events.rows_size);
  std::string wrong = decoder_.decode(block, decoded_.data());
  if (!wrong.empty()) return wrong;
  stored_ = decoder_.stored();
  rows_ = decoded_;
  table_size_ = decoder_.table().size();
  pieces_.assign(1, piece_of(block.events));
  if (!is_gathered(block.events.layout)) return "";
  pieces_.clear();
  PieceTable table(block.events, raw(decoder_.table().data()), table_size_);
  for (Piece piece; table.next(&piece);) pieces_.push_back(piece);
  return table.ok() ? "" : "its table of streams makes no sense";
}

// Counts the rows, and leaves out those that have been there before, and those behind a place where rows break off.
void SourceBlocks::check_rows() {
  counted_.clear();
  std::size_t at = 0;
  is_whole_ = true;
  places_.clear();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    const Piece said = piece;
    places_.push_back(at);
    counted_.add(i, rows_.subspan(at, said.rows_size), &piece);
    at += said.rows_size;
    std::uint64_t& expected = next_ordinals_[piece.stream_id];
    if (piece.first_ordinal < expected) {  // noted when the trace was opened
      piece.row_count = 0;
      piece.rows_size = 0;
      is_whole_ = false;
      continue;
    }
    expected = piece.first_ordinal + said.row_count;
    if (piece.row_count == said.row_count && piece.rows_size == said.rows_size) continue;
    const auto number = is_gathered(block_->events.layout) ? static_cast<std::uint32_t>(i) : StreamPart::kWhole;
    lose_rows(
        *block_, number, piece.stream_id, said.row_count - piece.row_count,
        fmt::format("the rows of stream {} are not the {} that its header says", piece.stream_id, said.row_count));
    is_whole_ = false;
  }
}

}  // namespace evt
