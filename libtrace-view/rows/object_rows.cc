#include "object_rows.h"

#include <evt/analysis/usage.h>

#include <algorithm>
#include <numeric>

namespace evt::view {
namespace {

constexpr const char* kOthersKey = "object/others";

bool has_amounts(const Session& session) {
  return std::any_of(session.types.begin(), session.types.end(), [](const EventType& type) {
    return std::any_of(type.fields().begin(), type.fields().end(),
                       [](const Field& field) { return field.role == Role::kAmount; });
  });
}

// An error that is recorded as a number below 0 is none.
std::uint64_t amount_of(const Event& event) {
  const std::optional<Value> value = event.value(Role::kAmount);
  if (!value || value->is_sequence()) return 0;
  if (value->kind() == Kind::kSigned) return static_cast<std::uint64_t>(std::max<std::int64_t>(value->as_signed(), 0));
  return event.number(Role::kAmount).value_or(0);
}

}  // namespace

void ObjectNames::take(const TimelineItem& item, std::uint32_t part) {
  const Event& event = *item.event->event;
  const std::uint64_t number = event.number(Role::kObject).value_or(0);
  if (number == 0) return;
  switch (item.event->role) {
    case Role::kObjectOpen:
      objects_[{part, number}] = {names_->said_by(event, Role::kResource), EventNames::kNone};
      break;
    case Role::kObjectName:
      objects_[{part, number}].name = names_->said_by(event, Role::kName);
      break;
    default:
      objects_.erase({part, number});
      break;
  }
}

std::string ObjectNames::of(std::uint64_t number, std::uint32_t part, std::uint32_t resource) const {
  const auto object = objects_.find({part, number});
  if (number != 0 && object != objects_.end()) {
    if (object->second.name != EventNames::kNone) return names_->text(object->second.name);
    if (resource == EventNames::kNone) resource = object->second.resource;
  }
  const std::string what = resource != EventNames::kNone ? names_->text(resource) : "object";
  return number != 0 ? what + " " + object_number(number) : what;
}

ObjectRows::ObjectRows(Timeline& timeline, const Scale& scale)
    : actors_(&timeline.actors()),
      names_(&timeline.names()),
      scale_(&scale),
      has_amounts_(has_amounts(timeline.actors().session())),
      object_names_(timeline.names()) {}

void ObjectRows::take_call(const TimelineItem& item) {
  if (item.kind == ItemKind::kObject) {
    const std::uint32_t part = actors_->part_of_ids(*item.event->event, Role::kObject);
    object_names_.take(item, part);
    known_[part].erase(item.event->event->number(Role::kObject).value_or(0));
  } else if (item.kind == ItemKind::kBegan) {
    begin(item);
  } else {
    end(item);
  }
}

// What is recorded as a whole has its facts from there.
void ObjectRows::begin(const TimelineItem& item) {
  Frame& frame = open_.begin(item);
  if (item.call != nullptr) {
    frame = {item.call->object, item.call->amount, actors_->threads()[item.thread].part, item.call->resource};
  } else if (item.is_call && item.event != nullptr) {
    const Event& event = *item.event->event;
    frame = {event.number(Role::kObject).value_or(0), amount_of(event), actors_->part_of_ids(event, Role::kObject),
             names_->said_by(event, Role::kResource)};
  }
}

void ObjectRows::end(const TimelineItem& item) {
  Frame& frame = open_.end(item);
  if (!item.is_call || item.is_open) return;
  if (item.event != nullptr && !item.is_cut) {
    const Event& event = *item.event->event;
    if (item.is_complete) frame.part = actors_->part_of_ids(event, Role::kObject);
    if (event.type().field(Role::kAmount) != nullptr) frame.amount = amount_of(event);
  }
  if (frame.amount == 0 || (frame.number == 0 && frame.resource == EventNames::kNone)) return;
  latest_ = object_of(frame);
  Object& object = objects_[latest_];
  object.amount += frame.amount;
  object.streams.insert(static_cast<std::uint32_t>(item.stream - actors_->session().streams.data()));
  if (scale_->has(item.ns)) object.columns.add(*scale_, item.ns, frame.amount);
}

std::uint32_t ObjectRows::object_of(const Frame& frame) {
  const auto [known, is_first] = known_[frame.part].try_emplace(frame.number);
  if (!is_first && known->second.resource == frame.resource) return known->second.place;
  const std::string name = object_names_.of(frame.number, frame.part, frame.resource);
  const auto [place, is_new] = places_.try_emplace({frame.part, name}, static_cast<std::uint32_t>(objects_.size()));
  if (is_new) objects_.push_back({{name, frame.part, 0, {}}, {}});
  known->second = {frame.resource, place->second};
  return place->second;
}

void ObjectRows::go_on_from(const ObjectRows& other) {
  object_names_.go_on_from(other.object_names_);
  open_ = other.open_;
  places_ = other.places_;
  known_ = other.known_;
  for (const Object& object : other.objects_) objects_.push_back({{object}, {}});
}

void ObjectRows::coarsen() {
  for (Object& object : objects_) object.columns.coarsen();
}

std::size_t ObjectRows::size() const {
  return std::accumulate(objects_.begin(), objects_.end(), objects_.size(),
                         [](std::size_t size, const Object& object) { return size + object.columns.size(); });
}

ObjectPlan ObjectRows::plan() const {
  ObjectPlan plan(objects_.size());
  std::iota(plan.begin(), plan.end(), 0u);
  std::stable_sort(plan.begin(), plan.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return objects_[a].amount > objects_[b].amount; });
  if (plan.size() > kMost) plan.resize(kMost);
  return plan;
}

Track ObjectRows::track_of(const Object& object, const TrackView& view) const {
  Track track;
  track.kind = TrackKind::kObject;
  track.name = object.name;
  track.unit = "B";
  track.part = object.part;
  track.counts = object.columns.seen(view.zoom);
  track.lost = view.losses.lost(object.streams);
  return track;
}

std::vector<Track> ObjectRows::tracks(const TrackView& view, const ObjectPlan& plan) const {
  std::vector<Track> tracks;
  std::vector<bool> is_listed(objects_.size());
  for (const std::uint32_t place : plan) {
    if (place >= objects_.size()) continue;
    is_listed[place] = true;
    const std::string key = "object/" + std::to_string(place);
    if (!view.shows(key)) continue;
    tracks.push_back(track_of(objects_[place], view));
    tracks.back().key = key;
  }
  if (!view.shows(kOthersKey)) return tracks;
  std::optional<Track> others;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (is_listed[i]) continue;
    Track track = track_of(objects_[i], view);
    if (!others) {
      others = std::move(track);
      continue;
    }
    std::transform(track.counts.begin(), track.counts.end(), others->counts.begin(), others->counts.begin(),
                   std::plus<>());
    others->lost.add(track.lost);
  }
  if (!others) return tracks;
  others->key = kOthersKey;
  others->name = "other objects";
  others->part = Actor::kNone;
  tracks.push_back(*std::move(others));
  return tracks;
}

}  // namespace evt::view
