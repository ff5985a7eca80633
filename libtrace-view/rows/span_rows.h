// Spans and calls of each thread, a row for each depth.
#pragma once

#include <evt/open_stack.h>

#include <string>
#include <vector>

#include "name_labels.h"
#include "thread_lives.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// The name's colour: one of twelve, the same for a name in every trace.
Key hue_of(const std::string& name);

// Spans that overlap without being one inside the other are in rows of their own. What is deeper than kMaxDepth is
// inside of what is drawn.
class SpanRows {
 public:
  static constexpr std::uint32_t kMaxDepth = 64;

  struct Depth {
    Course course;
    NameLabels labels;
  };
  // The row of a depth, of the spans of a life.
  struct Place {
    std::uint32_t row = kMaxDepth;  // kMaxDepth or more: none that is drawn
    std::size_t life = ThreadLives::kNone;
  };
  struct OpenSpan {
    std::uint32_t name = 0;     // of EventNames
    std::int64_t began_ns = 0;  // as recorded
    bool is_call = false;
    Place place;
  };

  SpanRows(ThreadLives& lives, EventNames& names, const Scale& scale)
      : lives_(&lives), names_(&names), scale_(&scale) {}

  void take(const TimelineItem& item) {
    latest_ = Place();
    if (item.kind == ItemKind::kBegan && item.thread < Actor::kOthers) begin(item);
    if (item.kind == ItemKind::kEnded && item.thread < Actor::kOthers) end(item);
  }
  // Where the latest item begins or ends a span, if it does.
  const Place& latest() const { return latest_; }
  // By the places of lives.
  const std::vector<Depth>& of_life(std::size_t life) const;
  void show_labels(const Depth& depth, const Zoom& zoom, std::vector<TrackLabel>* labels) const {
    depth.labels.show(zoom, *names_, labels);
  }
  // Calls f(index of the thread, OpenSpan) for what is open, of each thread from the outermost on.
  template <typename F>
  void each_open(F f) const {
    for (std::uint32_t thread = 0; thread < open_.threads().size(); ++thread) {
      for (const Open& open : open_.of(thread)) f(thread, OpenSpan(open));
    }
  }
  // What another is, without its columns.
  void go_on_from(const SpanRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;

 private:
  struct Open : OpenSpan {
    std::int64_t since_ns = 0;
  };

  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  std::uint32_t free_row(std::uint32_t thread, std::uint32_t depth);
  Key hue_of_name(std::uint32_t name);

  ThreadLives* lives_;
  EventNames* names_;
  const Scale* scale_;
  std::vector<std::vector<Depth>> by_life_;
  OpenStacks<Open> open_;
  Place latest_;
  std::vector<std::uint64_t> used_rows_;  // by thread: a bit for each
  std::vector<Key> hues_;                 // by names, of those that were asked for; else kNothing
};

}  // namespace evt::view
