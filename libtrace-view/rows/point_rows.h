// Events as moments: the marks, and how many events each stream recorded.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <vector>

#include "losses.h"
#include "track.h"

namespace evt::view {

class PointRows {
 public:
  PointRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item);
  // One row of all marks, and one of each stream that has events.
  std::vector<Track> tracks(const Losses& losses) const;

 private:
  // Texts of one column are more than can be drawn.
  static constexpr std::size_t kMaxLabels = 4096;

  void add_mark(const TimelineItem& item, std::uint32_t column);

  const Session* session_;
  EventNames* names_;
  const Scale* scale_;
  Track marks_;
  std::map<std::uint32_t, std::vector<std::uint64_t>> counts_;  // by stream
};

}  // namespace evt::view
