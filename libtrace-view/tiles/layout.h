// Which rows a session has, as they are below one another.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <string>
#include <vector>

#include "libtrace-view/rows/lanes.h"
#include "libtrace-view/rows/object_rows.h"
#include "tile.h"

namespace evt::view {

struct LayoutRow {
  std::uint32_t id = 0;  // the same as long as the session is shown
  std::string key;
  TrackKind kind = TrackKind::kCpu;
  std::string name;
  std::uint32_t of = 1;  // kCpus: the sum of this many
  std::string unit;      // as Track has them
  std::uint32_t group = RowGroups::kNone;
};

struct Layout {
  std::vector<LayoutRow> rows;
  std::vector<RowGroup> groups;  // of rows, by their numbers
  NameIds names;                 // that labels have
  LanePlan lanes;
  ObjectPlan objects;
  TimeRange range;  // from the first to the last event, and what they record

  const LayoutRow* row(std::uint32_t id) const;        // null if there is none
  const LayoutRow* row(const std::string& key) const;  // the same
};

}  // namespace evt::view
