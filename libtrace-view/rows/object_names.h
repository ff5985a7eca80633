// What the objects are called that calls are for.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <string>
#include <utility>

namespace evt::view {

// As long as an object is open; memory grows with those that are.
class ObjectNames {
 public:
  explicit ObjectNames(EventNames& names) : names_(&names) {}

  // Names that were known elsewhere.
  void go_on_from(const ObjectNames& other) { objects_ = other.objects_; }
  // An item of kind kObject; within which part of a merged session its number is known.
  void take(const TimelineItem& item, std::uint32_t part);
  // Its name; without one its resource, and its number if it has one. `resource` is that of a call, or kNone.
  std::string of(std::uint64_t number, std::uint32_t part, std::uint32_t resource) const;

 private:
  struct Object {
    std::uint32_t resource = EventNames::kNone;
    std::uint32_t name = EventNames::kNone;
  };

  EventNames* names_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Object> objects_;  // by part and number
};

}  // namespace evt::view
