// Which rows of a session an event is about. Rows that have the same events are one group.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libtrace-view/tiles/session_tiles.h"

namespace evt::tools {

// Refers to the layout.
class EventRows {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit EventRows(const view::SessionTiles::Layout& layout);

  // Of the row with this id; kNone if there is none.
  std::uint32_t group_of(std::uint32_t row) const { return row < groups_.size() ? groups_[row] : kNone; }
  // All ids of rows are below.
  std::uint32_t end_of_ids() const { return static_cast<std::uint32_t>(groups_.size()); }
  std::uint32_t groups() const { return static_cast<std::uint32_t>(all_.size()); }
  // The first row of a group.
  std::uint32_t row_of(std::uint32_t group) const { return all_[group].row; }
  // Of a row of spans; kNone if there is none.
  std::uint32_t group_of(const view::SpanRows::Place& place) const;
  // Of the row of a cpu of Actors, and of the one that has a life of a thread; kNone if there is none.
  std::uint32_t group_of_cpu(std::uint32_t cpu) const { return found_in(cpu_, cpu); }
  std::uint32_t group_of_life(std::size_t life) const;

  // One pass over the session: takes all its items in order. Refers to the rows.
  class Pass {
   public:
    // Behind a mark, unless that is null.
    Pass(const EventRows& rows, Timeline& timeline, const view::RowMarks::Mark* from);

    // The groups that the item's event is in, as far as the item shows it: none if it is no event. An event is in more
    // of them by its further items. Holds until the next call.
    const std::vector<std::uint32_t>& take(Timeline& timeline, const TimelineItem& item);
    // Where the latest item begins or ends a span, if it does.
    const view::SpanRows::Place& latest_span() const { return spans_.latest(); }
    // The row that shows best what the latest event is, as far as its items were taken; kNone if there is none.
    std::uint32_t row() const { return row_; }
    // What the call is about that the item begins; empty: nothing.
    std::string object_of(Timeline& timeline, const TimelineItem& item) const;
    // Of the row of a thread, as far as it was met.
    std::uint32_t group_of_thread(std::uint32_t thread) const { return rows_->group_of_life(lives_.latest_of(thread)); }
    // Of a thread, or of its outermost spans; kNone if there is none.
    std::uint32_t row_of_thread(std::uint32_t thread) const;

   private:
    void add(std::uint32_t group);
    void add_keyed(const std::string& key);
    void add_lane(const RoleEvent& event);
    void add_object(std::uint32_t place);

    const EventRows* rows_;
    view::Scale scale_;  // of lives: their columns are not looked at
    view::ThreadLives lives_;
    view::AsyncRows asyncs_;
    view::SpanRows spans_;
    std::optional<view::ObjectRows> objects_;  // if there are such rows
    std::vector<std::uint32_t> found_;
    std::uint32_t row_ = kNone;
  };

 private:
  // What a row shows, from what is most of its own to what it only counts.
  enum class Shows : std::uint8_t {
    kSpan,
    kCounter,
    kObject,
    kMark,
    kSamples,
    kThread,
    kTracer,
    kSparks,
    kCpu,
    kStream,
    kNothing
  };
  struct Group {
    std::uint32_t row = kNone;  // the first of it
    Shows shows = Shows::kNothing;
  };
  using Numbered = std::map<std::size_t, std::uint32_t>;

  static std::uint32_t found_in(const Numbered& groups, std::size_t number);
  std::uint32_t put(Numbered* groups, const std::string& key, Shows shows);
  std::uint32_t add_group(const std::string& key);
  std::uint32_t add_group(Shows shows);

  const view::SessionTiles::Layout* layout_;
  std::vector<std::uint32_t> groups_;  // by ids of rows
  std::vector<Group> all_;
  std::uint32_t cpus_ = kNone;
  std::uint32_t marks_ = kNone;
  std::uint32_t tracer_ = kNone;
  std::uint32_t other_objects_ = kNone;
  Numbered cpu_;
  Numbered stream_;
  Numbered sparks_;
  Numbered lane_;
  Numbered samples_;  // likewise by lane
  Numbered object_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> span_;  // by lane and depth
  std::map<std::string, std::uint32_t> by_key_;                          // of counters and asynchronous spans
};

}  // namespace evt::tools
