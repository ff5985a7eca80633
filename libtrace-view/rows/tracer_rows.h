// What tracing itself took: events of role overhead, such as the writing of blocks and waits for room.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <vector>

#include "name_labels.h"
#include "state_runs.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// One row, the sum of all streams that record any. On one stream one thing after another: where two overlap, the later
// one counts from where the earlier one ended.
class TracerRows {
 public:
  TracerRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kRow && item.event->role == Role::kOverhead) take_overhead(item);
  }
  // What another is, without its columns.
  void go_on_from(const TracerRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  std::vector<Track> tracks(const TrackView& view) const;

 private:
  struct OfStream {
    StateRuns runs;  // by the hues of reasons
    std::int64_t until_ns = INT64_MIN;
  };

  void take_overhead(const TimelineItem& item);

  const Session* session_;
  EventNames* names_;
  const Scale* scale_;
  std::map<std::uint32_t, OfStream> streams_;  // by their places in the session
  NameLabels labels_;                          // by reasons
};

}  // namespace evt::view
