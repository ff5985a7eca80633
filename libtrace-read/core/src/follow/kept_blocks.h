// What of a session that is followed has to be read again with the blocks that come next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libtrace-read/core/src/session/handed_out.h"
#include "libtrace-read/core/src/trace/trace_data.h"

namespace evt {

// The blocks of the last session that come before `end` and that later ones need: its description, by the last two
// repeats of it, the moments of its clocks, and rows that were not handed out. They are numbered so that the session's
// next block follows them; of earlier sessions only that they were there. Notes in `handed_out` which rows of its
// streams those blocks have. Nothing if they have more than `most` bytes.
std::optional<std::vector<std::byte>> kept_blocks(TraceData& trace, std::uint64_t end, std::size_t most,
                                                  HandedOut* handed_out);

}  // namespace evt
