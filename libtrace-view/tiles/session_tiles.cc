#include "session_tiles.h"

#include <algorithm>

namespace evt::view {
namespace {

// By which threads share a lane: finer than any screen.
constexpr std::uint32_t kLaneColumns = 4096;

bool is_any(TrackKind, const std::string&) { return true; }

}  // namespace

void SessionTiles::read_timeline(std::int64_t to_ns, const std::function<void(Timeline&)>& f) {
  Timeline::Options options;
  options.range = [&](const Session& session) {
    return &session == session_ ? TimeRange{INT64_MIN, to_ns} : TimeRange{1, 0};
  };
  Timeline timeline(*trace_, options);
  while (timeline.next_session()) {
    if (&timeline.actors().session() != session_) continue;
    f(timeline);
    break;
  }
  status_ = timeline.status();
}

void SessionTiles::each_item(std::int64_t to_ns, const std::function<bool(Timeline&, const TimelineItem&)>& f) {
  read_timeline(to_ns, [&](Timeline& timeline) {
    const TimelineItem* item = timeline.next();
    while (item != nullptr && f(timeline, *item)) item = timeline.next();
  });
}

void SessionTiles::fold(const Scale& scale, std::int64_t to_ns, const std::function<void(Timeline&, const Rows&)>& f) {
  read_timeline(to_ns, [&](Timeline& timeline) {
    Rows rows(timeline, scale);
    std::int64_t last_ns = session_->last_ns;
    while (const TimelineItem* const item = timeline.next()) {
      last_ns = std::max(last_ns, item->ns);
      rows.take(*item);
    }
    rows.finish(std::min(scale.to_ns(), last_ns));
    f(timeline, rows);
  });
}

const SessionTiles::Layout& SessionTiles::layout() {
  if (layout_) return *layout_;
  Layout& layout = layout_.emplace();
  const Scale scale(first_event_ns(*session_), session_->last_ns, kLaneColumns);
  fold(scale, INT64_MAX, [&](Timeline& timeline, const Rows& rows) {
    layout.range = {std::min(timeline.first_ns(), scale.from_ns()), session_->last_ns};
    layout.lanes = rows.plan(is_any);
    for (const Track& track : rows.tracks(is_any, layout.lanes)) {
      ids_.emplace(track.key, layout.rows.size());
      layout.rows.push_back({track.key, track.kind, track.name, track.rows});
      for (const TrackLabel& label : track.labels) layout.names.of(label.text);
    }
    for (std::uint32_t i = 0; i < timeline.names().size(); ++i) layout.names.of(timeline.names().text(i));
  });
  return layout;
}

SessionTiles::Kept SessionTiles::made(TilePlace place) {
  Layout& layout = *layout_;
  Kept made;
  for (const Row& row : layout.rows) made.rows.push_back(TileRow::empty(row.kind));
  const Scale scale = place.scale();
  if (scale.to_ns() > layout.range.from_ns && scale.from_ns() <= layout.range.to_ns) {
    fold(scale, scale.to_ns(), [&](Timeline&, const Rows& rows) {
      for (const Track& track : rows.tracks(is_any, layout.lanes)) {
        const auto id = ids_.find(track.key);
        if (id != ids_.end()) made.rows[id->second] = TileRow::of(track, scale, &layout.names);
      }
    });
  }
  for (const TileRow& row : made.rows) made.size += row.payload.size();
  return made;
}

const std::vector<TileRow>& SessionTiles::rows_of(TilePlace place) {
  layout();
  auto kept = kept_.find(place);
  if (kept == kept_.end()) {
    make_room();
    kept = kept_.emplace(place, made(place)).first;
    size_ += kept->second.size;
  }
  kept->second.used = ++now_;
  return kept->second.rows;
}

// What was not used for the longest time goes first.
void SessionTiles::make_room() {
  while (size_ > kMaxKept && !kept_.empty()) {
    const auto oldest = std::min_element(kept_.begin(), kept_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    size_ -= oldest->second.size;
    kept_.erase(oldest);
  }
}

}  // namespace evt::view
