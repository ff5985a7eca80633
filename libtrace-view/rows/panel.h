// The rows of one session, which have one scale of time.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "libtrace-view/rows/shares.h"
#include "scale.h"
#include "track.h"

namespace evt::view {

struct Panel {
  std::string heading;  // shown if there are several
  Scale scale;
  std::vector<Track> tracks;
};

// What is in rows, for legends.
struct Contents {
  std::set<RowState> states;
  bool has_uncertain = false;
  bool has_stopped = false;
  bool has_lost = false;

  explicit Contents(const std::vector<Panel>& panels);
  bool has(RowState state) const { return states.contains(state); }
};

}  // namespace evt::view
