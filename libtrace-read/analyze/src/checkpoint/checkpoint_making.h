// How checkpoints are made.
#pragma once

#include <evt/analysis/state_history.h>

#include "checkpoint_file.h"

namespace evt {

// Those of which a history is.
EventOptions events_of_history();

// Makes checkpoints of all sessions in one pass over the trace, and completes the file, which is open; unless the pass
// meets damage, or more threads or cpus than are followed, which it states.
Status make_checkpoints(Trace& trace, const HistoryOptions& options, CheckpointFileWriter& writer,
                        bool* too_many_actors);

}  // namespace evt
