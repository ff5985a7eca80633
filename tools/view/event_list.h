// The events around a moment, for the list of the page of evt view that follows the cursor.
#pragma once

#include <string>

#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

// Reads the session's events from a mark, if there is one, up to the last one that is listed; memory grows with what is
// listed alone. Refers to the tiles. Its answer has no meaning once the patience has ended.
class EventList {
 public:
  static constexpr std::size_t kMost = 500;  // on each side

  explicit EventList(view::SessionTiles& tiles, Patience patience = Patience())
      : tiles_(&tiles), patience_(std::move(patience)) {}

  // Up to `before` events of the session before `ns`, and up to `after` at or behind it, in order of time. As JSON.
  // REQUIRES: both are kMost at most.
  std::string around(std::int64_t ns, std::size_t before, std::size_t after);

 private:
  // Of those behind a mark, or of all.
  std::uint64_t count_before(std::int64_t ns, const view::RowMarks::Mark* from);

  view::SessionTiles* tiles_;
  Patience patience_;
};

}  // namespace evt::tools
