#include "point_rows.h"

namespace evt::view {

void PointRows::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kRow || item.event->lost || item.event->jump || !scale_->has(item.ns)) return;
  const std::uint32_t column = scale_->column_of(item.ns);
  if (item.event->role == Role::kMark) add_mark(item, column);
  if (item.event->is_facet) return;
  auto& counts = counts_[static_cast<std::uint32_t>(item.stream - session_->streams.data())];
  counts.resize(scale_->columns());
  ++counts[column];
}

void PointRows::add_mark(const TimelineItem& item, std::uint32_t column) {
  marks_.counts.resize(scale_->columns());
  ++marks_.counts[column];
  if (marks_.labels.size() == kMaxLabels || (!marks_.labels.empty() && marks_.labels.back().first == column)) return;
  const std::uint32_t text = names_->said_by(*item.event->event, Role::kMessage);
  if (text != EventNames::kNone) marks_.labels.push_back({column, column + 1, names_->text(text)});
}

std::vector<Track> PointRows::tracks(const Losses& losses) const {
  std::vector<Track> tracks;
  if (!marks_.counts.empty()) {
    tracks.push_back(marks_);
    tracks.back().kind = TrackKind::kMark;
    tracks.back().key = "marks";
    tracks.back().name = "marks";
  }
  for (const auto& [stream, counts] : counts_) {
    Track& track = tracks.emplace_back();
    track.kind = TrackKind::kEvents;
    track.key = "events/" + std::to_string(stream);
    const StreamInfo& info = session_->streams[stream];
    track.name = info.name.empty() ? "stream " + std::to_string(info.id) : info.name;
    track.counts = counts;
    track.lost = losses.lost({stream});
  }
  return tracks;
}

}  // namespace evt::view
