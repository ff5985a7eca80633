#include "items_from.h"

namespace evt::tools {

void ItemsFrom::take(const TimelineItem& item, const Take& then) {
  if (!has_begun_ && item.ns >= from_ns_) begin(then);
  if (has_begun_) return then(item);
  if (item.kind == ItemKind::kRow || item.kind == ItemKind::kFold) {
    // Counters go on from what they were.
    TimelineItem row = item;
    row.is_wanted = false;
    then(row);
  }
  remember(item);
}

void ItemsFrom::finish(const Take& then) {
  if (!has_begun_) begin(then);
}

TimelineItem ItemsFrom::kept(const TimelineItem& item) const {
  TimelineItem kept = item;
  kept.ns = from_ns_;
  kept.event = nullptr;
  kept.call = nullptr;
  return kept;
}

void ItemsFrom::remember(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kThread:
      threads_[item.thread] = {kept(item), {}, false};
      return;
    case ItemKind::kState: {
      if (item.state == ThreadState::kEnded) {
        threads_.erase(item.thread);
        return;
      }
      Thread& thread = threads_[item.thread];
      thread.state = kept(item);
      thread.has_state = true;
      return;
    }
    case ItemKind::kIdleThread:
      threads_.erase(item.thread);
      return;
    case ItemKind::kFold:
      for (const std::uint32_t gone : item.event->fold->all()) threads_.erase(gone);
      return;
    case ItemKind::kBegan:
      open_[item.thread].push_back(kept(item));
      return;
    case ItemKind::kEnded: {
      std::vector<TimelineItem>& open = open_[item.thread];
      open.erase(open.begin() + item.depth);
      for (std::size_t i = item.depth; i < open.size(); ++i) --open[i].depth;
      return;
    }
    case ItemKind::kCollectorBegan:
      collecting_[item.stream] = kept(item);
      return;
    case ItemKind::kCollectorEnded:
      collecting_.erase(item.stream);
      return;
    case ItemKind::kStopBegan:
      if (item.depth == 0) stopped_[item.part] = kept(item);
      return;
    case ItemKind::kStopEnded:
      if (item.depth == 0) stopped_.erase(item.part);
      return;
    default:
      return;
  }
}

void ItemsFrom::begin(const Take& then) {
  has_begun_ = true;
  for (const auto& [index, thread] : threads_) {
    if (thread.exists.kind == ItemKind::kThread) then(thread.exists);
    if (thread.has_state) then(thread.state);
  }
  for (const auto& [part, item] : stopped_) then(item);
  for (const auto& [stream, item] : collecting_) then(item);
  for (const auto& [thread, open] : open_) {
    for (const TimelineItem& item : open) then(item);
  }
}

}  // namespace evt::tools
