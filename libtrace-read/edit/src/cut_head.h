// The blocks of a part of a session before its rows: its identity, and its clocks.
#pragma once

#include <evt/cut.h>

#include "libtrace-read/core/src/session/session_data.h"
#include "trace_output.h"

namespace evt {

struct SessionHead {
  std::string cut;  // which part of another session it is; empty: of none
  std::optional<LeftOut> left_out;
  const Buffer* segment = nullptr;  // the payload of SEGMENT, for a session without its first segments
};

// The uuid of a part of a session: the same for the same part.
Session::Uuid cut_uuid(const SessionData& data, const std::string& what, const TimeRange& range);
// That of a snapshot of a trace of this size.
Session::Uuid snapshot_uuid(const SessionData& data, std::uint64_t size);

// Its SESSION, SEGMENT, CLOCK and SYNC blocks.
void put_head(const SessionData& data, const CutOptions& options, const SessionHead& head, const Session::Uuid& uuid,
              TraceOutput& out);

}  // namespace evt
