#include "opening.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/index/index_chain.h"
#include "libtrace-read/core/src/index/indexed_blocks.h"
#include "row_check.h"

namespace evt {
namespace {

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
  std::vector<IndexedStream> streams;
  if (!read_index_info(last.info, &streams)) {
    return Damage{last.block.offset, 0, "the index is not used: the message of an INDEX block cannot be read"};
  }
  for (const IndexedStream& stream : streams) {
    const auto known = to.streams.find(stream.id);
    const StreamInfo* const info = known == to.streams.end() ? nullptr : known->second.info;
    const std::uint64_t rows = info == nullptr ? 0 : info->rows + info->not_kept;
    if (stream.rows != rows && to.session->not_decodable == 0) {
      return Damage{last.block.offset, 0,
                    fmt::format("the index is not used: its table has {} rows of stream {}, its blocks {}", stream.rows,
                                stream.id, rows)};
    }
    if (known == to.streams.end()) continue;
    std::copy(std::begin(stream.lost), std::end(stream.lost), known->second.info->lost_by_cause.begin());
    if (is_all) settle_pieces(stream, to, known->second);
  }
  return std::nullopt;
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
