// Blocks before a segment of a session that are absent: not kept, or missing.
#pragma once

#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/session/segment_record.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/block/ledger.h"
#include "libtrace-read/core/src/index/index_payload.h"
#include "session_data.h"

namespace evt {

// Refers to its arguments while it lives.
class SegmentStart {
 public:
  SegmentStart(Ledger& ledger, SessionData& data) : ledger_(ledger), data_(data) {}

  // Takes a SEGMENT block, which directly follows the SESSION block that begins the segment.
  void add(const Block& block, Bytes payload);
  // Rows of a stream before a piece are absent: unless a SEGMENT states their number, they were not kept.
  void add_gap(const Block& block, const Piece& piece, StreamParts& to);
  // If no SEGMENT could be read, the segment's TRAILER tells how many rows were before it.
  void settle(const TrailerClaims& trailer);

 private:
  void add_stream(const Block& block, const SegmentStream& stream);

  Ledger& ledger_;
  SessionData& data_;
};

}  // namespace evt
