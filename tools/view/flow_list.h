// Wake-ups, steals and messages between rows, for the page of evt view.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "libtrace-view/flows/flow.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"

namespace evt::tools {

// Reads the session's events from a mark before a range, if there is one, up to its end, and of what goes on there.
// Refers to the tiles.
class FlowList {
 public:
  static constexpr std::size_t kMost = 10'000;

  // Its answer has no meaning once the patience has ended.
  explicit FlowList(view::SessionTiles& tiles, Patience patience = Patience());

  // Up to `most` flows between two rows that touch the range, in order of their begins; of one row if there is one. As
  // JSON, with how many more there are.
  std::string touching(TimeRange range, std::optional<std::uint32_t> row, std::size_t most);

 private:
  // Of a cpu, of a thread or its spans, or of the stream's events.
  std::optional<std::uint32_t> row_of(const view::FlowEnd& end) const;
  std::optional<std::uint32_t> row_with(const std::string& key) const;

  view::SessionTiles* tiles_;
  Patience patience_;
  std::map<std::string, std::uint32_t> rows_;  // by their keys
};

}  // namespace evt::tools
