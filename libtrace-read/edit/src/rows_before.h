// What a session has before its first segment that is present, as a SEGMENT block of a new session states it.
#pragma once

#include <vector>

#include "format-spec/src/session/segment_record.h"
#include "libtrace-read/core/src/session/session_data.h"

namespace evt {

struct RowsBefore {
  explicit RowsBefore(const SessionData& data);

  // False: it has its first segment.
  bool any() const { return segment.number > 0; }
  // The SEGMENT block's payload. REQUIRES: any().
  void append_to(Buffer& payload) const;

  SegmentRecord segment;
  std::vector<SegmentStream> streams;
  // Rows of segments between those that are present, which a single segment cannot state.
  std::uint64_t rows_between = 0;
};

}  // namespace evt
