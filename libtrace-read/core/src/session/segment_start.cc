#include "segment_start.h"

#include <evt/saturating_add.h>

#include <algorithm>

namespace evt {

void SegmentStart::add(const Block& block, Bytes payload) {
  SegmentRecord record;
  if (!load_segment(raw(payload.data()), payload.size(), &record)) {
    return ledger_.add(block, "a SEGMENT block that is too short");
  }
  SegmentData& segment = data_.in_segments();
  if (segment.is_stated || record.first_block_no != segment.first_block_no) {
    return ledger_.add(block, "a SEGMENT block that is not behind the first block of its segment");
  }
  segment.is_stated = true;
  Session& session = *data_.session;
  if (segment.offset == data_.offset) session.first_segment = record.number;
  session.last_segment = record.number;
  session.last_segment_is_known = true;
  if (segment.is_unkept_before) {
    saturating_add(&session.not_kept, record.rows_before - std::min(record.rows_before, segment.rows_so_far));
    saturating_add(&segment.lost_not_kept, record.lost_before - std::min(record.lost_before, segment.lost_so_far));
  }
  for (std::uint32_t i = 0; i < record.stream_count; ++i) {
    add_stream(block, load_segment_stream(raw(payload.data()), i));
  }
  data_.count_gone(block, record.rows_before, record.lost_before);
}

void SegmentStart::add_stream(const Block& block, const SegmentStream& stream) {
  if (stream.id == 0) return;
  const auto known = data_.streams.find(stream.id);
  if (known == data_.streams.end() && stream.next_ordinal == 0 && stream.lost_total == 0) return;
  SegmentData& segment = data_.in_segments();
  StreamParts& to = data_.stream(stream.id);
  if (stream.next_ordinal <= to.next_ordinal) return;
  SegmentData::Gap gap = {.part = to.parts.size(),
                          .segment = segment.first_block_no,
                          .next_ordinal = stream.next_ordinal,
                          .has_time = true,
                          .clock = stream.clock_id,
                          .ticks = stream.latest_ticks};
  const bool is_kept = !segment.is_unkept_before;
  data_.add_gap(stream.id, to, to.next_ordinal,
                {.why = is_kept ? RowGap::Why::kMissing : RowGap::Why::kNotKept,
                 .end = stream.next_ordinal,
                 .offset = block.offset,
                 .from_start = to.next_ordinal == 0,
                 .from = to.latest(),
                 .to = {stream.clock_id, stream.latest_ticks}});
  if (is_kept) {
    data_.add_lost(to, stream.lost_total);
  } else {
    const std::uint64_t lost = data_.lost_not_kept_of(stream.id) + to.info->lost;
    gap.lost_not_kept = stream.lost_total - std::min(stream.lost_total, lost);
  }
  segment.add_gap(stream.id, gap);
  to.next_ordinal = stream.next_ordinal;
  to.latest_clock = stream.clock_id;
  to.latest_ticks = stream.latest_ticks;
}

void SegmentStart::add_gap(const Block& block, const Piece& piece, StreamParts& to) {
  SegmentData* const segment = data_.segments.get();
  const bool is_not_kept =
      segment != nullptr && segment->is_unkept_before && !segment->is_stated && to.segment != segment->begun;
  data_.add_gap(piece.stream_id, to, to.next_ordinal,
                {.why = is_not_kept ? RowGap::Why::kNotKept : RowGap::Why::kMissing,
                 .end = piece.first_ordinal,
                 .offset = block.offset,
                 .from_start = to.next_ordinal == 0,
                 .from = to.latest(),
                 .to = {block.events.clock_id, piece.first_ticks}});
  if (!is_not_kept) return;
  const std::uint64_t rows = piece.first_ordinal - to.next_ordinal;
  SegmentData::Gap gap;
  gap.part = to.parts.size();
  gap.segment = segment->first_block_no;
  gap.next_ordinal = piece.first_ordinal;
  segment->add_gap(piece.stream_id, gap);
  saturating_add(&segment->not_kept, rows);
  saturating_add(&data_.session->not_kept, rows);
  data_.session->not_kept_is_known = false;
}

void SegmentStart::settle(const TrailerClaims& trailer) {
  SegmentData* const segment = data_.segments.get();
  if (segment == nullptr || segment->is_stated || !segment->is_unkept_before) return;
  if (trailer.rows > trailer.rows_so_far) return;
  const std::uint64_t before = trailer.rows_so_far - trailer.rows;
  const std::uint64_t not_kept = before - std::min(before, segment->rows_so_far);
  if (not_kept < segment->not_kept) return;
  const std::uint64_t lost_before = trailer.lost_so_far - std::min(trailer.lost_so_far, trailer.lost);
  saturating_add(&data_.session->not_kept, not_kept - segment->not_kept);
  saturating_add(&segment->lost_not_kept, lost_before - std::min(lost_before, segment->lost_so_far));
  segment->is_stated = data_.session->not_kept_is_known = true;
}

}  // namespace evt
