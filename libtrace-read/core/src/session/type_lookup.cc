#include "type_lookup.h"

#include <evt/format.h>
#include <evt/names.h>
#include <fmt/core.h>

namespace evt {
namespace {

// Types that a trace does not declare are made when they are met, and kept up to this number.
constexpr std::size_t kMaxUnknown = 4096;

Field field(const char* name, Kind kind, std::uint32_t width) {
  Field made;
  made.name = name;
  made.kind = kind;
  made.width = width;
  return made;
}

}  // namespace

TypeLookup::TypeLookup(const TypeIndex& declared) : declared_(declared) {
  Field cause = field("cause", Kind::kEnumeration, 2);
  for (const NamedNumber& each : named_numbers(NumberList::kLossCause)) {
    cause.labels.push_back({each.number, label_of(each)});
  }
  lost_.fields_ = {field("count", Kind::kUnsigned, 8), std::move(cause), field("duration", Kind::kTickDelta, 8)};
  lost_.fields_[0].role = Role::kAmount;
  lost_.fields_[1].role = Role::kReason;
  lost_.fields_[2].role = Role::kDuration;
  lost_.find_role_fields();
  lost_.marker_ = EventType::Marker::kLost;
  jump_.marker_ = EventType::Marker::kJump;
  end_.marker_ = EventType::Marker::kEnd;
  lost_.declared_ = jump_.declared_ = end_.declared_ = true;
}

const EventType* TypeLookup::unknown(std::uint32_t number) {
  const auto found = unknown_.find(number);
  if (found != unknown_.end()) return found->second.get();
  EventType made(fmt::format("type#{}", number), number);
  if (unknown_.size() == kMaxUnknown) return &strays_.emplace_back(std::move(made));
  return (unknown_[number] = std::make_unique<EventType>(std::move(made))).get();
}

}  // namespace evt
