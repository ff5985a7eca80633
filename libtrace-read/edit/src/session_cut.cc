#include "session_cut.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "cut_head.h"
#include "format-spec/src/block/row_times.h"
#include "format-spec/src/row/row_reader.h"
#include "format-spec/src/session/segment_record.h"
#include "left_out.h"
#include "time_shift.h"

namespace evt {
namespace {

// As many as a block has room for; others count as ended.
constexpr std::size_t kMaxStreams =
    (std::size_t{EVT_MAX_METADATA_PAYLOAD} - EVT_SEGMENT_FIXED_SIZE) / EVT_SEGMENT_STREAM_SIZE;

// What a session has before its first segment that is present, as a SEGMENT block of a new session states it.
struct RowsBefore {
  explicit RowsBefore(const SessionData& data) {
    const Session& session = *data.session;
    if (session.not_kept == 0 || data.segments == nullptr) return;
    if (data.first_block_no == 0) {
      rows_between = session.not_kept;
      return;
    }
    // Streams that have later rows, or that a SEGMENT lists, are known. The rest belongs to streams that have ended.
    std::uint64_t ended_rows = session.not_kept;
    std::uint64_t ended_lost = data.segments->lost_not_kept;
    for (const auto& [id, stream] : data.streams) {
      const std::span<const SegmentData::Gap> gaps = data.segments->gaps_of(id);
      if (gaps.empty()) continue;
      const bool is_before = gaps.front().segment == data.first_block_no;
      const SegmentData::Gap first = is_before ? gaps.front() : SegmentData::Gap();
      const std::uint64_t between = data.not_kept_in(id, first.next_ordinal, UINT64_MAX);
      saturating_add(&rows_between, between);
      ended_rows -= std::min(ended_rows, between);
      for (const SegmentData::Gap& gap : gaps) ended_lost -= std::min(ended_lost, gap.lost_not_kept);
      if (!is_before || streams.size() == kMaxStreams) continue;
      ended_rows -= std::min(ended_rows, first.next_ordinal);
      streams.push_back({id, first.clock, first.next_ordinal, first.lost_not_kept, first.ticks});
      saturating_add(&segment.rows_before, first.next_ordinal);
      saturating_add(&segment.lost_before, first.lost_not_kept);
    }
    segment.number = std::max<std::uint64_t>(session.first_segment, 1);
    segment.first_block_no = data.first_block_no;
    segment.stream_count = static_cast<std::uint32_t>(streams.size());
    segment.ended_rows = ended_rows;
    segment.ended_lost = ended_lost;
    saturating_add(&segment.rows_before, ended_rows);
    saturating_add(&segment.lost_before, ended_lost);
  }

  // False: it has its first segment.
  bool any() const { return segment.number > 0; }
  // The SEGMENT block's payload. REQUIRES: any().
  void append_to(Buffer& payload) const {
    append_segment(payload, segment);
    for (const SegmentStream& stream : streams) append_segment_stream(payload, stream);
  }

  SegmentRecord segment;
  std::vector<SegmentStream> streams;
  // Rows of segments between those that are present, which a single segment cannot state.
  std::uint64_t rows_between = 0;
};

}  // namespace

TickRange TickRange::of(const TimeRange& range, std::int64_t start_ns, const ClockMap& clock) {
  const auto moment = [&](std::int64_t since) {
    std::int64_t ns = 0;
    if (__builtin_add_overflow(start_ns, since, &ns)) ns = since < 0 ? INT64_MIN : INT64_MAX;
    return ns;
  };
  TickRange ticks;
  if (range.from_ns != INT64_MIN) ticks.is_empty = !ticks_at(clock, moment(range.from_ns), &ticks.from);
  std::uint64_t behind = 0;
  if (range.to_ns != INT64_MAX && ticks_at(clock, moment(range.to_ns + 1), &behind)) {
    ticks.is_empty |= behind <= ticks.from;
    ticks.to = behind - 1;
  }
  return ticks;
}

const EventType& CutFilter::type_of(std::uint32_t number) {
  const EventType* const type = data_.types.find(number);
  if (type != nullptr) return *type;
  return undeclared_.try_emplace(number, "type#" + std::to_string(number), number).first->second;
}

bool CutFilter::wants_type(std::uint32_t number) {
  if (!options_.type) return true;
  const auto [wanted, is_new] = wanted_types_.try_emplace(number, false);
  if (is_new) wanted->second = options_.type(type_of(number));
  return wanted->second;
}

bool CutFilter::wants(const StreamInfo& stream, std::uint32_t number, Bytes fields, std::uint64_t ordinal,
                      std::uint64_t ticks, std::uint16_t clock) {
  if (!wants_type(number)) return false;
  return !options_.event ||
         options_.event(*data_.session, stream, type_of(number), fields, ordinal, data_.ns_of(clock, ticks));
}

SessionCut::SessionCut(Trace& trace, SessionData& data, const CutOptions& options, const TakeBytes& take, Shape shape)
    : trace_(trace), data_(data), session_(*data.session), options_(options), shape_(shape), filter_(data, options) {
  if (options.range) range_ = options.range(session_);
  uuid_ = is_snapshot() ? snapshot_uuid(data_, trace.size()) : cut_uuid(data_, options.what, range_);
  out_.emplace(take, evt_session_id(uuid_.data()), options.form);
  words_.emplace(session_, options_.anonymous, *out_);
  rows_.emplace(*words_, *out_);
  twins_.emplace(*words_, *rows_);
}

void SessionCut::begin_part() {
  put_head(data_, options_, {session_.cut_of_copies(options_.what), left_out_by(options_, session_, range_)}, uuid_,
           *out_);
  words_->use_other_facts();
}

void SessionCut::begin_snapshot(SourceBlocks* blocks) {
  const RowsBefore before(data_);
  SessionHead head;
  Buffer segment;
  if (before.any()) {
    before.append_to(segment);
    head.segment = &segment;
    out_->begin_later(before.segment, before.streams);
  }
  for (const SegmentStream& stream : before.streams) blocks->begin_at(stream.id, stream.next_ordinal);
  blocks->keep_packed();
  const bool has_end = !session_.is_truncated() && !session_.goes_on;
  head.cut = has_end && before.rows_between == 0 ? session_.cut : session_.cut_of_copies(session_.cut);
  head.left_out = has_end && before.rows_between == 0 ? session_.left_out : session_.left_out_of_copies();
  put_head(data_, options_, head, uuid_, *out_);
  words_->use_all();
  words_->put();
}

Status SessionCut::run() {
  SourceBlocks blocks(TraceData::of(trace_), data_);
  is_snapshot() ? begin_snapshot(&blocks) : begin_part();
  if (!options_.anonymous) out_->put_copyable(TraceData::of(trace_), data_);
  plan_streams();
  if (options_.state) read_state();
  blocks.only([this](const Block& block) { return wants_block(block); });
  while (out_->status().ok() && blocks.next()) {
    take_gaps();
    copy_block(blocks);
    if (options_.progress) options_.progress(blocks.block().offset, trace_.size());
  }
  take_gaps();
  finish();
  return out_->status();
}

void SessionCut::plan_streams() {
  for (const auto& [id, clock] : data_.clocks) ticks_[id] = TickRange::of(range_, session_.start_ns, clock);
  for (const auto& [id, parts] : data_.streams) {
    Stream& stream = streams_[id];
    stream.info = parts.info;
    stream.is_wanted = !options_.stream || options_.stream(session_, *parts.info);
  }
}

void SessionCut::take_gaps() {
  const std::vector<MissingRows>& all = trace_.missing();
  for (; taken_gaps_ < all.size(); ++taken_gaps_) {
    const MissingRows& missing = all[taken_gaps_];
    if (missing.session != data_.number) continue;
    const auto stream = streams_.find(missing.stream);
    std::uint64_t rows = missing.rows;
    saturating_add(&rows, missing.lost);
    if (stream != streams_.end() && stream->second.is_wanted) stream->second.gaps.emplace(missing.to_ns, rows);
    if (stream == streams_.end() && !options_.stream) unknown_gaps_.emplace(missing.to_ns, rows);
  }
}

// Comes first, because only all streams together show who does what.
void SessionCut::read_state() {
  const bool may_be = std::any_of(session_.types.begin(), session_.types.end(), CarriedState::knows);
  if (range_.from_ns == INT64_MIN || !may_be) return;
  Timeline::Options before;
  before.range = [&](const Session& each) {
    return &each == &session_ ? TimeRange{INT64_MIN, range_.from_ns - 1} : TimeRange{1, 0};
  };
  Timeline timeline(trace_, before);
  while (timeline.next_session() && &timeline.actors().session() != &session_) {
  }
  CarriedState state(timeline);
  while (const TimelineItem* const item = timeline.next()) state.take(*item);
  for (auto& [id, carried] : state.at_end()) streams_.at(id).carried = std::move(carried);
}

bool SessionCut::wants_block(const Block& block) const {
  const EventsHeader& events = block.events;
  const TickRange& range = ticks_.at(events.clock_id);
  if (range.is_empty || events.last_ticks < range.from || events.first_ticks > range.to) return false;
  if (is_multiplexed(events.layout)) return true;
  return streams_.at(events.stream_id).is_wanted;
}

void SessionCut::copy_block(SourceBlocks& blocks) {
  if (wants_all(blocks)) return put_whole(blocks);
  if (!blocks.unpack()) return;
  for (std::size_t i = 0; i < blocks.pieces().size(); ++i) {
    if (blocks.pieces()[i].row_count > 0) copy_piece(blocks, i);
  }
}

bool SessionCut::wants_all(const SourceBlocks& blocks) {
  if (!blocks.is_whole() || options_.event) return false;
  const TickRange& range = ticks_.at(blocks.block().events.clock_id);
  for (std::size_t i = 0; i < blocks.pieces().size(); ++i) {
    const Piece& piece = blocks.pieces()[i];
    const Stream& stream = streams_.at(piece.stream_id);
    if (!stream.is_wanted || !stream.gaps.empty() || !range.contains(piece.first_ticks) ||
        !range.contains(piece.last_ticks) || blocks.unnamed_losses(i) > 0) {
      return false;
    }
  }
  const auto types = blocks.counted().types();
  return std::all_of(types.begin(), types.end(), [&](std::uint16_t type) {
    // A header's times may be wrong if rows are damaged on purpose; such an error costs only order.
    return type >= EVT_ROW_TIME_BASE ? type != EVT_ROW_WIDE || is_snapshot() : filter_.wants_type(type);
  });
}

void SessionCut::put_whole(const SourceBlocks& blocks) {
  for (const Piece& piece : blocks.pieces()) {
    Stream& stream = streams_.at(piece.stream_id);
    if (!stream.has_begun) begin_stream(piece.stream_id, stream);
    rows_->flush(piece.stream_id);
    words_->use_stream(piece.stream_id);
  }
  if (is_snapshot()) return out_->put_stored(blocks, blocks.pieces(), blocks.block().events.clock_id);
  bool has_texts = false;
  for (const std::uint16_t type : blocks.counted().types()) {
    words_->use_type(type);
    has_texts |= words_->has_texts(type);
  }
  for (std::size_t i = 0; has_texts && i < blocks.pieces().size(); ++i) {
    RowReader walk(blocks.rows_of(i), blocks.pieces()[i].base_ticks);
    while (const RowView* const row = walk.next()) {
      if (row->is_event()) words_->use_texts(*row);
    }
  }
  words_->put();
  out_->put_stored(blocks, blocks.pieces(), blocks.block().events.clock_id);
}

void SessionCut::copy_piece(const SourceBlocks& blocks, std::size_t number) {
  const Piece& piece = blocks.pieces()[number];
  Stream& stream = streams_.at(piece.stream_id);
  if (!stream.is_wanted) return;
  const Block& block = blocks.block();
  const std::uint16_t clock = block.events.clock_id;
  const TickRange& range = ticks_.at(clock);
  tell_gaps(piece.stream_id, stream, clock, piece.first_ticks);
  if (const std::uint64_t lost = blocks.unnamed_losses(number); lost > 0 && range.contains(piece.first_ticks)) {
    if (!stream.has_begun) begin_stream(piece.stream_id, stream);
    rows_->append_lost(piece.stream_id, clock, piece.first_ticks, lost);
  }
  bool jump = false;
  std::uint64_t next_ordinal = piece.first_ordinal;
  RowTimes times(header_of(piece, clock, block.events.bound_ticks));
  RowReader walk(blocks.rows_of(number), piece.base_ticks);
  while (const RowView* const row = walk.next()) {
    const std::uint64_t ordinal = next_ordinal++;
    if (row->type == EVT_ROW_TIME_BASE) {
      const bool has_flags = row->payload.size() >= sizeof(std::uint64_t) + sizeof(std::uint32_t);
      jump |= ordinal == piece.first_ordinal && has_flags && !is_multiplexed(block.events.layout) &&
              (evt_load_u32(row->payload.data() + sizeof(std::uint64_t)) & EVT_TIME_BASE_JUMP) != 0;
      continue;
    }
    const std::uint64_t ticks = times.of(row->ticks);
    times.step_over(ticks);
    if (ticks < range.from) stream.clock = clock;
    if (!range.contains(ticks)) continue;
    if (!row->is_lost() && !row->is_end() &&
        (!row->is_event() || !filter_.wants(*stream.info, row->number(), row->fields(), ordinal, ticks, clock)))
      continue;
    if (!stream.has_begun) begin_stream(piece.stream_id, stream);
    rows_->append(piece.stream_id, clock, block, *row, ticks, jump);
    jump = false;
  }
}

void SessionCut::tell_gaps(std::uint32_t id, Stream& stream, std::uint16_t clock, std::uint64_t ticks) {
  if (stream.gaps.empty()) return;
  const std::int64_t now = data_.ns_of(clock, ticks);
  for (auto gap = stream.gaps.begin(); gap != stream.gaps.end() && gap->first <= now; gap = stream.gaps.erase(gap)) {
    const auto [to_ns, rows] = *gap;
    std::uint64_t at = ticks;
    ticks_at(data_.clocks.at(clock), later_ns(session_.start_ns, to_ns), &at);
    if (to_ns < range_.from_ns || to_ns > range_.to_ns) continue;
    if (!stream.has_begun) begin_stream(id, stream);
    rows_->append_lost(id, clock, at, rows);
  }
}

// In a stream that the session does not have.
void SessionCut::tell_unknown() {
  const std::uint32_t last = session_.streams.empty() ? 0 : session_.streams.back().id;
  if (last == UINT32_MAX) return;
  if (data_.clocks.empty()) return tell_without_clock(last + 1);
  // Data that a later version may read in the original is not in its copy.
  const bool is_whole = range_.from_ns == INT64_MIN && range_.to_ns == INT64_MAX && !options_.stream;
  if (is_whole && session_.not_decodable > 0) unknown_gaps_.emplace(session_.last_ns, session_.not_decodable);
  const auto& [clock, map] = *data_.clocks.begin();
  for (const auto& [to_ns, rows] : unknown_gaps_) {
    if (to_ns < range_.from_ns || to_ns > range_.to_ns) continue;
    std::uint64_t at = UINT64_MAX;
    ticks_at(map, later_ns(session_.start_ns, to_ns), &at);
    rows_->append_lost(last + 1, clock, at, rows);
  }
}

// No clock places these rows in time: the session gets a new clock, on which they are lost.
void SessionCut::tell_without_clock(std::uint32_t stream) {
  std::uint64_t rows = session_.missing;
  saturating_add(&rows, session_.not_decodable);
  const bool is_whole = range_.from_ns == INT64_MIN && range_.to_ns == INT64_MAX && !options_.stream;
  if (!is_whole || rows == 0) return;
  constexpr std::uint16_t kClock = 1;
  constexpr std::uint64_t kHz = 1'000'000'000;
  Buffer payload;
  append_clock(payload, {kClock, EVT_CLOCK_OTHER, kHz, 0, session_.start_ns, 0}, {});
  out_->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
  rows_->append_lost(stream, kClock, 0, rows);
}

// Called once for each stream: writes what had begun, before its first row of the range.
void SessionCut::begin_stream(std::uint32_t id, Stream& stream) {
  stream.has_begun = true;
  for (const CarriedState::Carried& each : stream.carried) {
    if (each.type == nullptr) {
      carry_loss(id, each.ns);
      continue;
    }
    const std::uint16_t clock = clock_of(*each.clock);
    const TickRange& range = ticks_.at(clock);
    if (range.is_empty ||
        !filter_.wants(*stream.info, each.type->number(), each.fields, each.ordinal, each.ticks, clock))
      continue;
    twins_->put(id, clock, *each.type, each.fields, each.ticks, range.from);
  }
  stream.carried.clear();
}

void SessionCut::carry_loss(std::uint32_t stream, std::int64_t ns) {
  for (const auto& [clock, range] : ticks_) {
    std::uint64_t until = 0;
    if (range.is_empty || !ticks_at(data_.clocks.at(clock), later_ns(session_.start_ns, ns), &until)) continue;
    return twins_->put_unknown(stream, clock, range.from, until);
  }
}

std::uint16_t SessionCut::clock_of(const ClockMap& clock) const {
  const auto found =
      std::find_if(data_.clocks.begin(), data_.clocks.end(), [&](const auto& each) { return &each.second == &clock; });
  return found->first;
}

// Puts events that cover a time of the range and were recorded after it.
void SessionCut::put_late_rows() {
  if (range_.to_ns == INT64_MAX) return;
  LateRows late(trace_, session_, [&](const StreamInfo& stream) { return streams_.at(stream.id).is_wanted; });
  late.read(range_.to_ns, [&](const KeptEvent& kept) {
    const Event& event = kept.event();
    const std::uint32_t type = event.type().number();
    const std::uint16_t clock = clock_of(kept.clock());
    if (!filter_.wants(event.stream(), type, event.payload(), event.ordinal(), event.ticks(), clock)) return;
    words_->use_type(type);
    words_->use_texts(type, event.payload());
    rows_->append(event.stream().id, clock, event.ticks(), type, event.payload());
  });
}

// After the stream's last block, from the session's index or the block inside which the file ends.
std::uint64_t SessionCut::lost_at_end(LossTotals& totals, const StreamInfo& info) {
  if (info.lost == 0) return 0;
  const std::uint64_t known = totals.of_all(info.id).value_or(info.lost);
  return info.lost > known ? info.lost - known : 0;
}

void SessionCut::finish() {
  LossTotals totals(TraceData::of(trace_).blocks, data_);
  for (auto& [id, stream] : streams_) {
    if (!stream.is_wanted || data_.clocks.empty()) continue;
    const auto clock = data_.clocks.contains(stream.clock) ? stream.clock : data_.clocks.begin()->first;
    tell_gaps(id, stream, clock, UINT64_MAX);
    if (!stream.has_begun) begin_stream(id, stream);
    const std::uint64_t lost = range_.to_ns == INT64_MAX ? lost_at_end(totals, *stream.info) : 0;
    if (lost > 0) rows_->append_lost(id, clock, ticks_.at(clock).to, lost);
  }
  if (options_.state) put_late_rows();
  tell_unknown();
  rows_->flush_all();
  words_->put();
  out_->end();
}

}  // namespace evt
