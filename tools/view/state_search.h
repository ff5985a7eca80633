// Finds the stretch of a state that the row of a thread or cpu shows at a time, for the page of evt view.
#pragma once

#include <cstdint>
#include <optional>

#include "event_rows.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"
#include "state_stretches.h"

namespace evt::tools {

// Reads the session near the time, from a mark on to the end of the stretch. Refers to the tiles. Its answer has no
// meaning once the patience has ended.
class StateSearch {
 public:
  StateSearch(view::SessionTiles& tiles, Patience& patience)
      : tiles_(&tiles), rows_(tiles.layout()), patience_(&patience) {}

  // Nothing where no event shows the state.
  std::optional<StateStretch> on_row(std::uint32_t row, std::int64_t ns);

 private:
  using Mark = view::RowMarks::Mark;

  std::optional<StateStretch> behind(const Mark* from, std::uint32_t group, std::int64_t ns);
  // Before it there is the begin of what goes on at the mark.
  std::int64_t since(const Mark& mark, std::uint32_t group) const;

  view::SessionTiles* tiles_;
  EventRows rows_;
  Patience* patience_;
};

}  // namespace evt::tools
