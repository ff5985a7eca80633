#include "rows_before.h"

#include <evt/saturating_add.h>

#include <algorithm>

namespace evt {
namespace {

// As many as a block has room for; others count as ended.
constexpr std::size_t kMaxStreams =
    (std::size_t{EVT_MAX_METADATA_PAYLOAD} - EVT_SEGMENT_FIXED_SIZE) / EVT_SEGMENT_STREAM_SIZE;

}  // namespace

RowsBefore::RowsBefore(const SessionData& data) {
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

void RowsBefore::append_to(Buffer& payload) const {
  append_segment(payload, segment);
  for (const SegmentStream& stream : streams) append_segment_stream(payload, stream);
}

}  // namespace evt
