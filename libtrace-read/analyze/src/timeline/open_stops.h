// Stops of processes that are in progress.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <map>
#include <vector>

#include "late_events.h"
#include "libtrace-read/analyze/src/archive.h"
#include "timeline_items.h"

namespace evt {

// Several stops of a process may overlap; the cost of each does not depend on their number. The depth of an item is the
// number of other stops of the process in progress. Memory grows with the stops in progress.
class OpenStops {
 public:
  explicit OpenStops(const Session& session) : counts_(session.parts.size() + 1) {}

  // Takes a stop that begins or ends, and appends its item.
  void take(const LateEvent& late, TimelineItem at, TimelineItems* items);
  // A range begins: begins the stops in progress, the oldest first.
  void begin(TimelineItem at, TimelineItems* items) const;
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items) const;
  // For so many names. Can be read only for the same session.
  void archive(Archive& archive, std::size_t names);

 private:
  struct Stop {
    std::uint32_t part = Actor::kNone;
    std::uint32_t name = EventNames::kNone;
    std::int64_t began_ns = 0;
    std::uint64_t suspended_ns = 0;
    std::uint64_t order = 0;  // its event's
  };

  std::uint32_t& count(std::uint32_t part) { return counts_[part + std::uint32_t{1}]; }

  std::map<std::uint64_t, Stop> open_;               // in the order of their begins
  std::map<std::uint64_t, std::uint64_t> begin_of_;  // the same stops, by the order of their events
  std::uint64_t begun_ = 0;
  std::vector<std::uint32_t> counts_;  // stops in progress: without a part, then by part
};

}  // namespace evt
