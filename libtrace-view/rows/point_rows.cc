#include "point_rows.h"

#include <algorithm>

#include "actor_names.h"

namespace evt::view {
namespace {

constexpr const char* kMarksKey = "marks";
constexpr const char* kMarksName = "marks";

}  // namespace

void PointRows::take_event(const TimelineItem& item) {
  if (item.event->lost || item.event->jump || !scale_->has(item.ns)) return;
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
  track.key = kMarksKey;
  track.name = kMarksName;
  track.counts = marks_.seen(view.zoom);
  for (const Label& label : labels_) {
    if (label.column < view.zoom.first() || label.column >= view.zoom.end()) continue;
    const std::uint32_t column = view.zoom.column(label.column);
    const bool is_taken = !track.labels.empty() && track.labels.back().first == column;
    if (!is_taken) track.labels.push_back({column, column + 1, names_->text(label.text)});
  }
  return track;
}

void PointRows::expect(const std::vector<Trace::RowsInTime>& rows) {
  expected_.assign(session_->streams.size(), {});
  for (const Trace::RowsInTime& each : rows) {
    expected_[static_cast<std::size_t>(each.stream - session_->streams.data())].push_back(each);
  }
}

// By how many there are up to the begin of each column, so that none is lost in rounding.
void PointRows::add_expected(std::size_t stream, const TrackView& view, std::vector<std::uint64_t>* counts) const {
  const Scale& scale = view.zoom.as();
  for (const Trace::RowsInTime& rows : expected_[stream]) {
    const std::int64_t from_ns = std::max({rows.first_ns, view.until_ns, scale.from_ns()});
    const std::int64_t to_ns = std::min(rows.last_ns, scale.to_ns() - 1);
    if (rows.last_ns <= view.until_ns || from_ns > to_ns) continue;
    const double length = static_cast<double>(rows.last_ns) - static_cast<double>(rows.first_ns) + 1;
    const auto before = [&](std::int64_t ns) {
      const double since = static_cast<double>(ns) - static_cast<double>(rows.first_ns);
      return static_cast<std::uint64_t>(static_cast<double>(rows.rows) * since / length);
    };
    std::uint64_t counted = before(from_ns);
    const std::uint32_t last = scale.column_of(to_ns);
    for (std::uint32_t column = scale.column_of(from_ns); column <= last; ++column) {
      const std::uint64_t until =
          column == last && to_ns == rows.last_ns ? rows.rows : std::min(rows.rows, before(scale.edge(column + 1)));
      (*counts)[column] += until - counted;
      counted = until;
    }
  }
}

std::vector<Track> PointRows::tracks(const TrackView& view, const Wanted& wanted) const {
  std::vector<Track> tracks;
  const bool has_marks = view.shows(kMarksKey) && marks_.has_any(view.zoom);
  if (has_marks && wanted(TrackKind::kMark, kMarksName)) tracks.push_back(marks(view));
  for (std::uint32_t stream = 0; stream < session_->streams.size(); ++stream) {
    const std::string key = "events/" + std::to_string(stream);
    if (!view.shows(key)) continue;
    std::vector<std::uint64_t> counts(view.zoom.as().columns());
    if (stream < counts_.size()) counts = counts_[stream].seen(view.zoom);
    if (stream < expected_.size()) add_expected(stream, view, &counts);
    Track track;
    track.lost = view.losses.lost({stream});
    const bool is_empty = std::all_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count == 0; });
    if (is_empty && view.drops(track)) continue;
    const StreamInfo& info = session_->streams[stream];
    track.name = info.name.empty() ? "stream " + std::to_string(info.id) : info.name;
    if (!wanted(TrackKind::kEvents, track.name)) continue;
    track.kind = TrackKind::kEvents;
    track.key = key;
    track.part = part_of(*session_, info);
    track.counts = std::move(counts);
    tracks.push_back(std::move(track));
  }
  return tracks;
}

}  // namespace evt::view
