// How checkpoints are made.
#pragma once

#include <evt/analysis/state_history.h>

#include "checkpoint_file.h"

namespace evt {

// Those of which a history is.
EventOptions events_of_history();

// Work that must grow with the trace alone, however much it has of anything.
struct MakingWork {
  std::uint64_t actors_measured = 0;  // to find out whether the directory has room for them
  bool too_many_actors = false;       // of a session, so nothing was made
};

// Makes checkpoints of all sessions in one pass over the trace, and completes the file, which is open; unless the pass
// meets damage.
Status make_state(Trace& trace, const HistoryOptions& options, CheckpointFileWriter& writer,
                  MakingWork* work = nullptr);

}  // namespace evt
