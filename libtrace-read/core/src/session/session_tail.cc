#include "session_tail.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {
namespace {

// Reports nothing: the code that uses the index reports its errors.
std::vector<IndexedStream> table_of(BlockReader& blocks, const Block& block) {
  IndexPayload index;
  index.block = block;
  std::vector<IndexedStream> streams;
  std::uint32_t crc = 0;
  const auto add = [&](const IndexedStream& stream) { streams.push_back(stream); };
  if (!blocks.read_whole(block, &index.bytes, &crc) || !index.parse().ok() || !read_index_info(index.info, add))
    streams.clear();
  return streams;
}

}  // namespace

// Otherwise differences from the blocks are lies, which the check of an index reports.
bool SessionTail::lacks_something() const {
  const Session& session = *data_.session;
  const bool has_unread_blocks = blocks_.met_damage() || blocks_.met_newer() || session.not_understood > 0;
  return (has_unread_blocks || data_.unattributed_rows > 0) && !session.abandoned;
}

void SessionTail::add_known() {
  if (!lacks_something()) return;
  if (data_.index) {
    for (const IndexedStream& indexed : table_of(blocks_, *data_.index)) add_indexed(indexed);
  }
  add_truncated();
  Session& session = *data_.session;
  if (data_.declared_lost > session.lost) session.lost = data_.declared_lost;
}

void SessionTail::add_indexed(const IndexedStream& indexed) {
  const auto known = data_.streams.find(indexed.id);
  if (indexed.rows <= (known == data_.streams.end() ? 0 : known->second.next_ordinal)) return;
  StreamParts& to = data_.stream(indexed.id);
  const bool is_first = to.next_ordinal == 0;
  const std::uint16_t clock = is_first && !data_.clocks.empty() ? data_.clocks.begin()->first : to.latest_clock;
  // The index does not state the clock of its ticks.
  const bool or_later = data_.clocks.size() > 1;
  data_.add_gap(indexed.id, to, to.next_ordinal,
                {.end = indexed.rows,
                 .offset = data_.index->offset,
                 .from_start = is_first,
                 .from = to.latest(),
                 .to = {clock, std::max(to.latest_ticks, indexed.last_ticks)},
                 .or_later = or_later});
  to.next_ordinal = indexed.rows;
  std::uint64_t lost = 0;
  for (const std::uint64_t of_cause : indexed.lost) saturating_add(&lost, of_cause);
  data_.add_lost(to, lost);
}

// The block inside which the file ends: its header, or its table, states its rows.
void SessionTail::add_truncated() {
  const Block* const block = blocks_.truncated();
  if (block == nullptr || block->header.session_id != data_.id) return;
  if (block->header.type != EVT_BLOCK_EVENTS || block->header.must_understand != 0) return;
  std::vector<Piece> pieces(1, piece_of(block->events));
  if (is_multiplexed(block->events.layout) && !read_pieces(blocks_, *block, &pieces).ok()) return;
  for (const Piece& piece : pieces) add_truncated_piece(*block, piece);
}

void SessionTail::add_truncated_piece(const Block& block, const Piece& piece) {
  if (piece.row_count == 0) return;
  StreamParts& to = data_.stream(piece.stream_id);
  std::uint64_t& torn_rows = data_.torn_rows[piece.stream_id];
  const std::uint64_t end = piece.first_ordinal + piece.row_count;
  const std::uint64_t begin = to.next_ordinal + torn_rows;
  if (end <= begin) return;
  // next_ordinal stays: a writer that was killed inside the block has its rows in a ring, which continues from there.
  torn_rows = end - to.next_ordinal;
  data_.add_gap(piece.stream_id, to, begin,
                {.end = end,
                 .offset = block.offset,
                 .from_start = to.next_ordinal == 0,
                 .from = to.latest(),
                 .to = {block.events.clock_id, piece.last_ticks}});
  data_.add_lost(to, piece.lost_total);
}

void SessionTail::add_unknown() {
  Session& session = *data_.session;
  if (!lacks_something() || data_.gone_rows <= session.missing) return;
  MissingRows missing{data_.number, 0, data_.gone_rows - session.missing};
  missing.from_ns = session.streams.empty() ? 0 : session.last_ns;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) missing.from_ns = std::min(missing.from_ns, stream.last_ns);
  }
  missing.to_ns = session.last_ns;
  missing.or_later = true;
  missing.offset = data_.gone_declared_at;
  session.missing = data_.gone_rows;
  ledger_.add(missing);
}

}  // namespace evt
