#include <evt/event_type.h>

namespace evt {

void EventType::find_role_fields() {
  role_fields_.clear();
  std::uint32_t offset = 0;
  bool has_offset = true;
  for (std::uint32_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    const bool fixed = field.shape == Shape::kFixed && field.width <= EVT_MAX_EVENT_ROW;
    const bool is_known = field.role != Role::kNone && static_cast<std::uint32_t>(field.role) < EVT_ROLE_COUNT;
    if (is_known && role_field(field.role) == nullptr) {
      const bool whole = field.known() && field.kind != Kind::kFloat && field.kind != Kind::kBytes;
      const bool quick = fixed && has_offset && whole && field.width <= 8;
      role_fields_.push_back({field.role, static_cast<std::uint8_t>(quick ? field.width : 0), offset, i});
    }
    has_offset &= fixed && offset <= EVT_MAX_EVENT_ROW;
    offset += has_offset ? field.width : 0;
  }
}

}  // namespace evt
