#include "async_rows.h"

#include <algorithm>

#include "actor_names.h"

namespace evt::view {
namespace {

std::string row_key(std::size_t group, std::size_t lane) {
  return "async/" + std::to_string(group) + "/" + std::to_string(lane);
}

}  // namespace

std::size_t AsyncRows::group_of(const TimelineItem& item) {
  const auto place = places_.find({item.part, item.name});
  if (place != places_.end()) return place->second;
  if (places_.size() < kMostNames) {
    places_[{item.part, item.name}] = groups_.size();
    groups_.push_back({item.part, item.name, {}, {}});
  } else if (groups_.size() == kMostNames) {
    groups_.emplace_back();
  }
  return groups_.size() - 1;
}

// A span that is cut to make room, and one that is open at the end, have no event that ends them.
void AsyncRows::note(const TimelineItem& item, std::size_t group, std::size_t lane) {
  if (item.event == nullptr || item.is_cut) return;
  groups_[group].streams.insert(static_cast<std::uint32_t>(item.event->stream - session_->streams.data()));
  latest_ = row_key(group, lane);
}

void AsyncRows::begin(const TimelineItem& item) {
  const std::size_t group = group_of(item);
  std::vector<Lane>& lanes = groups_[group].lanes;
  const auto free = std::find_if(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.open == 0; });
  const std::size_t place = std::min(static_cast<std::size_t>(free - lanes.begin()), kMaxLanes);
  if (place == lanes.size()) lanes.emplace_back();
  note(item, group, place);
  Lane& lane = lanes[place];
  lane.depth.course.become(*scale_, kNothing, item.ns);
  lane.depth.course.become(*scale_, hue_of(place < kMaxLanes ? names_->text(item.name) : text_of(groups_[group])),
                           item.ns);
  if (lane.open++ > 0) return;
  static_cast<State&>(lane) = {1, item.value, item.name, item.began_ns, item.ns, INT64_MAX};
}

void AsyncRows::end(const TimelineItem& item) {
  const std::size_t group = group_of(item);
  std::vector<Lane>& lanes = groups_[group].lanes;
  const auto its = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
    return lane.open > 0 && lane.id == item.value && lane.name == item.name && lane.began_ns == item.began_ns;
  });
  const std::size_t place = std::min(static_cast<std::size_t>(its - lanes.begin()), kMaxLanes);
  note(item, group, place);
  Lane& lane = lanes[place];
  if (--lane.open > 0) return;
  lane.depth.course.become(*scale_, kNothing, item.ns);
  if (place < kMaxLanes) lane.depth.labels.add(*scale_, lane.name, lane.since_ns, item.ns);
  if (lane.uncertain_since < item.ns) lane.uncertain.add(*scale_, lane.uncertain_since, item.ns);
}

// Ids of no part may be of any.
void AsyncRows::lose(const TimelineItem& item) {
  const std::uint32_t part = item.stream != nullptr ? part_of(*session_, *item.stream) : Actor::kNone;
  for (Group& group : groups_) {
    if (item.stream != nullptr && group.part != Actor::kNone && group.part != part) continue;
    for (Lane& lane : group.lanes) {
      if (lane.open == 0) continue;
      lane.uncertain_since = std::min(lane.uncertain_since, std::max(lane.since_ns, item.began_ns));
    }
  }
}

void AsyncRows::go_on_from(const AsyncRows& other) {
  places_ = other.places_;
  for (const Group& group : other.groups_) {
    groups_.push_back({group.part, group.name, group.streams, {}});
    for (const Lane& lane : group.lanes) {
      groups_.back().lanes.push_back({{lane}, {}, {}});
      groups_.back().lanes.back().depth.course.go_on_from(lane.depth.course);
    }
  }
}

void AsyncRows::coarsen() {
  for (Group& group : groups_) {
    for (Lane& lane : group.lanes) {
      lane.depth.course.coarsen(*scale_);
      lane.depth.labels.coarsen();
      lane.uncertain.coarsen();
    }
  }
}

std::size_t AsyncRows::size() const {
  std::size_t size = 0;
  for (const Group& group : groups_) {
    for (const Lane& lane : group.lanes) {
      size += lane.depth.course.size() + lane.depth.labels.size() + lane.uncertain.size();
    }
  }
  return size;
}

std::size_t AsyncRows::lanes() const {
  std::size_t lanes = 0;
  for (const Group& group : groups_) lanes += group.lanes.size();
  return lanes;
}

std::string AsyncRows::text_of(const Group& group) const {
  return group.name == EventNames::kNone ? "other async spans" : names_->text(group.name);
}

Track AsyncRows::track_of(const Lane& lane, const TrackView& view) const {
  Track track;
  track.kind = TrackKind::kAsync;
  lane.depth.course.show(view.zoom, view.until_ns, &track.shares.emplace_back());
  lane.depth.labels.show(view.zoom, *names_, &track.labels);
  track.uncertain = lane.uncertain.seen(view.zoom);
  if (lane.open > 0 && lane.uncertain_since < view.until_ns) {
    track.uncertain.add(view.zoom.as(), lane.uncertain_since, view.until_ns);
  }
  return track;
}

// The first row that is shown has the name, those of further lanes are below it.
std::vector<Track> AsyncRows::tracks(const TrackView& view, const Wanted& wanted) const {
  std::vector<Track> tracks;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::string name = text_of(groups_[i]);
    bool is_first = true;
    for (std::size_t place = 0; place < groups_[i].lanes.size(); ++place) {
      const std::string key = row_key(i, place);
      if (!view.shows(key)) continue;
      Track track = track_of(groups_[i].lanes[place], view);
      track.key = key;
      track.part = groups_[i].part;
      track.lost = view.losses.lost(groups_[i].streams);
      track.stopped = view.losses.stopped(track.part);
      if (track.shares[0].is_empty() && view.drops(track)) continue;
      if (!wanted(track.kind, name)) break;
      if (is_first || place == kMaxLanes) track.name = place < kMaxLanes ? name : "more " + name;
      is_first = false;
      tracks.push_back(std::move(track));
    }
  }
  return tracks;
}

}  // namespace evt::view
