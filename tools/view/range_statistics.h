// Statistics of a range of a session, as evt stats --from --to has them, for the page of evt view.
#pragma once

#include <evt/trace.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt::tools {

// What the page has a tab for: an analysis, and what its rows are of.
struct PageStatistics {
  const char* name;
  const char* title;
  const char* analysis;
  std::span<const char* const> by = {};  // empty: as it is by itself
  bool is_flame = false;                 // a flame graph in place of tables

  bool has_rows_of(const PageStatistics& other) const {
    return is_flame == other.is_flame &&
           std::equal(by.begin(), by.end(), other.by.begin(), other.by.end(), std::equal_to<std::string_view>());
  }
  // What is printed by evt.
  std::string command() const;
};

// Of a session that has events for them, in the order of the tabs.
std::vector<const PageStatistics*> page_statistics(const Session& session);

// As JSON, of each: the tables that have rows, as evt stats prints them and with whole figures, or the boxes of a flame
// graph, plain and inverted; and its notes. In one pass, in which it calls `meanwhile` now and then. REQUIRES: from_ns
// <= to_ns, and the rows of all are of the same.
std::vector<std::string> range_statistics_json(Trace& trace, std::size_t session, TimeRange range,
                                               const std::vector<const PageStatistics*>& of,
                                               const std::function<void()>& meanwhile);

}  // namespace evt::tools
