// What of a log becomes one block of rows.
#pragma once

#include <evt/session.h>

#include <vector>

#include "format-spec/src/block_header.h"

namespace evt::eventlog {

// Events of one capability that stand one behind the other.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct Part {
  std::uint32_t first_segment = 0;  // of LogScan's
  std::uint32_t segment_count = 0;
  EventsHeader events;
  std::vector<TypeCount> counts;
};

}  // namespace evt::eventlog
