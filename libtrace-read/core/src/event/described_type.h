// An event type that was read -> what describes it to an encoder.
#pragma once

#include <evt/describe.h>
#include <evt/event_type.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace evt {

// A name of a hostile trace, as encoders of C can take it: up to a zero byte would be another name, or none.
inline std::string name_for_encoder(std::string name) {
  std::replace(name.begin(), name.end(), '\0', '?');
  return name;
}

// Refers to the texts of what it took.
struct DescribedType {
  std::deque<std::vector<evt_label>> labels;
  std::vector<evt_field> fields;
  Role role = Role::kNone;

  void take(const std::vector<Field>& from, Role its_role) {
    role = its_role;
    for (const Field& field : from) {
      labels.emplace_back();
      for (const Field::Label& label : field.labels) labels.back().push_back({label.value, label.text.c_str()});
      fields.push_back({field.name.c_str(), field.description.c_str(), static_cast<std::uint16_t>(field.kind),
                        static_cast<std::uint16_t>(field.shape), field.width, static_cast<std::uint16_t>(field.role),
                        static_cast<std::uint16_t>(field.unit), static_cast<std::uint32_t>(labels.back().size()),
                        labels.back().data()});
    }
  }
  evt_event_type as(const char* name, const char* description) const {
    evt_event_type type = {};
    type.name = name;
    type.description = description;
    type.role = static_cast<std::uint16_t>(role);
    type.field_count = static_cast<std::uint32_t>(fields.size());
    type.fields = fields.data();
    return type;
  }
};

}  // namespace evt
