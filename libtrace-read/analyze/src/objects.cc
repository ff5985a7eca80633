#include "objects.h"

#include <algorithm>

#include "parts.h"

namespace evt {

std::uint32_t resource_of(const Event& event, EventNames* names) { return names->said_by(event, Role::kResource); }

void Objects::take(const RoleEvent& event, std::uint32_t part, bool counts, EventNames* names) {
  const Event& of = *event.event;
  const std::uint64_t number = of.number(Role::kObject).value_or(0);
  if (number == 0) return;
  if (event.role == Role::kObjectOpen) {
    open(number, part, {resource_of(of, names), kNone, kNone, of.number(Role::kLimit).value_or(0), true, counts});
  }
  if (event.role == Role::kObjectName) {
    const std::uint32_t said = names->said_by(of, Role::kName);
    if (said != EventNames::kNone) name(number, part, said);
  }
  if (event.role == Role::kObjectClose) close(number, part);
}

FlatMap<Objects::Object>& Objects::of_part(std::uint32_t part) { return grown(&parts_, part + 1); }

Objects::Opened& Objects::count_of(std::uint32_t resource) {
  const auto [place, is_new] = count_places_.add(resource);
  if (is_new) {
    *place = static_cast<std::uint32_t>(opened_.size());
    opened_.push_back({resource, 0, 0, 0, 0});
  }
  return opened_[*place];
}

// A number that is already open was closed without an event.
void Objects::open(std::uint64_t number, std::uint32_t part, const Object& object) {
  close(number, part);
  of_part(part)[number] = object;
  if (!object.counts) return;
  Opened& count = count_of(object.resource);
  ++count.opened;
  count.most = std::max(count.most, ++count.open);
}

void Objects::name(std::uint64_t number, std::uint32_t part, std::uint32_t name) {
  Object& object = of_part(part)[number];
  object.name = name;
  object.target = kNone;
}

void Objects::close(std::uint64_t number, std::uint32_t part) {
  FlatMap<Object>& objects = of_part(part);
  const Object* const object = objects.find(number);
  if (object == nullptr) return;
  if (object->is_open && object->counts) {
    Opened& count = count_of(object->resource);
    ++count.closed;
    --count.open;
  }
  objects.erase(object);
}

std::uint32_t Objects::target_of(const Target& target) {
  const auto [known, is_new] =
      known_.try_emplace({target.resource, target.name, target.number, target.part}, targets_.size());
  if (is_new) targets_.push_back(target);
  return known->second;
}

Objects::Found Objects::find(std::uint64_t number, std::uint32_t part, std::uint32_t resource) {
  if (number == 0) {
    const auto [target, is_new] = by_resource_.add(resource);
    if (is_new) *target = target_of({resource, kNone, 0, kNone});
    return {*target, 0};
  }
  Object& object = of_part(part)[number];
  if (object.resource == kNone) object.resource = resource;
  if (resource == kNone) resource = object.resource;
  if (object.target == kNone || targets_[object.target].resource != resource) {
    const bool has_name = object.name != kNone;
    object.target = target_of({resource, object.name, has_name ? 0 : number, has_name ? kNone : part});
  }
  return {object.target, object.limit};
}

void Objects::restart() {
  for (Opened& count : opened_) count = {count.resource, 0, 0, count.open, count.open};
}

}  // namespace evt
