#include "point_rows.h"

#include <algorithm>

namespace evt::view {

void PointRows::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kRow || item.event->lost || item.event->jump || !scale_->has(item.ns)) return;
  if (item.event->role == Role::kMark) add_mark(item);
  if (item.event->is_facet) return;
  const auto stream = static_cast<std::size_t>(item.stream - session_->streams.data());
  if (stream >= counts_.size()) counts_.resize(stream + 1);
  counts_[stream].add(*scale_, item.ns);
}

void PointRows::add_mark(const TimelineItem& item) {
  marks_.add(*scale_, item.ns);
  const std::uint32_t column = scale_->column_of(item.ns);
  if (labels_.size() == kMaxLabels || (!labels_.empty() && labels_.back().column == column)) return;
  const std::uint32_t text = names_->said_by(*item.event->event, Role::kMessage);
  if (text != EventNames::kNone) labels_.push_back({column, text});
}

void PointRows::coarsen() {
  marks_.coarsen();
  for (Label& label : labels_) label.column /= 2;
  const auto is_same = [](const Label& a, const Label& b) { return a.column == b.column; };
  labels_.erase(std::unique(labels_.begin(), labels_.end(), is_same), labels_.end());
  for (ColumnCounts& counts : counts_) counts.coarsen();
}

std::size_t PointRows::size() const {
  std::size_t size = marks_.size() + labels_.size();
  for (const ColumnCounts& counts : counts_) size += counts.size();
  return size;
}

Track PointRows::marks(const TrackView& view) const {
  Track track;
  track.kind = TrackKind::kMark;
  track.key = "marks";
  track.name = "marks";
  track.counts = marks_.seen(view.zoom);
  for (const Label& label : labels_) {
    if (label.column < view.zoom.first() || label.column >= view.zoom.end()) continue;
    const std::uint32_t column = view.zoom.column(label.column);
    const bool is_taken = !track.labels.empty() && track.labels.back().first == column;
    if (!is_taken) track.labels.push_back({column, column + 1, names_->text(label.text)});
  }
  return track;
}

std::vector<Track> PointRows::tracks(const TrackView& view) const {
  std::vector<Track> tracks;
  if (marks_.has_any(view.zoom)) tracks.push_back(marks(view));
  for (std::uint32_t stream = 0; stream < counts_.size(); ++stream) {
    const ColumnCounts& counts = counts_[stream];
    if (!counts.has_any(view.zoom)) continue;
    Track& track = tracks.emplace_back();
    track.kind = TrackKind::kEvents;
    track.key = "events/" + std::to_string(stream);
    const StreamInfo& info = session_->streams[stream];
    track.name = info.name.empty() ? "stream " + std::to_string(info.id) : info.name;
    track.counts = counts.seen(view.zoom);
    track.lost = view.losses.lost({stream});
  }
  return tracks;
}

}  // namespace evt::view
