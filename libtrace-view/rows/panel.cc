#include "panel.h"

namespace evt::view {

Contents::Contents(const std::vector<Panel>& panels) {
  for (const Panel& panel : panels) {
    for (const Track& track : panel.tracks) {
      has_uncertain |= !track.uncertain.is_empty();
      has_stopped |= !track.stopped.is_empty();
      has_lost |= !track.lost.is_empty();
      if (is_named(track.kind)) continue;
      for (const Shares& shares : track.shares) {
        for (const Shares::Cell& cell : shares.cells()) states.insert(static_cast<RowState>(cell.key));
      }
    }
  }
}

}  // namespace evt::view
