#include "session_builder.h"

#include <evt/format.h>
#include <evt/saturating_add.h>

#include <algorithm>

#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/index/index_payload.h"
#include "part_order.h"
#include "segment_start.h"
#include "session_tail.h"
#include "string_rows.h"

namespace evt {
SessionBuilder::SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data,
                               Ledger& ledger, const ReadOptions& options, bool is_thorough,
                               const HandedOut* handed_out)
    : blocks_(blocks),
      sessions_(sessions),
      data_(data),
      ledger_(ledger),
      handed_out_(handed_out),
      metadata_(ledger, options.drafts) {
  if (is_thorough) decoder_.emplace(blocks);
}

Status SessionBuilder::finish() {
  finish_session();
  return summary();
}

void SessionBuilder::add(Block& block, const std::vector<Piece>* indexed) {
  pieces_.clear();
  const BlockHeader& header = block.header;
  if (now_ == nullptr || now_->id != header.session_id) begin_session(block);
  if (now_->session->abandoned) return;
  now_->session->closed = now_->session->goes_on = false;  // whatever a TRAILER states: this comes after it
  if (header.block_no != EVT_BLOCK_NO_RECOVERED) note_place(block);
  if (header.block_no == EVT_BLOCK_NO_RECOVERED) now_->recovered_bytes += block.padded_end() - block.offset;
  // SESSION is the last block that a recovery writes. If rows follow it, the writer lived on.
  if (header.block_no == EVT_BLOCK_NO_RECOVERED) {
    now_->ends_with_ring |= header.type == EVT_BLOCK_SESSION;
  } else if (header.type == EVT_BLOCK_EVENTS) {
    now_->ends_with_ring = false;
  }
  if (header.must_understand != 0) {
    now_->session->not_understood += 1;
    if ((header.must_understand & EVT_MUST_END_SESSION) != 0) now_->session->abandoned = true;
    return;
  }
  if (header.type == EVT_BLOCK_EVENTS) return add_events(block, indexed);
  if (header.type == EVT_BLOCK_INDEX && header.codec == EVT_CODEC_NONE) now_->index = block;
  const bool is_of_segment = header.type == EVT_BLOCK_TRAILER || header.type == EVT_BLOCK_SEGMENT;
  if (!MetadataReader::knows(header.type) && !is_of_segment) return note_other(block);
  if (header.codec != EVT_CODEC_NONE && !MetadataReader::may_be_packed(header)) {
    now_->session->not_understood += 1;
    return;
  }
  if (!load(block)) return;
  if (header.type == EVT_BLOCK_TRAILER) return add_trailer(block);
  if (header.type == EVT_BLOCK_SEGMENT) return SegmentStart(ledger_, *now_).add(block, payload_);
  metadata_.read(block, payload_, *now_);
}

// Loads its payload, unpacked; false with the damage noted.
bool SessionBuilder::load(const Block& block) {
  if (!blocks_.load(block, &payload_)) return false;
  const BlockHeader& header = block.header;
  if (header.codec == EVT_CODEC_NONE) return true;
  Status status = {Code::kDamaged, "its raw size is larger than the format allows"};
  const std::uint64_t most = std::uint64_t{EVT_MAX_METADATA_RATIO} * header.payload_size;
  if (header.raw_size <= std::min<std::uint64_t>(most, EVT_MAX_METADATA_PAYLOAD)) {
    if (!unpacker_) unpacker_.emplace(blocks_);
    status = unpacker_->unpack(payload_, header.raw_size);
  }
  if (!status.ok()) {
    ledger_.add(block, status.message());
    return false;
  }
  blocks_.count_unpacked(header.raw_size);
  payload_.assign(unpacker_->unpacked().begin(), unpacker_->unpacked().end());
  return true;
}

// Notes which blocks of the session are present. Absent ones before a segment were not kept, if the segment before
// states that another one follows, or there is none.
void SessionBuilder::note_place(const Block& block) {
  const std::uint64_t number = block.header.block_no;
  const bool is_first = block.offset == now_->offset;
  if (is_first) now_->first_block_no = number;
  if (block.begins_segment() && number > 0 && (is_first || now_->is_paused || number > now_->next_block_no)) {
    const bool is_unkept = number > now_->next_block_no && (is_first || now_->is_paused);
    SegmentData& segment = now_->in_segments();
    segment.offset = block.offset;
    now_->recovered_bytes = 0;
    segment.first_block_no = number;
    ++segment.begun;
    segment.is_unkept_before = is_unkept;
    segment.is_stated = false;
    segment.not_kept = 0;
    now_->session->last_segment_is_known = false;
  }
  now_->next_block_no = number + 1;
  now_->is_paused = block.ends_with_more();
}

// An empty private block has no owner, and no content that could be left out.
void SessionBuilder::note_other(const Block& block) {
  const BlockHeader& header = block.header;
  if (header.type == EVT_BLOCK_INDEX || header.payload_size == 0) return;
  now_->session->other_blocks += 1;
  if ((header.flags & EVT_FLAG_COPYABLE) == 0 || header.payload_size > EVT_MAX_METADATA_PAYLOAD) return;
  now_->session->copyable_blocks += 1;
  now_->copyable.push_back(block);
}

void SessionBuilder::begin_session(const Block& block) {
  const auto known = by_id_.find(block.header.session_id);
  if (known != by_id_.end()) {
    now_ = known->second;  // a bad copy has interleaved two sessions
    return;
  }
  forget_if_empty();
  sessions_.emplace_back();
  data_.emplace_back();
  now_ = &data_.back();
  now_->session = &sessions_.back();
  now_->id = block.header.session_id;
  now_->offset = block.offset;
  now_->number = static_cast<std::uint32_t>(data_.size() - 1);
  by_id_[now_->id] = now_;
  if (handed_out_ != nullptr && handed_out_->session_id == now_->id) leave_out_handed_out();
}

// As if a segment with them had been before, and is not wanted.
void SessionBuilder::leave_out_handed_out() {
  for (const auto& [id, stream] : handed_out_->streams) {
    StreamParts& to = now_->stream(id);
    to.next_ordinal = stream.next_ordinal;
    to.latest_clock = stream.clock;
    to.latest_ticks = stream.ticks;
    SegmentData::Gap gap;
    gap.next_ordinal = stream.next_ordinal;
    gap.lost_not_kept = stream.lost;
    gap.has_time = stream.has_time;
    gap.clock = stream.clock;
    gap.ticks = stream.ticks;
    now_->in_segments().add_gap(id, gap);
  }
}

// A session with only a header is easily forged: this keeps only the fact that there was one.
void SessionBuilder::forget_if_empty() {
  if (now_ == nullptr || now_ != &data_.back()) return;
  const Session& session = *now_->session;
  const bool empty = !session.declared && !session.abandoned && session.not_understood == 0 && session.clocks.empty() &&
                     session.streams.empty() && session.types.empty() && session.strings.empty() &&
                     now_->syncs.empty() && now_->gaps.empty() && now_->unattributed.empty() && now_->facts.empty();
  if (!empty) return;
  if (!forgotten_) forgotten_ = now_->offset;
  by_id_.erase(now_->id);
  data_.pop_back();
  sessions_.pop_back();
  now_ = nullptr;
}

void SessionBuilder::add_events(Block& block, const std::vector<Piece>* indexed) {
  const bool multiplexed = is_multiplexed(block.events.layout);
  pieces_.assign(1, piece_of(block.events));
  if (multiplexed && indexed != nullptr) {
    pieces_ = *indexed;
  } else if (const Status status = multiplexed ? read_pieces(blocks_, block, &pieces_) : Status(); !status.ok()) {
    pieces_.clear();
    now_->unattributed_rows += block.events.row_count;
    const EventsHeader& e = block.events;
    now_->unattributed.push_back({e.row_count, block.offset, {e.clock_id, e.first_ticks}, {e.clock_id, e.last_ticks}});
    return ledger_.add(block, status.message());
  }
  if (multiplexed) block.pieces_mark = mark_of(pieces_);
  is_readable_ = can_be_read(block);
  bool any = false;
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    any |= add_piece(block, pieces_[i], multiplexed ? i : StreamSpan::kWhole);
  }
  if (!any) return;
  make_room(now_->blocks, block);
  now_->blocks.push_back(block);
}

// For as many blocks as the rest of the file has at their size. Doubling would copy them, and touch twice the memory.
void SessionBuilder::make_room(std::vector<Block>& blocks, const Block& next) const {
  constexpr std::uint64_t kFew = 1024;
  constexpr std::uint64_t kMost = 8;  // times as many: the rest may be different
  const std::uint64_t count = blocks.size();
  if (count < kFew || count < blocks.capacity() || next.offset <= blocks.front().offset) return;
  const std::uint64_t size = (next.offset - blocks.front().offset) / count + 1;
  const std::uint64_t more = std::min((blocks_.size() - std::min(next.offset, blocks_.size())) / size, kMost * count);
  blocks.reserve(static_cast<std::size_t>(count + std::max(more + more / 32, count / 2)));
}

// A block that cannot be read is noted as damage.
bool SessionBuilder::can_be_read(const Block& block) {
  if (!decoder_ || !BlockDecoder::knows(block)) return true;
  payload_.resize(block.events.rows_size);
  const Status status = decoder_->decode(block, payload_.data());
  if (!status.ok()) ledger_.add(block, status.message());
  return status.ok();
}

// Returns true if its rows will be read.
bool SessionBuilder::add_piece(const Block& block, const Piece& piece, std::uint32_t number) {
  if (piece.row_count == 0) return false;
  StreamParts& to = now_->stream(piece.stream_id);
  Session& session = *now_->session;
  const bool is_read = is_readable_ && BlockDecoder::knows(block);
  const bool is_late = is_read && add_late_rows(block, piece, number, to);
  const std::uint64_t expected = to.next_ordinal;
  const std::uint64_t end = piece.first_ordinal + piece.row_count;
  if (end <= expected) return is_late;
  if (piece.first_ordinal > expected) SegmentStart(ledger_, *now_).add_gap(block, piece, to);
  const std::uint64_t first_new = std::max(piece.first_ordinal, expected);
  if (!is_read) {
    const bool is_known = BlockDecoder::knows(block);
    now_->add_gap(piece.stream_id, to, first_new,
                  {.why = is_known ? RowGap::Why::kMissing : RowGap::Why::kNotDecodable,
                   .end = end,
                   .offset = block.offset,
                   .from = {block.events.clock_id, piece.first_ticks},
                   .to = {block.events.clock_id, piece.last_ticks},
                   .lost = piece.lost_total -
                           std::min(piece.lost_total, now_->lost_not_kept_of(piece.stream_id) + to.info->lost)});
  } else if (first_new > piece.first_ordinal) {
    now_->in_segments().extracts[{piece.stream_id, to.parts.size()}] = {{first_new, end}};
  }
  if (now_->segments != nullptr) to.segment = now_->segments->begun;
  to.latest_ticks = piece.last_ticks;
  to.latest_clock = block.events.clock_id;
  to.next_ordinal = end;
  now_->add_lost(to, piece.lost_total);
  if (!is_readable_) return false;
  to.info->rows += end - first_new;
  session.rows += end - first_new;
  if (!is_read) return false;
  to.parts.push_back({static_cast<std::uint32_t>(now_->blocks.size()), number});
  if (number == StreamSpan::kWhole) return true;
  to.first_ticks = std::min(to.first_ticks, piece.first_ticks);
  to.last_ticks = std::max(to.last_ticks, piece.last_ticks);
  return true;
}

// Rows before the latest of their stream are new if no block had them. Returns true if any are.
bool SessionBuilder::add_late_rows(const Block& block, const Piece& piece, std::uint32_t number, StreamParts& to) {
  if (piece.first_ordinal >= to.next_ordinal) return false;
  const OrdinalRange rows{piece.first_ordinal, std::min(piece.first_ordinal + piece.row_count, to.next_ordinal)};
  const StreamSpan span{static_cast<std::uint32_t>(now_->blocks.size()), number};
  const std::uint16_t clock = block.events.clock_id;
  const std::uint64_t found =
      now_->fill_gaps(piece.stream_id, to, {span, rows, {clock, piece.first_ticks}, {clock, piece.last_ticks}});
  saturating_add(&now_->session->duplicate_rows, rows.size() - found);
  if (found > 0 && number != StreamSpan::kWhole) {
    to.first_ticks = std::min(to.first_ticks, piece.first_ticks);
    to.last_ticks = std::max(to.last_ticks, piece.last_ticks);
  }
  return found > 0;
}

void SessionBuilder::add_trailer(const Block& block) {
  TrailerClaims claims;
  if (!claims.parse(payload_)) return ledger_.add(block, "a TRAILER block that is too short");
  SegmentStart(ledger_, *now_).settle(claims);
  now_->count_gone(block, claims.rows_so_far, claims.lost_so_far);
  if (block.ends_with_more()) {
    now_->in_segments().rows_so_far = claims.rows_so_far;
    now_->in_segments().lost_so_far = claims.lost_so_far;
  }
  // It may be older than what was appended after a failed copy: then it does not end this session.
  const bool is_later = now_->segments != nullptr && now_->segments->first_block_no > 0;
  const std::uint64_t begin = is_later ? now_->segments->offset : now_->offset;
  // Who follows the session does not read its beginning again.
  const std::uint64_t size = block.end() - begin;
  const bool has_size = claims.session_size == size || claims.session_size == size - now_->recovered_bytes;
  const bool is_end = handed_out_ != nullptr || has_size;
  if (!is_end) return ledger_.add({block.offset, 0, "a TRAILER whose session has another length"});
  (block.ends_with_more() ? now_->session->goes_on : now_->session->closed) = true;
}

// Sessions of a later format must not be interpreted, so they are hidden; the status reports that they exist.
void SessionBuilder::drop_refused() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < data_.size(); ++i) {
    if (data_[i].is_refused) continue;
    if (kept != i) {
      sessions_[kept] = std::move(sessions_[i]);
      data_[kept] = std::move(data_[i]);
    }
    data_[kept].session = &sessions_[kept];
    data_[kept].number = static_cast<std::uint32_t>(kept);
    ++kept;
  }
  if (kept == data_.size()) return;
  sessions_.resize(kept);
  data_.resize(kept);
  now_ = nullptr;
  by_id_.clear();
}

void SessionBuilder::finish_session() {
  drop_refused();
  for (SessionData& data : data_) {
    Session& session = *data.session;
    if (data.ends_with_ring) session.ring = RingState::kRecovered;
    if (session.closed) session.ring = RingState::kNone;
    build_clocks(data);
    SessionTail tail(blocks_, ledger_, data);
    tail.add_known();
    // Rows whose absence later rows of their streams show are counted already.
    session.missing = std::max(session.missing, data.unattributed_rows);
    std::ranges::sort(session.streams, {}, &StreamInfo::id);
    for (StreamInfo& info : session.streams) data.streams[info.id].info = &info;
    settle_facts(data);
    settle_string_rows(data, ledger_);
    for (const Block& block : data.blocks) {
      if (!data.clocks.contains(block.events.clock_id)) session.without_clock += block.events.row_count;
    }
    session.not_decodable += session.without_clock;
    for (auto& [id, stream] : data.streams) PartOrder(data, id, stream).settle();
    for (auto& [id, stream] : data.streams) {
      if (stream.parts.empty()) continue;
      settle_times(data, stream);
      session.last_ns = std::max(session.last_ns, stream.info->last_ns);
    }
    tell_gaps(data);
    tail.add_unknown();
  }
}

void SessionBuilder::tell_gaps(const SessionData& data) {
  const auto ns_of = [&](const RowGap::Edge& edge) {
    const auto found = data.clocks.find(edge.clock);
    return found == data.clocks.end() ? 0 : distance_ns(data.session->start_ns, found->second.to_ns(edge.ticks));
  };
  std::uint64_t shown = 0;
  for (const auto& [place, gap] : data.gaps.all()) {
    if (gap.why == RowGap::Why::kMissing) saturating_add(&shown, gap.end - place.second);
  }
  // Some blocks do not name their streams. A lost block of that kind leaves gaps in the streams that continue after it.
  for (const SessionData::Unattributed& block : data.unattributed) {
    const std::uint64_t again = std::min(block.rows, shown);
    shown -= again;
    if (block.rows == again) continue;
    ledger_.add(MissingRows{data.number, 0, block.rows - again, ns_of(block.from), ns_of(block.to), block.offset});
  }
  for (const auto& [place, gap] : data.gaps.all()) {
    if (gap.why != RowGap::Why::kMissing) continue;
    const std::int64_t from = gap.from_start ? 0 : ns_of(gap.from);
    const std::int64_t to = gap.or_later ? std::max(from, data.session->last_ns) : ns_of(gap.to);
    const std::uint64_t rows = gap.end - place.second;
    ledger_.add(MissingRows{data.number, place.first, rows, from, to, gap.offset, gap.or_later, gap.lost});
  }
}

Status SessionBuilder::summary() const {
  if (!blocks_.status().ok() && blocks_.status().code() != Code::kTruncated) return blocks_.status();
  const bool anything = std::ranges::any_of(sessions_, [](const Session& s) { return s.declared || s.rows > 0; });
  const std::string& newer = metadata_.other_version();
  if (!newer.empty() && !anything) return {Code::kNewerFormat, newer};
  // A block with a newer header may be the SESSION block that is missing below.
  if (!newer.empty() || blocks_.met_newer()) {
    return {Code::kNewerFormat, newer.empty() ? "some blocks have a newer header" : "a session " + newer};
  }
  std::optional<std::uint64_t> unknown = forgotten_;
  for (const SessionData& data : data_) {
    const Session& session = *data.session;
    if (!session.declared && !session.abandoned && data.offset < unknown.value_or(UINT64_MAX)) unknown = data.offset;
  }
  if (!unknown) return {};
  return {Code::kDamaged, "the SESSION block is missing: who was recorded is not known", *unknown};
}

}  // namespace evt
