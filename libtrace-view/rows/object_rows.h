// How much calls did with each object: what was read of a file, sent to a socket.
#pragma once

#include <evt/open_stack.h>
#include <evt/timeline.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "column_counts.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// The names of the objects that calls are for, each as long as it is open; memory grows with those that are.
class ObjectNames {
 public:
  explicit ObjectNames(EventNames& names) : names_(&names) {}

  // Names that were known elsewhere.
  void go_on_from(const ObjectNames& other) { objects_ = other.objects_; }
  // An item of kind kObject; within which part of a merged session its number is known.
  void take(const TimelineItem& item, std::uint32_t part);
  // Its name; without one its resource, and its number if it has one. `resource` is that of a call, or kNone.
  std::string of(std::uint64_t number, std::uint32_t part, std::uint32_t resource) const;

 private:
  struct Object {
    std::uint32_t resource = EventNames::kNone;
    std::uint32_t name = EventNames::kNone;
  };

  EventNames* names_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Object> objects_;  // by part and number
};

// Rows of objects with the largest amounts, by their places in ObjectRows; all others are one row.
using ObjectPlan = std::vector<std::uint32_t>;

// The amount of a call is in the column in which the call ends.
class ObjectRows {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  ObjectRows(Timeline& timeline, const Scale& scale);

  void take(const TimelineItem& item) {
    latest_ = kNone;
    const bool is_of_call =
        item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded || item.kind == ItemKind::kObject;
    if (is_of_call && has_amounts_) take_call(item);
  }
  // What another is, without its columns.
  void go_on_from(const ObjectRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  // Which object the item that was taken last is a call of, by its place; kNone if it is the end of none.
  std::uint32_t latest() const { return latest_; }
  const ObjectNames& names() const { return object_names_; }
  // Objects that were met.
  std::size_t objects() const { return objects_.size(); }
  // Up to kMost objects, those with the largest amounts so far first.
  ObjectPlan plan() const;
  // Those of the plan, which may be of another reading of the session, and the others.
  std::vector<Track> tracks(const TrackView& view, const ObjectPlan& plan) const;

 private:
  struct State {
    std::string name;
    std::uint32_t part = Actor::kNone;
    std::uint64_t amount = 0;  // of all time
    StreamSet streams;
  };
  struct Object : State {
    ColumnCounts columns;
  };
  // A span or call that is open.
  struct Frame {
    std::uint64_t number = 0;
    std::uint64_t amount = 0;
    std::uint32_t part = Actor::kNone;  // within which the number is known
    std::uint32_t resource = EventNames::kNone;
  };

  // Which object a number is for calls with this resource.
  struct Known {
    std::uint32_t resource = EventNames::kNone;
    std::uint32_t place = 0;
  };

  void take_call(const TimelineItem& item);
  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  // Its place.
  std::uint32_t object_of(const Frame& frame);
  Track track_of(const Object& object, const TrackView& view) const;

  Actors* actors_;
  EventNames* names_;
  const Scale* scale_;
  bool has_amounts_ = false;  // some type of event has a field for them
  std::uint32_t latest_ = kNone;
  ObjectNames object_names_;
  OpenStacks<Frame> open_;
  std::vector<Object> objects_;                                            // in the order in which they were met
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> places_;  // of them, by part and name
  // The same by part and number, for calls, of which there are many.
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, Known>> known_;
};

}  // namespace evt::view
