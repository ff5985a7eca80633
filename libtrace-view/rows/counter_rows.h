// Quantities over time, a row for each name on each stream.
#pragma once

#include <evt/analysis/counters.h>

#include <vector>

#include "track.h"
#include "track_view.h"
#include "value_runs.h"

namespace evt::view {

// Of events of roles counter, counterTotal and counterDelta: the field of role value.
class CounterRows {
 public:
  CounterRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), scale_(&scale), counters_(session, names) {}

  void take(const TimelineItem& item) {
    if (Counters::is_about(item)) take_event(item);
  }
  // What another is, without its columns.
  void go_on_from(const CounterRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  // In order of streams and names.
  std::vector<Track> tracks(const TrackView& view) const;

 private:
  struct Course {
    double value = 0;
    std::int64_t since_ns = 0;
    ValueRuns runs;  // until then
  };

  void take_event(const TimelineItem& item);
  std::vector<std::uint32_t> in_order() const;

  const Session* session_;
  const Scale* scale_;
  Counters counters_;
  std::vector<Course> courses_;  // of each of them
};

}  // namespace evt::view
