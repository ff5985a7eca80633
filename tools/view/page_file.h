// The page of evt view as a file that has what it shows in itself.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

#include "base/output_mode.h"
#include "viewed_traces.h"

namespace evt::tools {

// Replaces what is there when it is complete. The file has at most `size` bytes: levels of detail from the coarsest to
// the finest for which there is room, and the events of sessions that have few of them. The same traces make the same
// bytes.
Status write_page_file(ViewedTraces& traces, const std::string& path, const OutputMode& mode, std::uint64_t size);

}  // namespace evt::tools
