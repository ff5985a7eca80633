#include "doubted_runs.h"

#include <algorithm>

namespace evt {

bool DoubtedRuns::take(const RoleEvent& event) {
  if (!has_begun_ && event.recorded_ns > ns_) begin();
  if (has_begun_ && open_.empty()) return false;
  items_.clear();
  TimelineItem at;
  at.ns = event.ns;
  at.event = &event;
  threads_.take(event, at, &items_);
  if (!has_begun_) return true;
  for (const TimelineItem& item : items_) note(item);
  std::erase_if(open_, [&](const auto& run) { return run.second == event.stream->id; });
  return true;
}

void DoubtedRuns::begin() {
  has_begun_ = true;
  const Occupancy& occupancy = threads_.occupancy();
  for (std::uint32_t i = 0; i < Actor::kOthers; ++i) {
    if (threads_.runs(i)) open_[i] = occupancy.stream_of(i);
  }
}

void DoubtedRuns::note(const TimelineItem& item) {
  if (item.kind == ItemKind::kState && item.before == ThreadState::kRunning) open_.erase(item.thread);
  if (item.kind != ItemKind::kUncertain || item.began_ns > ns_ || !open_.contains(item.thread)) return;
  since_[item.thread] = item.began_ns;
}

}  // namespace evt
