// A trace, opened: the file and, if its writer was killed or still runs, behind it what the ring has that the file
// lacks.
#pragma once

#include "trace_data.h"

namespace evt {

// Reads the structure; rings of its sessions are looked for if the source is a file and the options want it.
std::unique_ptr<TraceData> open_trace(std::unique_ptr<ByteSource> source, const ReadOptions& options);

}  // namespace evt
