// Finds single events of a session for the page of evt view: on a row near a time, or one of those that match a query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "find_event.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "matches.h"
#include "patience.h"
#include "state_stretches.h"

namespace evt::tools {

// Reads the events of the session near the time, from mark to mark, up to the one that it finds. Refers to the tiles.
// Its answers, events as JSON or null, have no meaning once the patience has ended.
class EventSearch {
 public:
  explicit EventSearch(view::SessionTiles& tiles, Patience patience = Patience())
      : tiles_(&tiles), patience_(std::move(patience)) {}

  // On the row with this id: the latest event at or before `ns`, the first behind it, or the last before it. Its span
  // is read to its end, and the asynchronous one that it begins. On a row of spans the same of these: the event is the
  // one that begins the span, or records it as a whole. On a row of a thread or cpu, with what that does at `ns`.
  std::string on_row(std::uint32_t row, std::int64_t ns, FindEvent find);
  std::string matching(const Query& query, const Match& match);

 private:
  using Mark = view::RowMarks::Mark;
  // Whether an item shows that its event is wanted; it takes all items behind a mark, or all of them, in order.
  using IsWanted = std::function<bool(Timeline&, const TimelineItem&)>;
  using Wanted = std::function<IsWanted(const Mark* from)>;

  struct Place {
    const Mark* from = nullptr;  // null: the session's start
    std::uint64_t number = 0;    // of the events behind it
  };

  std::optional<Place> place_of(const Wanted& wanted, std::int64_t ns, FindEvent find);
  // Of the events behind a mark, up to this time.
  std::optional<Place> place_in(const Mark* from, std::int64_t to_ns, const Wanted& wanted, std::int64_t ns,
                                FindEvent find);
  std::string located(std::optional<Place> place, const std::optional<StateStretch>& state = {});

  view::SessionTiles* tiles_;
  Patience patience_;
};

}  // namespace evt::tools
