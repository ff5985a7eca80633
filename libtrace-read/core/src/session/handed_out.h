// The rows of a session that a reader has handed out and does not want again.
#pragma once

#include <cstdint>
#include <map>

namespace evt {

struct HandedOut {
  struct Stream {
    std::uint64_t next_ordinal = 0;  // after the latest of them
    // The largest time since the latest jump, by which section 9 of FORMAT.md orders the rows after it.
    bool has_time = false;
    std::uint16_t clock = 0;
    std::uint64_t ticks = 0;
    std::int64_t ns = INT64_MIN;
    std::uint64_t lost = 0;     // events that its LOST rows count, as far as the file states
    std::uint64_t in_file = 0;  // after the latest row in the blocks that were passed
    bool has_ended = false;     // its last row is among them
  };

  std::uint64_t session_id = 0;
  std::map<std::uint32_t, Stream> streams;
};

}  // namespace evt
