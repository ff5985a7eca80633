// The events around a moment, for the list of the page of evt view that follows the cursor.
#pragma once

#include <string>

#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

inline constexpr std::size_t kMaxListedEvents = 500;  // on each side

// Up to `before` events of the session before `ns`, and up to `after` at or behind it, in order of time. As JSON, which
// has no meaning once the patience has ended. Reads the session's events from a mark, if there is one, up to the last
// one that is listed; memory grows with what is listed alone. REQUIRES: both are kMaxListedEvents at most.
std::string events_around(view::SessionTiles& tiles, Patience patience, std::int64_t ns, std::size_t before,
                          std::size_t after);

}  // namespace evt::tools
