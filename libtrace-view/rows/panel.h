// The rows of one session, which have one scale of time.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "libtrace-view/rows/shares.h"
#include "row_groups.h"
#include "scale.h"
#include "track.h"

namespace evt::view {

struct Panel {
  std::string heading;  // shown if there are several
  Scale scale;
  std::vector<Track> tracks;
  std::vector<RowGroup> groups{};
};

// What is in rows, for legends.
struct Contents {
  struct SpanName {
    std::string name;
    Key hue = 0;
  };

  std::set<RowState> states;
  std::vector<SpanName> spans;   // that rows have names of, those with the most room first: some
  bool has_other_spans = false;  // of other colours
  bool has_uncertain = false;
  bool has_stopped = false;
  bool has_lost = false;

  explicit Contents(const std::vector<Panel>& panels);
  bool has(RowState state) const { return states.contains(state); }
};

}  // namespace evt::view
