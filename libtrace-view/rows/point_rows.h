// Events as moments: the marks, and how many events each stream recorded.
#pragma once

#include <evt/timeline.h>

#include <vector>

#include "column_counts.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

class PointRows {
 public:
  PointRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kRow) take_event(item);
  }
  // What streams have that was not taken yet is drawn as if it were even, from where tracks end.
  void expect(const std::vector<Trace::RowsInTime>& rows);
  // Those that are wanted of one row of all marks, and one of each stream that has events.
  std::vector<Track> tracks(const TrackView& view, const Wanted& wanted) const;
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;

 private:
  // Texts of one column are more than can be drawn.
  static constexpr std::size_t kMaxLabels = 4096;

  struct Label {
    std::uint32_t column = 0;
    std::uint32_t text = 0;  // of names
  };

  void take_event(const TimelineItem& item);
  void add_mark(const TimelineItem& item);
  void add_expected(std::size_t stream, const TrackView& view, std::vector<std::uint64_t>* counts) const;
  Track marks(const TrackView& view) const;

  const Session* session_;
  EventNames* names_;
  const Scale* scale_;
  ColumnCounts marks_;
  std::vector<Label> labels_;                             // of marks, one of each column
  std::vector<ColumnCounts> counts_;                      // by stream
  std::vector<std::vector<Trace::RowsInTime>> expected_;  // the same
};

}  // namespace evt::view
