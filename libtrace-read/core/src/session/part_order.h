// The parts of a stream in the order of blocks -> in the order of their ordinals.
#pragma once

#include <span>
#include <vector>

#include "session_data.h"

namespace evt {

// Orders the parts of one stream. Its arguments must outlive it.
class PartOrder {
 public:
  PartOrder(SessionData& data, std::uint32_t stream_id, StreamParts& stream);

  // Called once all blocks were taken and all clocks are known: inserts late rows in their places, and removes parts
  // without a clock, whose rows nobody can read. Adjusts data that refers to parts by number.
  void settle();

 private:
  void put_before(std::size_t part);
  bool is_late_next(std::size_t part) const;
  void put(StreamSpan span, const Extract* extract);
  bool has_clock(StreamSpan span) const;

  SessionData& data_;
  std::uint32_t id_;
  StreamParts& stream_;
  std::span<SegmentData::LateRows> late_;
  std::span<SegmentData::Gap> gaps_;
  std::vector<StreamSpan> parts_;
};

}  // namespace evt
