#include "session_front.h"

namespace evt {

SegmentStream* SessionFront::stream(std::uint32_t id) {
  const std::uint64_t hash = hash_of(&id, sizeof id);
  const std::uint64_t known = by_stream_.find(hash, [&](std::uint64_t at) { return streams()[at].id == id; });
  if (known != HashIndex::kNone) return &streams()[known];
  SegmentStream made;
  made.id = id;
  const std::uint64_t at = streams_.size() / sizeof made;
  streams_.append(&made, sizeof made);
  lacks_memory_ |= !streams_.ok() || !by_stream_.insert(hash, at);
  return lacks_memory_ ? nullptr : &streams()[at];
}

// It has the totals of all segments before.
void SessionFront::add_segment(const SegmentRecord& segment, const std::uint8_t* payload) {
  record_ = segment;
  streams_.clear();
  by_stream_.clear();
  for (std::uint32_t i = 0; i < segment.stream_count; ++i) {
    const SegmentStream given = load_segment_stream(payload, i);
    SegmentStream* const known = stream(given.id);
    if (known != nullptr) *known = given;
  }
}

void SessionFront::add_sync(std::uint64_t block_no) { syncs_[sync_count_++ % kSyncsKept] = block_no; }

void SessionFront::add_events(std::uint64_t block_no, std::uint16_t clock_id, const Piece* pieces,
                              std::uint32_t count) {
  first_ = block_no;
  has_ended_ = clock_id != clock_id_;
  for (std::uint32_t i = 0; i < count; ++i) has_ended_ |= pieces[i].last_ticks >= ticks_;
  if (has_ended_) return;
  first_ = block_no + 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    SegmentStream* const known = stream(pieces[i].stream_id);
    if (known == nullptr) return;
    record_.rows_before += pieces[i].row_count;
    record_.lost_before += pieces[i].lost_total - known->lost_total;
    *known = {pieces[i].stream_id, clock_id, pieces[i].first_ordinal + pieces[i].row_count, pieces[i].lost_total,
              pieces[i].last_ticks};
  }
}

void SessionFront::append(Buffer& segment) const {
  SegmentRecord record = record_;
  if (record.number == 0) record.number = 1;
  record.first_block_no = first_;
  record.ticks = 0;
  record.stream_count = static_cast<std::uint32_t>(streams_.size() / sizeof(SegmentStream));
  append_segment(segment, record);
  const auto* const all = reinterpret_cast<const SegmentStream*>(streams_.data());
  for (std::uint32_t i = 0; i < record.stream_count; ++i) append_segment_stream(segment, all[i]);
}

}  // namespace evt
