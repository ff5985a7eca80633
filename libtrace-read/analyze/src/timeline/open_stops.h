// Which stops of processes go on.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <map>
#include <vector>

#include "late_events.h"
#include "libtrace-read/analyze/src/archive.h"
#include "timeline_items.h"

namespace evt {

// Several stops of a process may overlap; each costs the same however many do. Items have as their depth how many of
// the process go on beside it. Memory grows with the stops that go on.
class OpenStops {
 public:
  explicit OpenStops(const Session& session) : counts_(session.parts.size() + 1) {}

  // Takes a stop that begins or ends, and appends the item of that.
  void take(const LateEvent& late, TimelineItem at, TimelineItems* items);
  // A range begins: what goes on then, the oldest first.
  void begin(TimelineItem at, TimelineItems* items) const;
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items) const;
  // Of so many names. What is read comes into one of the same session.
  void archive(Archive& archive, std::size_t names);

 private:
  struct Stop {
    std::uint32_t part = Actor::kNone;
    std::uint32_t name = EventNames::kNone;
    std::int64_t began_ns = 0;
    std::uint64_t suspended_ns = 0;
    std::uint64_t order = 0;  // of its event
  };

  std::uint32_t& count(std::uint32_t part) { return counts_[part + std::uint32_t{1}]; }

  std::map<std::uint64_t, Stop> open_;               // by which begin it was
  std::map<std::uint64_t, std::uint64_t> begin_of_;  // the same, by the order of its event
  std::uint64_t begun_ = 0;
  std::vector<std::uint32_t> counts_;  // how many go on: of no part, then by part
};

}  // namespace evt
