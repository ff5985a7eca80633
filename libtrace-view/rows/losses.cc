#include "losses.h"

namespace evt::view {

void Losses::note(const TimelineItem& item) {
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

void Losses::coarsen() {
  for (auto& [stream, bands] : lost_) bands.coarsen();
  for (auto& [part, bands] : stopped_) bands.coarsen();
}

Losses Losses::seen(const Zoom& zoom) const {
  Losses seen(*session_, zoom.as());
  for (const auto& [stream, bands] : lost_) seen.lost_[stream] = bands.seen(zoom);
  for (const auto& [part, bands] : stopped_) seen.stopped_[part] = bands.seen(zoom);
  return seen;
}

std::size_t Losses::size() const {
  std::size_t size = 0;
  for (const auto& [stream, bands] : lost_) size += bands.size();
  for (const auto& [part, bands] : stopped_) size += bands.size();
  return size;
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
