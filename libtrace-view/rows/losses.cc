#include "losses.h"

namespace evt::view {

void Losses::take(const TimelineItem& item) {
  if (item.kind == ItemKind::kLost) {
    const auto stream =
        item.stream == nullptr ? kUnknown : static_cast<std::uint32_t>(item.stream - session_->streams.data());
    lost_[stream].add(*scale_, item.began_ns, item.ns);
  } else if (item.kind == ItemKind::kStopBegan && item.depth == 0) {
    stops_since_[item.part] = item.ns;
  } else if (item.kind == ItemKind::kStopEnded && item.depth == 0) {
    const auto since = stops_since_.find(item.part);
    if (since == stops_since_.end()) return;
    stopped_[item.part].add(*scale_, since->second, item.ns);
    stops_since_.erase(since);
  }
}

Bands Losses::lost(const StreamSet& streams) const {
  Bands all;
  for (const auto& [stream, bands] : lost_) {
    if (stream == kUnknown || streams.contains(stream)) all.add(bands);
  }
  return all;
}

Bands Losses::stopped(std::uint32_t part) const {
  Bands all;
  for (const auto& [of, bands] : stopped_) {
    if (of == part || of == Actor::kNone) all.add(bands);
  }
  return all;
}

}  // namespace evt::view
