// What the end of a session states of rows that are not there: no later row of their streams shows the gap.
#include <algorithm>

#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "session_builder.h"

namespace evt {
namespace {

// Reports nothing: the code that uses the index reports what is wrong with it.
std::vector<IndexedStream> table_of(BlockReader& blocks, const Block& block) {
  IndexPayload index;
  index.block = block;
  std::vector<IndexedStream> streams;
  std::uint32_t crc = 0;
  if (!blocks.read_whole(block, &index.bytes, &crc) || !index.parse().ok() || !read_index_info(index.info, &streams))
    streams.clear();
  return streams;
}

}  // namespace

void SessionBuilder::count_gone(const Block& block, std::uint64_t rows_before, std::uint64_t lost_before) {
  now_->declared_lost = std::max(now_->declared_lost, lost_before);
  const std::uint64_t rows = now_->session->rows;
  if (rows_before <= rows || rows_before - rows <= now_->gone_rows) return;
  now_->gone_rows = rows_before - rows;
  now_->gone_declared_at = block.offset;
}

// Else what differs from the blocks is a lie, which the check of an index reports.
bool SessionBuilder::lacks_something() const {
  const Session& session = *now_->session;
  return (blocks_.met_damage() || now_->unattributed_rows > 0 || session.not_understood > 0) && !session.abandoned;
}

void SessionBuilder::add_tails() {
  if (!lacks_something()) return;
  if (now_->index) {
    for (const IndexedStream& indexed : table_of(blocks_, *now_->index)) add_tail(indexed);
  }
  add_torn();
  Session& session = *now_->session;
  if (now_->declared_lost > session.lost) session.lost = now_->declared_lost;
}

void SessionBuilder::add_tail(const IndexedStream& indexed) {
  const auto known = now_->streams.find(indexed.id);
  if (indexed.rows <= (known == now_->streams.end() ? 0 : known->second.next_ordinal)) return;
  StreamParts& to = stream(indexed.id);
  const std::uint64_t rows = indexed.rows - to.next_ordinal;
  const bool is_first = to.next_ordinal == 0;
  const std::uint16_t clock = is_first && !now_->clocks.empty() ? now_->clocks.begin()->first : to.latest_clock;
  // The index does not state by which clock its ticks are.
  const bool or_later = now_->clocks.size() > 1;
  add_gap(to, {false, indexed.id, rows, now_->index->offset, is_first, to.latest_clock, to.latest_ticks, clock,
               std::max(to.latest_ticks, indexed.last_ticks), or_later});
  to.next_ordinal = indexed.rows;
  std::uint64_t lost = 0;
  for (const std::uint64_t of_cause : indexed.lost) saturating_add(&lost, of_cause);
  add_lost(to, lost);
}

// The block inside which the file ends: its header, or its table, states which rows it had.
void SessionBuilder::add_torn() {
  const Block* const block = blocks_.truncated();
  if (block == nullptr || block->header.session_id != now_->id) return;
  if (block->header.type != EVT_BLOCK_EVENTS || block->header.must_understand != 0) return;
  pieces_.assign(1, piece_of(block->events));
  if (is_multiplexed(block->events.layout) && !read_pieces(blocks_, *block, &pieces_).ok()) return;
  for (const Piece& piece : pieces_) add_truncated_piece(*block, piece);
}

void SessionBuilder::add_truncated_piece(const Block& block, const Piece& piece) {
  if (piece.row_count == 0) return;
  StreamParts& to = stream(piece.stream_id);
  const std::uint64_t end = piece.first_ordinal + piece.row_count;
  if (end <= to.next_ordinal) return;
  // next_ordinal stays: a writer that was killed inside the block has its rows in a ring, which goes on from there.
  const std::uint64_t rows = end - to.next_ordinal;
  to.torn_rows = rows;
  add_gap(to, {false, piece.stream_id, rows, block.offset, to.next_ordinal == 0, to.latest_clock, to.latest_ticks,
               block.events.clock_id, piece.last_ticks});
  add_lost(to, piece.lost_total);
}

// The missing rows that the streams do not account for, once all that is known of each is counted.
void SessionBuilder::add_unknown_tail() {
  Session& session = *now_->session;
  if (!lacks_something() || now_->gone_rows <= session.missing) return;
  MissingRows missing{now_->number, 0, now_->gone_rows - session.missing};
  missing.from_ns = session.streams.empty() ? 0 : session.last_ns;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) missing.from_ns = std::min(missing.from_ns, stream.last_ns);
  }
  missing.to_ns = session.last_ns;
  missing.or_later = true;
  missing.offset = now_->gone_declared_at;
  session.missing = now_->gone_rows;
  ledger_.add(missing);
}

}  // namespace evt
