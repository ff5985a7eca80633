// Finds single events of a session for the page of evt view: on a row near a time, or those that a query describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

enum class FindEvent : std::uint8_t { kAt, kNext, kPrevious };

// Reads the events of the session near the time, from mark to mark, up to the one that it finds. Refers to the tiles.
// Its answer has no meaning once the patience has ended.
class EventSearch {
 public:
  explicit EventSearch(view::SessionTiles& tiles, Patience patience = Patience())
      : tiles_(&tiles), patience_(std::move(patience)) {}

  // On the row with this id: the latest event at or before `ns`, the first behind it, or the last before it. As JSON,
  // null where there is none. Its span is read to its end, and the asynchronous one
  // that it begins.
  std::string on_row(std::uint32_t row, std::int64_t ns, FindEvent find);
  // The same of events that a condition of evt dump --where holds for, or whose name or text contains the query.
  struct Found {
    std::string event;                 // JSON
    std::optional<std::uint32_t> row;  // of its stream's events
    std::string error;                 // why the query is none; empty if it is one
  };
  Found matching(const Trace& trace, const std::string& query, std::int64_t ns, FindEvent find);

 private:
  using Mark = view::RowMarks::Mark;
  // Whether an item shows that its event is wanted; it takes all items behind a mark, or all of them, in order.
  using IsWanted = std::function<bool(Timeline&, const TimelineItem&)>;
  using Query = std::function<IsWanted(const Mark* from)>;

  struct Place {
    const Mark* from = nullptr;  // null: the session's start
    std::uint64_t number = 0;    // of the events behind it
  };
  struct Located {
    std::string event = "null";  // JSON
    std::size_t stream = 0;
  };

  std::optional<Place> place_of(const Query& query, std::int64_t ns, FindEvent find);
  // Of the events behind a mark, up to this time.
  std::optional<Place> place_in(const Mark* from, std::int64_t to_ns, const Query& query, std::int64_t ns,
                                FindEvent find);
  Located located(Place place);

  view::SessionTiles* tiles_;
  Patience patience_;
};

}  // namespace evt::tools
