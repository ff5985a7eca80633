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
    groups_[row.id] = add_group(row.key);
  }
}

// Null if there are none of this kind.
EventRows::Numbered* EventRows::numbered(const std::string& kind) {
  if (kind == "cpu") return &cpu_;
  if (kind == "events") return &stream_;
  if (kind == "sparks") return &sparks_;
  if (kind == "object") return &object_;
  return kind == "thread" || kind == "span" ? &lane_ : nullptr;
}

std::uint32_t EventRows::add_group(const std::string& key) {
  if (key == "cpus") return cpus_ = count_++;
  if (key == "marks") return marks_ = count_++;
  if (key.starts_with("counter/") || key.starts_with("async/")) return by_key_[key] = count_++;
  if (key == "tracer") return tracer_ = count_++;
  if (key == "object/others") return other_objects_ = count_++;
  Numbered* const groups = numbered(key.substr(0, key.find('/')));
  if (groups == nullptr) return kNone;
  const auto [place, is_new] = groups->emplace(number_in_key(key), count_);
  if (is_new) ++count_;
  return place->second;
}

std::uint32_t EventRows::found_in(const Numbered& groups, std::size_t number) {
  const auto found = groups.find(number);
  return found == groups.end() ? kNone : found->second;
}

std::uint32_t EventRows::row_of_stream(std::size_t stream) const {
  const std::uint32_t group = found_in(stream_, stream);
  for (std::uint32_t row = 0; group != kNone && row < groups_.size(); ++row) {
    if (groups_[row] == group) return row;
  }
  return kNone;
}

EventRows::Pass::Pass(const EventRows& rows, Timeline& timeline, const view::RowMarks::Mark* from)
    : rows_(&rows),
      scale_(0, 1, 1),
      lives_(timeline.actors(), scale_),
      asyncs_(timeline.actors().session(), timeline.names(), scale_) {
  if (!rows.object_.empty()) objects_.emplace(timeline, scale_);
  if (from == nullptr) return;
  lives_.go_on_from(from->rows->lives());
  asyncs_.go_on_from(from->rows->asyncs());
  if (objects_) objects_->go_on_from(from->rows->objects());
}

void EventRows::Pass::add(std::uint32_t group) {
  if (group != kNone) found_.push_back(group);
}

const std::vector<std::uint32_t>& EventRows::Pass::take(Timeline& timeline, const TimelineItem& item) {
  found_.clear();
  view::CpuRows::number(timeline.actors(), item);
  lives_.take(item);
  asyncs_.take(item);
  if (!asyncs_.latest().empty()) add_keyed(asyncs_.latest());
  if (objects_) {
    objects_->take(item);
    if (item.event != nullptr && objects_->latest() != view::ObjectRows::kNone) add_object(objects_->latest());
  }
  if (!is_shown_event(item)) return found_;
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

void EventRows::Pass::add_lane(const RoleEvent& event) {
  const std::size_t life = lives_.life_at(event);
  const view::LanePlan& lanes = rows_->layout_->lanes;
  if (life < lanes.size() && lanes[life] != view::ThreadLives::kNone) add(found_in(rows_->lane_, lanes[life]));
}

}  // namespace evt::tools
