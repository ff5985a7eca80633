#include "opening.h"

#include <evt/format.h>
#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/index/index_chain.h"
#include "libtrace-read/core/src/session/session_builder.h"

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

// Checks that headers, and the index, agree with the rows themselves; reading does not need it.
// Refers to blocks and damage while it lives. Leaves unreadable blocks to the code that reads them.
class RowCheck {
 public:
  RowCheck(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger), decoder_(blocks) {}

  void check(const SessionData& session) {
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

 private:
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::uint64_t lost = 0;
    bool ended = false;      // by a row
    bool was_named = false;  // reported as continuing after its end
  };

  bool read(const Block& block) {
    rows_.resize(block.events.rows_size);
    if (!BlockDecoder::is_plain(block)) return decoder_.decode(block, rows_.data()).ok();
    if (blocks_.read(block, 0, rows_.data(), rows_.size()) != rows_.size()) return false;
    const std::uint32_t crc = crc32c(0, rows_.data(), rows_.size());
    return crc == block.header.payload_crc && crc == block.events.rows_crc;
  }
  // If a stream lacks a block, the number of events lost before is unknown.
  void check_piece(const Block& block, const Piece& piece, Bytes rows) {
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
      ledger_.add(
          {block.offset, 0,
           fmt::format("by its header the rows of stream {} are at ticks {} to {}, they are at {} to {}",
                       piece.stream_id, piece.first_ticks, piece.last_ticks, said.first_ticks, said.last_ticks)});
    } else if (follows && lost != piece.lost_total) {
      ledger_.add({block.offset, 0,
                   fmt::format("by its header {} events of stream {} are lost so far, by its rows {}", piece.lost_total,
                               piece.stream_id, lost)});
    }
  }
  // Called if all rows are present.
  void check_counts(const SessionData& session) {
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

  BlockReader& blocks_;
  Ledger& ledger_;
  BlockDecoder decoder_;
  std::vector<std::byte> rows_;
  // The session's streams.
  std::map<std::uint32_t, Stream> streams_;
  std::vector<std::uint64_t> counts_;  // number of rows, by type
  bool knows_all_ = true;
};

// Indexes -> blocks: blocks of events from the index, all others from their headers. If there are few blocks, their
// headers are looked at too: a wrong index then costs nothing.
// Refers to blocks and sessions while it lives.
class IndexedBlocks {
 public:
  IndexedBlocks(BlockReader& blocks, const std::vector<IndexedSession>& sessions)
      : blocks_(blocks), sessions_(sessions), at_(sessions.front().begin) {
    std::uint64_t blocks_of_all = 0;
    for (const IndexedSession& session : sessions) {
      for (const IndexPayload& index : session.indexes) blocks_of_all += index.head.entry_count;
    }
    has_few_ = blocks_of_all <= kFewBlocks;
    begin_session();
  }

  static constexpr std::uint64_t kFewBlocks = 256;

  // The next block; null at the end, or if a header differs from what was expected. Valid until the next call.
  const Block* next() {
    entry_ = nullptr;
    while (ok_) {
      if (at_ == sessions_[session_].end) {
        if (++session_ == sessions_.size()) return nullptr;
        begin_session();
      }
      const IndexedSession& session = sessions_[session_];
      if (session.indexes.empty() || at_ == session.trailer_at) return header(nullptr);
      const IndexEntry* const entry = entries_.next();
      if (entry == nullptr) {  // the INDEX block itself
        if (++index_ < session.indexes.size()) entries_ = session.indexes[index_].read();
        return header(nullptr);
      }
      return entry->type == EVT_BLOCK_EVENTS ? rows(*entry) : header(entry);
    }
    return nullptr;
  }
  // The index's entries for the streams of that block's rows; null if it is not a block of rows.
  const std::vector<Piece>* pieces() const { return entry_ != nullptr ? &entry_->pieces : nullptr; }
  // True if that was the end.
  bool ok() const { return ok_; }
  // Where a header and an index contradict each other.
  const std::optional<Damage>& contradiction() const { return contradiction_; }

 private:
  void begin_session() {
    const IndexedSession& session = sessions_[session_];
    block_no_ = session.first_block_no;
    index_ = 0;
    if (!session.indexes.empty()) entries_ = session.indexes.front().read();
  }
  const Block* rows(const IndexEntry& entry) {
    entry_ = &entry;
    block_ = entry.block();
    block_.header.session_id = sessions_[session_].id;
    block_.header.block_no = block_no_;
    if (has_few_ && !has_header_of(entry)) return fail(nullptr);
    at_ += entry.size;
    ++block_no_;
    return &block_;
  }
  // A block that is elsewhere, or one that this version may not read, shows when all headers are read.
  bool has_header_of(const IndexEntry& entry) {
    const Block* const here = blocks_.header_at(at_);
    if (here == nullptr || !is_indexed(*here, block_)) return false;
    const std::uint64_t number = here->header.block_no;
    if (number != block_no_ && number != EVT_BLOCK_NO_RECOVERED) return false;
    Block found = *here;
    std::vector<Piece> pieces;
    if (is_multiplexed(found.events.layout) && !read_pieces(blocks_, found, &pieces).ok()) return false;
    found.pieces_mark = mark_of(pieces);
    if (entry.has_rows_of(found)) return true;
    contradiction_ = Damage{at_, 0, kOtherRows};
    return false;
  }
  // Returns a block as its header describes it. `entry`: its entry in the index, if any.
  const Block* header(const IndexEntry* entry) {
    const IndexedSession& session = sessions_[session_];
    const Block* const block = blocks_.header_at(at_);
    if (block == nullptr || block->header.session_id != session.id) return fail(entry);
    const std::uint64_t size = block->padded_end() - at_;
    const std::uint64_t number = block->header.block_no;
    const bool in_order = number == block_no_ || number == EVT_BLOCK_NO_RECOVERED;
    const bool as_indexed = entry == nullptr || (entry->type == block->header.type && entry->size == size);
    const std::uint64_t end = at_ < session.trailer_at ? session.trailer_at : session.end;
    if (!in_order || !as_indexed || size > end - at_) return fail(entry);
    at_ += size;
    ++block_no_;
    return block;
  }
  const Block* fail(const IndexEntry* entry) {
    ok_ = false;
    if (entry != nullptr) {
      contradiction_ = Damage{at_, 0,
                              fmt::format("the index is not used: by it block {} is here, of type {} and {} "
                                          "bytes, and it is not",
                                          block_no_, entry->type, entry->size)};
    }
    return nullptr;
  }

  BlockReader& blocks_;
  const std::vector<IndexedSession>& sessions_;
  std::size_t session_ = 0;
  std::uint64_t at_;            // offset of the next block
  std::uint64_t block_no_ = 0;  // its number
  std::size_t index_ = 0;       // the index that describes it
  IndexEntryReader entries_;
  const IndexEntry* entry_ = nullptr;  // entry of the block returned last, if it has rows
  Block block_;
  bool has_few_;
  bool ok_ = true;
  std::optional<Damage> contradiction_;
};

// For a piece, an index entry has only the times of its block's rows.
void settle_pieces(const IndexedStream& from, const SessionData& data, StreamParts& stream) {
  if (from.first_ticks < stream.first_ticks || from.last_ticks > stream.last_ticks) return;
  if (from.first_ticks > from.last_ticks) return;
  stream.first_ticks = from.first_ticks;
  stream.last_ticks = from.last_ticks;
  settle_times(data, stream);
}

// `is_all`: this is the only segment of the session that is present.
std::optional<Damage> add_streams(const IndexedSession& from, bool is_all, SessionData& to) {
  const IndexPayload& last = from.indexes.back();
  std::string contradiction;
  const auto add = [&](const IndexedStream& stream) {
    if (!contradiction.empty()) return;
    const auto known = to.streams.find(stream.id);
    const StreamInfo* const info = known == to.streams.end() ? nullptr : known->second.info;
    const std::uint64_t rows = info == nullptr ? 0 : info->rows + info->not_kept;
    if (stream.rows != rows && to.session->not_decodable == 0) {
      contradiction = fmt::format("its table has {} rows of stream {}, its blocks {}", stream.rows, stream.id, rows);
    } else if (known != to.streams.end()) {
      known->second.info->lost_by_cause = causes_of(stream);
      if (is_all) settle_pieces(stream, to, known->second);
    }
  };
  if (!read_index_info(last.info, add)) contradiction = "the message of an INDEX block cannot be read";
  if (contradiction.empty()) return std::nullopt;
  return Damage{last.block.offset, 0, "the index is not used: " + contradiction};
}

// Adds what the indexes state of sessions beyond their blocks. Returns nothing, or a contradiction of the blocks. In a
// session of several segments the last one's table includes what is before it.
std::optional<Damage> add_what_indexes_say(const std::vector<IndexedSession>& sessions, std::deque<SessionData>& data) {
  for (SessionData& to : data) {
    IndexedRows all;
    const IndexedSession* last = nullptr;
    std::size_t segments = 0;
    bool all_have = true;
    for (const IndexedSession& segment : sessions) {
      if (segment.id != to.id) continue;
      all_have &= !segment.indexes.empty() || segment.claims.rows == 0;
      last = &segment;
      ++segments;
      all.add(segment);
    }
    if (last == nullptr || last->indexes.empty() || to.session->abandoned) continue;
    if (auto wrong = add_streams(*last, segments == 1, to)) return wrong;
    to.session->indexed = all_have;
    if (all_have) to.session->counts = all.event_counts();
  }
  return std::nullopt;
}

std::uint64_t missing_rows(const TraceData& data) {
  std::uint64_t missing = 0;
  for (const Session& session : data.sessions) saturating_add(&missing, session.missing);
  return missing;
}

bool has_duplicates(const TraceData& data) {
  return std::ranges::any_of(data.sessions, [](const Session& s) { return s.duplicate_rows > 0; });
}

// Something that the headers show too is not a contradiction.
bool is_known(const TraceData& data, const Damage& contradiction) {
  if (data.blocks.met_disorder()) return true;  // the index describes the order in which blocks were written
  const std::vector<Damage>& all = data.ledger.damage();
  return data.blocks.met_newer() || std::ranges::any_of(all, [&](const Damage& damage) {
           return contradiction.offset >= damage.offset && contradiction.offset <= damage.offset + damage.length;
         });
}

}  // namespace

Opening::Opening(std::unique_ptr<ByteSource> source, const ReadOptions& options, const HandedOut* handed_out)
    : options_(options), handed_out_(handed_out) {
  begin(std::move(source));
}

void Opening::begin(std::unique_ptr<ByteSource> source) {
  check_.reset();
  builder_.reset();
  contradiction_.reset();
  data_ = std::make_unique<TraceData>(std::move(source), options_);
  builder_.emplace(data_->blocks, data_->sessions, data_->data, data_->ledger, options_, is_thorough_, handed_out_);
  if (options_.check_index) check_.emplace(data_->blocks, data_->ledger);
}

void Opening::start_again() {
  builder_.reset();
  data_->data.clear();
  data_->sessions.clear();
  data_->ledger.reset_missing();
  builder_.emplace(data_->blocks, data_->sessions, data_->data, data_->ledger, options_, is_thorough_, handed_out_);
}

void Opening::read() {
  if (options_.use_index && !options_.check_index && !options_.strict && !is_thorough_) {
    is_indexed_ = read_by_indexes();
    if (is_indexed_) return;
    start_again();
    data_->ledger.reset();
  }
  feed();
}

// Returns false if the headers show the errors better.
bool Opening::read_by_indexes() {
  IndexChain chain(data_->blocks);
  const bool is_found = chain.find();
  contradiction_ = chain.contradiction();
  if (!is_found) return false;
  IndexedBlocks blocks(data_->blocks, chain.sessions());
  while (const Block* block = blocks.next()) {
    Block here = *block;
    builder_->add(here, blocks.pieces());
  }
  data_->structure = builder_->finish();
  contradiction_ = blocks.contradiction();
  if (!blocks.ok()) return false;
  if (!data_->ledger.damage().empty()) {
    const Damage& first = data_->ledger.damage().front();
    contradiction_ = Damage{first.offset, 0, "the index is not used: by it there are " + first.reason};
    return false;
  }
  contradiction_ = add_what_indexes_say(chain.sessions(), data_->data);
  return !contradiction_ && missing_rows(*data_) == 0 && !has_duplicates(*data_);
}

void Opening::feed() {
  while (const Block* block = data_->blocks.next()) {
    Block here = *block;  // reading on may need those of the reader
    builder_->add(here);
    if (check_) check_->add(here, builder_->pieces());
  }
}

void Opening::extend(std::unique_ptr<ByteSource> source) {
  ByteSource& more = *source;
  // The reader refers to the previous source until it continues.
  const std::unique_ptr<ByteSource> before = std::exchange(data_->source, std::move(source));
  if (!is_indexed_ && data_->blocks.go_on(more)) {
    data_->options = fitting(options_, more.size());
    return feed();
  }
  begin(std::move(data_->source));
  read();
}

// A block with unreadable rows must not count as having them.
void Opening::begin_thoroughly() {
  is_thorough_ = true;
  begin(std::move(data_->source));
  read();
}

void Opening::find_unreadable(SessionData& session, const RingRecovery& ring) {
  if (is_indexed_ || is_thorough_) return;
  BlockDecoder decoder(data_->blocks);
  std::vector<Piece> pieces;
  std::vector<std::byte> rows;
  const auto is_in_ring = [&](const Piece& piece) {
    return piece.first_ordinal + piece.row_count > ring.first_ordinal(piece.stream_id);
  };
  for (const Block& block : session.blocks) {
    pieces.assign(1, piece_of(block.events));
    if (is_multiplexed(block.events.layout) && !read_pieces(data_->blocks, block, &pieces).ok()) continue;
    if (std::ranges::none_of(pieces, is_in_ring)) continue;
    rows.resize(block.events.rows_size);
    if (!decoder.decode(block, rows.data()).ok()) return begin_thoroughly();
  }
}

void Opening::build() {
  data_->structure = builder_->finish();
  if (data_->blocks.met_disorder()) build_in_order();
}

// Everything that depends on the order of blocks is right only in the order in which they were written.
void Opening::build_in_order() {
  start_again();
  data_->blocks.sort();
  check_.reset();
  feed();
  data_->structure = builder_->finish();
  data_->ledger.sort_damage();
}

std::unique_ptr<TraceData> Opening::finish() {
  if (!is_indexed_) {
    build();
    if (!is_thorough_ && handed_out_ == nullptr && has_duplicates(*data_)) {
      begin_thoroughly();
      build();
    }
  }
  TraceData& data = *data_;
  if (!is_indexed_) {
    if (check_) check_->finish(data.data);
    if (options_.check_index) {
      RowCheck rows(data.blocks, data.ledger);
      for (const SessionData& session : data.data) rows.check(session);
    }
    if (contradiction_ && !is_known(data, *contradiction_)) data.ledger.add(std::move(*contradiction_));
  }
  data.ledger.add_first(data.source->damage());
  return std::move(data_);
}

}  // namespace evt
