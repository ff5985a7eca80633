// The beginning of a session, which a copy of its end leaves out: the blocks before the first one with rows of a
// certain time (FORMAT.md, section 6.7).
#pragma once

#include <cstdint>

#include "format-spec/src/base/buffer.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/session/segment_record.h"
#include "hash_index.h"

namespace evt {

// Is shown the blocks in their order. One thread at a time.
class SessionFront {
 public:
  // It ends before the first block with rows of this time or later, or of another clock.
  void end_at(std::uint16_t clock_id, std::uint64_t ticks) {
    clock_id_ = clock_id;
    ticks_ = ticks;
  }

  void add_segment(const SegmentRecord& segment, const std::uint8_t* payload);
  void add_sync(std::uint64_t block_no);
  void add_events(std::uint64_t block_no, std::uint16_t clock_id, const Piece* pieces, std::uint32_t count);
  // Later blocks are not looked at.
  bool has_ended() const { return has_ended_; }
  bool lacks_memory() const { return lacks_memory_; }

  // True if a block of events is in it.
  bool has_rows() const { return record_.rows_before > 0 && first_ > 0; }
  // For EVENTS and SYNC.
  bool has(const BlockHeader& header) const { return header.block_no < first_; }
  // A SYNC that is too early for the rows after it.
  bool has_old_sync(const BlockHeader& header) const { return header.block_no < syncs_[sync_count_ % kSyncsKept]; }
  // What SEGMENT of the copy states.
  const SegmentRecord& record() const { return record_; }
  void append(Buffer& segment) const;

 private:
  static constexpr std::size_t kSyncsKept = 16;

  SegmentStream* streams() { return reinterpret_cast<SegmentStream*>(streams_.data()); }
  SegmentStream* stream(std::uint32_t id);

  std::uint16_t clock_id_ = 0;
  std::uint64_t ticks_ = 0;
  bool has_ended_ = false;
  bool lacks_memory_ = false;
  std::uint64_t first_ = 0;               // the number of the block behind it
  std::uint64_t syncs_[kSyncsKept] = {};  // numbers of the last ones
  std::uint64_t sync_count_ = 0;
  SegmentRecord record_;
  Buffer streams_;  // SegmentStream elements
  HashIndex by_stream_;
};

}  // namespace evt
