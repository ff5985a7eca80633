#include <evt/event_type.h>

#include <algorithm>

namespace evt {

bool EventType::has_role(Role role) const {
  return role_ == role ||
         std::ranges::any_of(meaning_.facets, [role](const Facet& facet) { return facet.role == role; });
}

void EventType::make_facet_types() {
  facet_types_.clear();
  for (const Facet& facet : meaning_.facets) {
    EventType& type = facet_types_.emplace_back(name_, number_);
    type.declared_ = declared_;
    type.role_ = facet.role;
    type.declared_size_ = declared_size_;
    type.fields_ = fields_;
    for (Field& field : type.fields_) field.role = Role::kNone;
    for (const Facet::OfField& field : facet.fields) type.fields_[field.field].role = field.role;
    type.find_role_fields();
  }
}

void EventType::find_role_fields() {
  role_fields_.clear();
  std::ranges::fill(role_places_, std::uint8_t{0});
  std::uint32_t offset = 0;
  bool has_offset = true;
  for (std::uint32_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    const bool fixed = field.shape == Shape::kFixed && field.width <= EVT_MAX_EVENT_ROW;
    const bool is_known = field.role != Role::kNone && static_cast<std::uint32_t>(field.role) < EVT_ROLE_COUNT;
    // An amount counts integers of its unit.
    const bool is_counted = field.role == Role::kAmount || field.role == Role::kLimit;
    if (is_known && !(is_counted && field.scale != 0) && role_field(field.role) == nullptr) {
      const bool whole = field.known() && field.kind != Kind::kFloat && field.kind != Kind::kBytes;
      const bool quick = fixed && has_offset && whole && field.width <= 8 && !field.absent;
      const bool quick_text = has_offset && whole && field.kind == Kind::kText && !field.absent;
      role_fields_.push_back({field.role, static_cast<std::uint8_t>(quick ? field.width : 0),
                              static_cast<std::uint8_t>(quick_text ? count_width(field.shape) : 0), offset, i});
      role_places_[static_cast<std::size_t>(field.role)] = static_cast<std::uint8_t>(role_fields_.size());
    }
    has_offset &= fixed && offset <= EVT_MAX_EVENT_ROW;
    offset += has_offset ? field.width : 0;
  }
}

}  // namespace evt
