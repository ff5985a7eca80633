// What of a log becomes one block of rows.
#pragma once

#include <evt/session.h>

#include <vector>

#include "format-spec/src/block/block_header.h"

namespace evt::eventlog {

// Events of one capability that stand one behind the other; or a loss: what of it cannot be read between two of these.
struct Segment {
  static constexpr std::uint64_t kLoss = std::uint64_t{1} << 63;

  std::uint64_t offset = 0;  // of a loss its time
  std::uint64_t size = 0;    // of a loss kLoss and how many events it is

  bool is_loss() const { return size >= kLoss; }
  std::uint64_t lost() const { return size - kLoss; }
  std::uint64_t bytes() const { return is_loss() ? 0 : size; }
};

struct Part {
  std::uint32_t first_segment = 0;  // of LogScan's
  std::uint32_t segment_count = 0;
  EventsHeader events;
  std::vector<TypeCount> counts;
  std::uint64_t lost = 0;  // events that its rows tell of
};

}  // namespace evt::eventlog
