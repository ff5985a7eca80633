// Which rows of a session an event is about. Rows that have the same events are one group: those of a thread and of
// its spans at each depth.
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
  std::uint32_t groups() const { return count_; }
  // The row that shows how many events a stream has; kNone if there is none.
  std::uint32_t row_of_stream(std::size_t stream) const;

  // One pass over the session: takes all its items in order. Refers to the rows.
  class Pass {
   public:
    // Behind a mark, unless that is null.
    Pass(const EventRows& rows, Timeline& timeline, const view::RowMarks::Mark* from);

    // The groups that the item's event is in, as far as the item shows it: none if it is no event. An event is in more
    // of them by its further items. Holds until the next call.
    const std::vector<std::uint32_t>& take(Timeline& timeline, const TimelineItem& item);

   private:
    void add(std::uint32_t group);
    void add_keyed(const std::string& key);
    void add_lane(const RoleEvent& event);
    void add_object(std::uint32_t place);

    const EventRows* rows_;
    view::Scale scale_;  // of lives: their columns are not looked at
    view::ThreadLives lives_;
    view::AsyncRows asyncs_;
    std::optional<view::ObjectRows> objects_;  // if there are such rows
    std::vector<std::uint32_t> found_;
  };

 private:
  using Numbered = std::map<std::size_t, std::uint32_t>;

  static std::uint32_t found_in(const Numbered& groups, std::size_t number);
  Numbered* numbered(const std::string& kind);
  std::uint32_t add_group(const std::string& key);

  const view::SessionTiles::Layout* layout_;
  std::vector<std::uint32_t> groups_;  // by ids of rows
  std::uint32_t count_ = 0;
  std::uint32_t cpus_ = kNone;
  std::uint32_t marks_ = kNone;
  std::uint32_t tracer_ = kNone;
  std::uint32_t other_objects_ = kNone;
  Numbered cpu_;
  Numbered stream_;
  Numbered sparks_;
  Numbered lane_;
  Numbered object_;
  std::map<std::string, std::uint32_t> by_key_;  // of counters and asynchronous spans
};

}  // namespace evt::tools
