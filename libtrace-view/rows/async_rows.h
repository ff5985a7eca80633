// Asynchronous spans, which may end on another thread than the one they began on: rows for each name.
#pragma once

#include <evt/timeline.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "span_rows.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// Spans of one name that overlap lie in lanes, each in the lowest one that is free. A row below the lanes shows when
// there were more. Memory is bounded: the first kMostNames names have rows of their own, and all other names share the
// lanes of one group.
class AsyncRows {
 public:
  static constexpr std::size_t kMostNames = 64;
  static constexpr std::size_t kMaxLanes = 32;

  AsyncRows(const Session& session, EventNames& names, const Scale& scale)
      : session_(&session), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item) {
    latest_.clear();
    if (item.kind == ItemKind::kAsyncBegan) begin(item);
    if (item.kind == ItemKind::kAsyncEnded) end(item);
    if (item.kind == ItemKind::kLost && !groups_.empty()) lose(item);
  }
  // What another is, without its columns.
  void go_on_from(const AsyncRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  std::size_t lanes() const;
  // The key of the row with the span that the event of the latest item begins or ends; empty if it does neither.
  const std::string& latest() const { return latest_; }
  std::vector<Track> tracks(const TrackView& view, const Wanted& wanted) const;

 private:
  // Of the span in it, or below the lanes of all `open` ones.
  struct State {
    std::uint64_t open = 0;
    std::uint64_t id = 0;
    std::uint32_t name = 0;
    std::int64_t began_ns = 0;  // as recorded
    std::int64_t since_ns = 0;
    std::int64_t uncertain_since = INT64_MAX;
  };
  struct Lane : State {
    SpanRows::Depth depth;
    Bands uncertain;
  };
  struct Group {
    std::uint32_t part = Actor::kNone;
    std::uint32_t name = EventNames::kNone;  // kNone: all other names
    StreamSet streams;
    std::vector<Lane> lanes;
  };

  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  void lose(const TimelineItem& item);
  std::size_t group_of(const TimelineItem& item);
  void note(const TimelineItem& item, std::size_t group, std::size_t lane);
  std::string text_of(const Group& group) const;
  Track track_of(const Lane& lane, const TrackView& view) const;

  const Session* session_;
  EventNames* names_;
  const Scale* scale_;
  std::vector<Group> groups_;                                              // in the order in which they were met
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places_;  // of them, by part and name
  std::string latest_;
};

}  // namespace evt::view
