// Sparks over time, a row for each stream that records any: how many were created, and what became of them.
#pragma once

#include <evt/timeline.h>

#include <array>
#include <map>
#include <vector>

#include "column_counts.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// Each event is one spark, until the stream records how many there were so far (role sparkCounters): from then on what
// is more than before is counted where that is recorded. So sums are those of evt stats gc.
class SparkRows {
 public:
  SparkRows(const Session& session, const Scale& scale) : session_(&session), scale_(&scale) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kSpark) take_spark(item);
  }
  // What another is, without its columns.
  void go_on_from(const SparkRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  std::vector<Track> tracks(const TrackView& view) const;

 private:
  struct State {
    std::array<std::uint64_t, kSparkClasses> so_far{};
    bool has_counters = false;
  };
  struct OfStream : State {
    std::array<ColumnCounts, kSparkClasses> columns;
  };

  void take_spark(const TimelineItem& item);
  void add(OfStream* stream, std::size_t spark_class, std::uint64_t count, std::int64_t ns);
  void take_counters(const Event& event, OfStream* stream, std::int64_t ns);

  const Session* session_;
  const Scale* scale_;
  std::map<std::uint32_t, OfStream> streams_;  // by their places in the session
};

}  // namespace evt::view
