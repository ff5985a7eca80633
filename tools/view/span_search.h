// Finds the span or call that a row of spans shows at a time, for the page of evt view.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "enclosing_span.h"
#include "event_facts.h"
#include "event_rows.h"
#include "find_event.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

// Reads the session near the time, from a mark on, and on to the end of what it finds. Refers to the tiles. Its answer
// has no meaning once the patience has ended.
class SpanSearch {
 public:
  struct Found {
    EventFacts event;  // that begins it, or records it as a whole
    EnclosingSpan::Found span;
    std::string thread;  // as tables have it: its name and its number
    std::string object;  // that a call is about; empty: nothing
  };

  SpanSearch(view::SessionTiles& tiles, Patience& patience)
      : tiles_(&tiles), rows_(tiles.layout()), patience_(&patience) {}

  // Of the spans of a row the last one that began at or before `ns`, the first after it, or the last before it.
  std::optional<Found> on_row(std::uint32_t row, std::int64_t ns, FindEvent find);

 private:
  using Mark = view::RowMarks::Mark;
  class Pass;

  view::SessionTiles* tiles_;
  EventRows rows_;
  Patience* patience_;
};

}  // namespace evt::tools
