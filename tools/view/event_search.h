// Finds single events of a session for the page of evt view: on a row near a time, or those that a query describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

enum class FindEvent : std::uint8_t { kAt, kNext, kPrevious };

// Reads the events of the session up to the one that it finds. Refers to the tiles. Its answer has no meaning once the
// patience has ended.
class EventSearch {
 public:
  explicit EventSearch(view::SessionTiles& tiles, Patience patience = Patience())
      : tiles_(&tiles), patience_(std::move(patience)) {}

  // On the row with this id: the latest event at or before `ns`, the first behind it, or the last before it. As JSON,
  // null where there is none. Its span is read to its end.
  std::string on_row(std::uint32_t row, std::int64_t ns, FindEvent find);
  // The same of events that a condition of evt dump --where holds for, or whose name or text contains the query.
  struct Found {
    std::string event;                 // JSON
    std::optional<std::uint32_t> row;  // of its stream's events
    std::string error;                 // why the query is none; empty if it is one
  };
  Found matching(const Trace& trace, const std::string& query, std::int64_t ns, FindEvent find);

 private:
  using IsWanted = std::function<bool(Timeline&, const TimelineItem&)>;

  struct Located {
    std::string event = "null";  // JSON
    std::size_t stream = 0;
  };

  // How many events are before the one that is found. REQUIRES: `is_wanted` holds for events alone; it takes all items
  // in order.
  std::optional<std::uint64_t> place_of(IsWanted is_wanted, std::int64_t ns, FindEvent find);
  // Of the event that has this many before it.
  Located located(std::uint64_t place);

  view::SessionTiles* tiles_;
  Patience patience_;
};

}  // namespace evt::tools
