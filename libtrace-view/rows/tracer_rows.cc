#include "tracer_rows.h"

#include <evt/analysis/extent.h>

#include <algorithm>

#include "span_rows.h"

namespace evt::view {
namespace {

constexpr const char* kTracerKey = "tracer";

}  // namespace

void TracerRows::take_overhead(const TimelineItem& item) {
  const std::optional<Extent> extent = extent_of(*item.event->event, item.event->recorded_ns);
  if (!extent) return;
  OfStream& stream = streams_[static_cast<std::uint32_t>(item.stream - session_->streams.data())];
  const std::int64_t from_ns = std::max(extent->began_ns, stream.until_ns);
  if (extent->ended_ns <= from_ns) return;
  stream.until_ns = extent->ended_ns;
  const std::uint32_t reason = names_->of(*item.event->event, Role::kReason);
  stream.runs.add(*scale_, hue_of(names_->text(reason)), from_ns, extent->ended_ns);
  labels_.add(*scale_, reason, from_ns, extent->ended_ns);
}

void TracerRows::go_on_from(const TracerRows& other) {
  for (const auto& [place, stream] : other.streams_) streams_[place].until_ns = stream.until_ns;
}

void TracerRows::coarsen() {
  for (auto& [place, stream] : streams_) stream.runs.coarsen(*scale_);
  labels_.coarsen();
}

std::size_t TracerRows::size() const {
  std::size_t size = labels_.size();
  for (const auto& [place, stream] : streams_) size += stream.runs.size();
  return size;
}

std::vector<Track> TracerRows::tracks(const TrackView& view) const {
  std::vector<Track> tracks;
  if (streams_.empty() || !view.shows(kTracerKey)) return tracks;
  Track& track = tracks.emplace_back();
  track.kind = TrackKind::kTracer;
  track.key = kTracerKey;
  track.name = "tracer";
  track.rows = static_cast<std::uint32_t>(streams_.size());
  StreamSet places;
  for (const auto& [place, stream] : streams_) {
    stream.runs.show(view.zoom, &track.shares.emplace_back());
    places.insert(place);
  }
  track.lost = view.losses.lost(places);
  labels_.show(view.zoom, *names_, &track.labels);
  return tracks;
}

}  // namespace evt::view
