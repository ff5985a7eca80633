// What of a session that is followed has to be read again with the blocks that come next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libtrace-read/core/src/block/shared_buffer.h"
#include "libtrace-read/core/src/session/handed_out.h"
#include "libtrace-read/core/src/trace/trace_data.h"

namespace evt {

// The blocks of the last session that come before `end` and that later ones need: its description, by the last two
// repeats of it, the moments of its clocks, and rows that were not handed out. They are numbered so that the session's
// next block follows them. They have no padding: that of the last block read, kept or not, may come with the next look.
// Earlier sessions have only the first block. Notes in `handed_out` which rows of its streams those blocks have.
// Nothing if they have more than `most` bytes.
// `hands_out`: the rows of these blocks, and no others, are handed out.
struct KeptBlocks {
  struct Place {
    std::uint64_t kept = 0;    // where a block begins in `bytes`
    std::uint64_t source = 0;  // and in the trace
  };
  SharedBuffer bytes;
  std::vector<Place> places{};
};
std::optional<KeptBlocks> kept_blocks(TraceData& trace, std::uint64_t end, std::size_t most, bool hands_out,
                                      HandedOut* handed_out);

}  // namespace evt
