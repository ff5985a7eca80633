// All events of a session that a query describes, for the search of the page of evt view.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "event_rows.h"
#include "find_event.h"
#include "libtrace-view/tiles/session_tiles.h"
#include "patience.h"
#include "where/where_filter.h"

namespace evt::tools {

// What a query means: a condition of evt dump --where, or a text that is in names or values of an event.
class Query {
 public:
  Query(Trace& trace, std::string text);

  // Why it is none; empty if it is one.
  const std::string& error() const { return error_; }
  // Of an item that shows an event.
  bool holds_for(const TimelineItem& item) const;

 private:
  std::string text_;
  WhereFilter condition_;
  std::string error_;
};

struct Match {
  std::int64_t ns = 0;
  std::uint32_t nth = 0;                 // how many before it have its time
  std::uint32_t row = EventRows::kNone;  // that shows it best
};

class Matches {
 public:
  static constexpr std::size_t kMost = 1'000'000;  // later ones are not known

  Matches() = default;
  // Reads all events of the session. It has no meaning once the patience has ended.
  Matches(view::SessionTiles& tiles, const Query& query, Patience& patience);

  const std::vector<Match>& all() const { return all_; }
  // The place of the last that is not later than `ns`, the first after it, or the last before it; behind the last comes
  // the first, before the first the last. REQUIRES: there are some.
  std::size_t place(std::int64_t ns, FindEvent find) const;
  // As JSON: `ns` and `rows` of those in the range; of those of one row within `step_ns` one.
  std::string in(TimeRange range, std::int64_t step_ns) const;

 private:
  std::vector<Match> all_;
};

}  // namespace evt::tools
