// What is in rows, for legends.
#pragma once

#include <set>
#include <vector>

#include "libtrace-view/rows/panel.h"
#include "libtrace-view/rows/shares.h"

namespace evt::view {

struct Contents {
  std::set<RowState> states;
  bool has_uncertain = false;
  bool has_stopped = false;
  bool has_lost = false;

  explicit Contents(const std::vector<Panel>& panels);
  bool has(RowState state) const { return states.contains(state); }
};

}  // namespace evt::view
