#include "event_rows.h"

#include <string_view>

#include "event_facts.h"

namespace evt::tools {
namespace {

// Of thread/3 and span/3/0: 3.
std::size_t number_in_key(const std::string& key) {
  return static_cast<std::size_t>(std::stoull(key.substr(key.find('/') + 1)));
}

}  // namespace

EventRows::EventRows(const view::SessionTiles::Layout& layout) : layout_(&layout) {
  for (const auto& row : layout.rows) {
    if (row.id >= groups_.size()) groups_.resize(row.id + 1, kNone);
    const std::uint32_t group = groups_[row.id] = add_group(row.key);
    if (group != kNone && all_[group].row == kNone) all_[group].row = row.id;
  }
}

std::uint32_t EventRows::add_group(Shows shows) {
  all_.push_back({kNone, shows});
  return groups() - 1;
}

std::uint32_t EventRows::put(Numbered* groups, const std::string& key, Shows shows) {
  const auto [place, is_new] = groups->emplace(number_in_key(key), kNone);
  if (is_new) place->second = add_group(shows);
  return place->second;
}

std::uint32_t EventRows::add_group(const std::string& key) {
  if (key == "cpus") return cpus_ = add_group(Shows::kNothing);
  if (key == "marks") return marks_ = add_group(Shows::kMark);
  if (key == "tracer") return tracer_ = add_group(Shows::kTracer);
  if (key == "object/others") return other_objects_ = add_group(Shows::kObject);
  if (key.starts_with("counter/")) return by_key_[key] = add_group(Shows::kCounter);
  if (key.starts_with("async/")) return by_key_[key] = add_group(Shows::kSpan);
  const std::string kind = key.substr(0, key.find('/'));
  if (kind == "span") {
    const auto depth = static_cast<std::uint32_t>(number_in_key(key.substr(kind.size() + 1)));
    return span_[{number_in_key(key), depth}] = add_group(Shows::kSpan);
  }
  if (kind == "cpu") return put(&cpu_, key, Shows::kCpu);
  if (kind == "events") return put(&stream_, key, Shows::kStream);
  if (kind == "sparks") return put(&sparks_, key, Shows::kSparks);
  if (kind == "samples") return put(&samples_, key, Shows::kSamples);
  if (kind == "object") return put(&object_, key, Shows::kObject);
  return kind == "thread" ? put(&lane_, key, Shows::kThread) : kNone;
}

std::uint32_t EventRows::found_in(const Numbered& groups, std::size_t number) {
  const auto found = groups.find(number);
  return found == groups.end() ? kNone : found->second;
}

std::uint32_t EventRows::group_of(const view::SpanRows::Place& place) const {
  if (place.life >= layout_->lanes.size()) return kNone;
  const auto found = span_.find({layout_->lanes[place.life], place.row});
  return found == span_.end() ? kNone : found->second;
}

std::uint32_t EventRows::group_of_life(std::size_t life) const {
  const view::LanePlan& lanes = layout_->lanes;
  return life < lanes.size() && lanes[life] != view::ThreadLives::kNone ? found_in(lane_, lanes[life]) : kNone;
}

EventRows::Pass::Pass(const EventRows& rows, Timeline& timeline, const view::RowMarks::Mark* from)
    : rows_(&rows),
      scale_(0, 1, 1),
      lives_(timeline.actors(), scale_),
      asyncs_(timeline.actors().session(), timeline.names(), scale_),
      spans_(lives_, timeline.names(), scale_) {
  if (!rows.object_.empty()) objects_.emplace(timeline, scale_);
  if (from == nullptr) return;
  lives_.go_on_from(from->rows->lives());
  asyncs_.go_on_from(from->rows->asyncs());
  spans_.go_on_from(from->rows->spans());
  if (objects_) objects_->go_on_from(from->rows->objects());
}

std::uint32_t EventRows::Pass::row_of_thread(std::uint32_t thread) const {
  const std::uint32_t own = group_of_thread(thread);
  const std::uint32_t group = own != kNone ? own : rows_->group_of({0, lives_.latest_of(thread)});
  return group == kNone ? kNone : rows_->row_of(group);
}

void EventRows::Pass::add(std::uint32_t group) {
  if (group == kNone) return;
  found_.push_back(group);
  const bool is_better = row_ == kNone || rows_->all_[group].shows < rows_->all_[rows_->groups_[row_]].shows;
  if (is_better) row_ = rows_->all_[group].row;
}

const std::vector<std::uint32_t>& EventRows::Pass::take(Timeline& timeline, const TimelineItem& item) {
  found_.clear();
  if (is_shown_event(item)) row_ = kNone;
  view::CpuRows::number(timeline.actors(), item);
  lives_.take(item);
  asyncs_.take(item);
  if (!asyncs_.latest().empty()) add_keyed(asyncs_.latest());
  spans_.take(item);
  if (item.event != nullptr) add(rows_->group_of(spans_.latest()));
  if (objects_) {
    objects_->take(item);
    if (item.event != nullptr && objects_->latest() != view::ObjectRows::kNone) add_object(objects_->latest());
  }
  if (item.event == nullptr || !is_shown_event(item)) return found_;
  const RoleEvent& event = *item.event;
  if (event.cpu < Actor::kOthers) {
    add(rows_->cpus_);
    add(found_in(rows_->cpu_, event.cpu));
  }
  if (event.role == Role::kMark) add(rows_->marks_);
  if (event.role == Role::kOverhead) add(rows_->tracer_);
  const auto stream = static_cast<std::size_t>(item.stream - timeline.actors().session().streams.data());
  add(found_in(rows_->stream_, stream));
  if (event.role >= Role::kSparkCreate && event.role <= Role::kSparkCounters) add(found_in(rows_->sparks_, stream));
  if (!rows_->by_key_.empty() && event.event->type().field(Role::kValue) != nullptr) {
    const std::string& name = timeline.names().text(timeline.names().of(*event.event, Role::kName));
    add_keyed("counter/" + std::to_string(stream) + "/" + name);
  }
  if (event.role != Role::kNone && event.thread < Actor::kOthers) add_lane(event);
  return found_;
}

void EventRows::Pass::add_keyed(const std::string& key) {
  const auto found = rows_->by_key_.find(key);
  if (found != rows_->by_key_.end()) add(found->second);
}

// Of a call that ends: there is its amount.
void EventRows::Pass::add_object(std::uint32_t place) {
  const std::uint32_t group = found_in(rows_->object_, place);
  add(group != kNone ? group : rows_->other_objects_);
}

std::string EventRows::Pass::object_of(Timeline& timeline, const TimelineItem& item) const {
  const bool is_begun = objects_ && item.kind == ItemKind::kBegan && item.is_call;
  if (!is_begun || (item.call == nullptr && item.event == nullptr)) return "";
  if (const CallFacts* const call = item.call) {
    const std::uint32_t part = timeline.actors().threads()[item.thread].part;
    return call->object != 0 ? objects_->names().of(call->object, part, call->resource) : "";
  }
  const Event& event = *item.event->event;
  const std::uint64_t number = event.number(Role::kObject).value_or(0);
  if (number == 0) return "";
  return objects_->names().of(number, timeline.actors().part_of_ids(event, Role::kObject),
                              timeline.names().said_by(event, Role::kResource));
}

void EventRows::Pass::add_lane(const RoleEvent& event) {
  const std::size_t life = lives_.life_at(event);
  add(rows_->group_of_life(life));
  const view::LanePlan& lanes = rows_->layout_->lanes;
  if (event.role == Role::kSample && life < lanes.size()) add(found_in(rows_->samples_, lanes[life]));
}

}  // namespace evt::tools
