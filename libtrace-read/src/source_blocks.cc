#include "source_blocks.h"

#include <evt/capped.h>
#include <fmt/format.h>

#include <algorithm>

#include "format-spec/src/crc32c.h"
#include "raw_bytes.h"

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

void SourceBlocks::note(const Block& block, std::string reason) {
  trace_.damage.push_back({block.offset, block.end() - block.offset, std::move(reason)});
}

void SourceBlocks::miss(const Block& block, std::uint32_t stream, std::uint64_t rows) {
  if (rows == 0) return;
  const ClockMap& clock = session_.clocks.at(block.events.clock_id);
  const auto ns_of = [&](std::uint64_t ticks) { return distance_ns(session_.session->start_ns, clock.to_ns(ticks)); };
  add_capped(&session_.session->missing, rows);
  trace_.missing.push_back(
      {session_.number, stream, rows, ns_of(block.events.first_ticks), ns_of(block.events.last_ticks), block.offset});
}

bool SourceBlocks::load(Block* block) {
  std::string wrong;
  if (!block->confirmed && !trace_.blocks.confirm(block, &wrong)) {
    note(*block, std::move(wrong));
    miss(*block, block->events.stream_id, block->events.row_count);
    return false;
  }
  wrong = BlockDecoder::is_plain(*block) ? load_plain(*block) : load_other(*block);
  if (wrong.empty()) return true;
  note(*block, std::move(wrong));
  // A table has a checksum of its own.
  std::vector<Piece> pieces = {piece_of(block->events)};
  if (is_gathered(block->events.layout) && !read_pieces(trace_.blocks, *block, &pieces).empty()) pieces.clear();
  for (const Piece& piece : pieces) miss(*block, piece.stream_id, piece.row_count);
  if (pieces.empty()) miss(*block, 0, block->events.row_count);
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
    note(*block_,
         fmt::format("the rows of stream {} are not the {} that its header says", piece.stream_id, said.row_count));
    miss(*block_, piece.stream_id, said.row_count - piece.row_count);
    is_whole_ = false;
  }
}

}  // namespace evt
