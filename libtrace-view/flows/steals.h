// Which cpus a steal of a spark is between.
#pragma once

#include <evt/timeline.h>

#include <optional>
#include <vector>

#include "flow.h"
#include "libtrace-view/rows/cpu_rows.h"

namespace evt::view {

// The event is of the stream, or the thread, that takes the spark; its field `victim_cap` or `victim` has the number of
// the other. That is a cpu's, or one that streams have in their names: from "cap 2" and 0 it is "cap 0".
class Steals {
 public:
  explicit Steals(Actors& actors);
  // Goes on from another.
  Steals(const Steals& other, Actors& actors)
      : actors_(&actors), has_steals_(other.has_steals_), where_(other.where_) {}

  // All items of the session, in order.
  void take(const TimelineItem& item) {
    if (!has_steals_) return;
    CpuRows::number(*actors_, item);
    if (item.kind == ItemKind::kState && item.thread < Actor::kOthers) move(item);
  }
  // Nothing if it is not known whose the spark was. REQUIRES: an item of an event of role sparkSteal, which was taken.
  std::optional<Flow> flow_of(const TimelineItem& item) const;

 private:
  void move(const TimelineItem& item);
  std::uint32_t place_of(const StreamInfo& stream) const;
  // The cpu that a stream is; kNone if it is none, as far as is known.
  std::uint32_t cpu_that_is(const StreamInfo& stream) const;
  std::uint32_t cpu_with(std::uint64_t number, std::uint32_t part) const;
  const StreamInfo* beside(const StreamInfo& stream, std::uint64_t number) const;

  Actors* actors_;
  bool has_steals_;                   // some type of event records them
  std::vector<std::uint32_t> where_;  // each thread runs
};

}  // namespace evt::view
