// Where ids of interned texts are in an event.
#pragma once

#include <evt/event_type.h>

#include <algorithm>

namespace evt {

inline bool has_interned(const EventType& type) {
  return std::ranges::any_of(type.fields(),
                             [](const Field& field) { return field.known() && field.kind == Kind::kInterned; });
}

// Each place of an id, by itself or in an array.
template <typename Visit>
void for_each_interned(const EventType& type, Bytes fields, Visit visit) {
  FieldWalker walker(type.fields(), fields);
  while (const auto value = walker.next()) {
    if (value->kind() != Kind::kInterned) continue;
    for (std::size_t i = 0; i + sizeof(std::uint32_t) <= value->bytes().size(); i += sizeof(std::uint32_t)) {
      visit(value->bytes().data() + i);
    }
  }
}

}  // namespace evt
