// Quantities over time, a row for each name on each stream.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <vector>

#include "track.h"
#include "track_view.h"
#include "value_runs.h"

namespace evt::view {

// Of events of roles counter, counterTotal and counterDelta: the field of role value.
class CounterRows {
 public:
  CounterRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  // In order of streams and names.
  std::vector<Track> tracks(const TrackView& view) const;

 private:
  struct Counter {
    ValueRuns runs;  // until since_ns
    double value = 0;
    bool is_known = false;
    std::int64_t since_ns = 0;
  };
  struct Which {
    std::uint32_t stream = 0;  // its place
    std::string name;
    auto operator<=>(const Which&) const = default;
  };

  const Session* session_;
  EventNames* names_;
  const Scale* scale_;
  std::map<Which, Counter> counters_;
};

}  // namespace evt::view
