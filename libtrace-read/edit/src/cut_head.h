// The blocks of a part of a session before its rows: its identity, and its clocks.
#pragma once

#include <evt/cut.h>

#include "libtrace-read/core/src/session/session_data.h"
#include "trace_output.h"

namespace evt {

// The uuid of a part of a session: the same for the same part.
Session::Uuid cut_uuid(const SessionData& data, const std::string& what, const TimeRange& range);

// Its SESSION, CLOCK and SYNC blocks.
void put_head(const SessionData& data, const CutOptions& options, const TimeRange& range, const Session::Uuid& uuid,
              TraceOutput& out);

}  // namespace evt
