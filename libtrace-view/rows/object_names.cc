#include "object_names.h"

#include <evt/analysis/usage.h>

namespace evt::view {

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

}  // namespace evt::view
