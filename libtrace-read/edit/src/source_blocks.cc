#include "source_blocks.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {

SourceBlocks::SourceBlocks(TraceData& trace, SessionData& session)
    : trace_(trace), session_(session), decoder_(trace.blocks), totals_(trace.blocks, session) {
  if (session.segments == nullptr) return;
  for (const auto& [id, late] : session.segments->late_rows) find_singles(id);
  std::stable_sort(singles_.begin(), singles_.end(),
                   [](const Single& a, const Single& b) { return a.before < b.before; });
}

void SourceBlocks::find_singles(std::uint32_t stream_id) {
  const SpanList& parts = session_.streams.at(stream_id).parts;
  const std::size_t begin = singles_.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Single& single = singles_.emplace_back();
    single.span = parts[i];
    single.before = parts[i].block;
    const Extract* const extract = session_.extract_of(stream_id, i);
    if (extract == nullptr) continue;
    single.rows = extract->rows;
    if (extract->is_late) single.before = session_.blocks.size();
  }
  // Late ones come with the next part.
  for (std::size_t i = singles_.size(); i > begin + 1; --i) {
    singles_[i - 2].before = std::min(singles_[i - 2].before, singles_[i - 1].before);
  }
}

bool SourceBlocks::next() {
  for (;;) {
    if (next_single_ < singles_.size() && singles_[next_single_].before <= next_) {
      const Single& single = singles_[next_single_++];
      if (!open(&session_.blocks[single.span.block])) continue;
      check_single(single);
      return true;
    }
    if (next_ == session_.blocks.size()) return false;
    if (!open(&session_.blocks[next_++])) continue;
    check_rows();
    return true;
  }
}

bool SourceBlocks::open(Block* block) {
  if (!session_.clocks.contains(block->events.clock_id)) return false;
  if (wants_ && !wants_(*block)) return false;
  if (!load(block)) return false;
  block_ = block;
  return true;
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

// `stream` 0: their streams are unknown.
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
  const auto before = totals_.before(block, number, piece);
  if (before && piece.lost_total > *before) rows.lost = piece.lost_total - *before;
  lose_rows(rows, piece.stream_id, why);
}

// All rows of the block.
void SourceBlocks::lose(const Block& block, const Status& why) {
  if (!is_multiplexed(block.events.layout)) return lose_piece(block, StreamSpan::kWhole, piece_of(block.events), why);
  // A table has its own checksum. Without it nothing is known of the streams.
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
  std::uint64_t named = totals_.before(*block_, number_of(piece), pieces_[piece]).value_or(UINT64_MAX);
  for (const RowCount::Loss& loss : counted_.losses()) {
    if (loss.piece == piece) saturating_add(&named, loss.count);
  }
  const std::uint64_t all = pieces_[piece].lost_total;
  return all > named ? all - named : 0;
}

bool SourceBlocks::load(Block* block) {
  Status status = block->verified ? Status() : trace_.verifier.verify(block);
  is_packed_ = status.ok() && keeps_packed_ && !BlockDecoder::is_plain(*block) && load_packed(*block);
  if (is_packed_) return true;
  if (status.ok()) status = BlockDecoder::is_plain(*block) ? load_plain(*block) : load_other(*block);
  if (status.ok()) return true;
  lose(*block, status);
  return false;
}

// What is wrong with a block is reported when it is decoded.
bool SourceBlocks::load_packed(const Block& block) {
  std::uint32_t crc = 0;
  if (!BlockDecoder::knows(block) || !trace_.blocks.read_whole(block, &plain_, &crc)) return false;
  stored_ = plain_;
  rows_ = {};
  table_size_ = 0;
  pieces_.assign(1, piece_of(block.events));
  if (!is_multiplexed(block.events.layout)) return continues_streams(block);
  pieces_.clear();
  table_size_ = piece_table_size(raw(plain_.data()), plain_.size());
  PieceTable table(block.events, raw(plain_.data()), table_size_);
  for (Piece piece; table.next(&piece);) pieces_.push_back(piece);
  return table.ok() && continues_streams(block);
}

// All its rows are new, none are missing before them, and none of them counts losses.
bool SourceBlocks::continues_streams(const Block& block) {
  const bool may_lose = session_.session->lost > 0;
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.row_count == 0 || comes_by_itself(piece.stream_id)) return false;
    if (piece.first_ordinal != next_ordinals_[piece.stream_id]) return false;
    const std::uint32_t number = is_multiplexed(block.events.layout) ? i : StreamSpan::kWhole;
    if (may_lose && totals_.before(block, number, piece) != piece.lost_total) return false;
  }
  return true;
}

bool SourceBlocks::unpack() {
  if (!is_packed_) return true;
  is_packed_ = false;
  for (const Piece& piece : pieces_) next_ordinals_[piece.stream_id] = piece.first_ordinal;
  const Status status = load_other(*block_);
  status.ok() ? check_rows() : lose(*block_, status);
  return status.ok();
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

// Removes the rows of a piece that its stream already had; returns their size in bytes.
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

std::uint32_t SourceBlocks::number_of(std::size_t piece) const {
  return is_multiplexed(block_->events.layout) ? static_cast<std::uint32_t>(piece) : StreamSpan::kWhole;
}

// Counts the rows, and removes repeated ones, and those after a place where rows break off.
void SourceBlocks::check_rows() {
  begin_check();
  if (is_packed_) {
    for (const Piece& piece : pieces_) next_ordinals_[piece.stream_id] = piece.first_ordinal + piece.row_count;
    unnamed_.assign(pieces_.size(), 0);
    return;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::size_t end = at + pieces_[i].rows_size;
    comes_by_itself(pieces_[i].stream_id) ? leave_out(i, at) : check_piece(i, at, false);
    at = end;
  }
}

// Like check_rows() for one piece, or some of its rows; the others are removed.
void SourceBlocks::check_single(const Single& single) {
  begin_check();
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    const std::size_t end = at + piece.rows_size;
    if (number_of(i) == single.span.piece) {
      std::uint64_t& expected = next_ordinals_[piece.stream_id];
      expected = std::max(expected, single.rows.begin);
      const std::uint64_t behind = piece.first_ordinal + piece.row_count;
      const std::uint64_t too_many = behind - std::min(behind, single.rows.end);
      piece.row_count -= static_cast<std::uint32_t>(std::min<std::uint64_t>(too_many, piece.row_count));
      is_whole_ = is_whole_ && too_many == 0;
      check_piece(i, at, too_many > 0);
    } else {
      leave_out(i, at);
    }
    at = end;
  }
}

bool SourceBlocks::comes_by_itself(std::uint32_t stream) const {
  return !singles_.empty() && session_.segments->late_rows.contains(stream);
}

void SourceBlocks::leave_out(std::size_t piece, std::size_t at) {
  pieces_[piece].row_count = pieces_[piece].rows_size = 0;
  places_.push_back(at);
  unnamed_.push_back(0);
  is_whole_ = false;
}

void SourceBlocks::begin_check() {
  counted_.clear();
  is_whole_ = true;
  places_.clear();
  unnamed_.clear();
}

// `is_cut`: its bytes have more rows than wanted.
void SourceBlocks::check_piece(std::size_t number, std::size_t at, bool is_cut) {
  Piece& piece = pieces_[number];
  std::uint64_t& expected = next_ordinals_[piece.stream_id];
  if (piece.first_ordinal < expected) {
    at += leave_out_seen(rows_.subspan(at, piece.rows_size), expected, &piece);
    is_whole_ = false;
  }
  const Piece said = piece;
  places_.push_back(at);
  counted_.add(number, rows_.subspan(at, said.rows_size), block_->events.latest_possible(), &piece);
  unnamed_.push_back(said.row_count == 0 || is_cut ? 0 : count_unnamed(number));
  expected = std::max(expected, piece.first_ordinal + said.row_count);
  if (piece.row_count == said.row_count && (is_cut || piece.rows_size == said.rows_size)) return;
  UnreadableRows rows;
  rows.block = block_;
  rows.piece = number_of(number);
  rows.rows = said.row_count - piece.row_count;
  lose_rows(
      rows, piece.stream_id,
      damaged(fmt::format("the rows of stream {} are not the {} of its header", piece.stream_id, said.row_count)));
  is_whole_ = false;
}

}  // namespace evt
