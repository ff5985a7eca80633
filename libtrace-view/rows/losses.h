// Where rows of streams were lost, and when the process was stopped.
#pragma once

#include <evt/timeline.h>

#include <map>

#include "bands.h"
#include "stream_set.h"

namespace evt::view {

class Losses {
 public:
  Losses(const Session& session, const Scale& scale) : session_(&session), scale_(&scale) {}

  void take(const TimelineItem& item) {
    const bool is_of_stop = item.kind == ItemKind::kStopBegan || item.kind == ItemKind::kStopEnded;
    if (item.kind == ItemKind::kLost || is_of_stop) note(item);
  }
  // What another is, without its columns.
  void go_on_from(const Losses& other) { stops_since_ = other.stops_since_; }
  void coarsen();
  // All of it in the columns of zoom.as().
  Losses seen(const Zoom& zoom) const;
  std::size_t size() const;
  // Of these streams, and of those that are not known.
  Bands lost(const StreamSet& streams) const;
  // Of the part, and of all; Actor::kNone: of all alone.
  Bands stopped(std::uint32_t part) const;

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  void note(const TimelineItem& item);

  const Session* session_;
  const Scale* scale_;
  std::map<std::uint32_t, Bands> lost_;                // by stream
  std::map<std::uint32_t, Bands> stopped_;             // by part
  std::map<std::uint32_t, std::int64_t> stops_since_;  // the same, of those that go on
};

}  // namespace evt::view
