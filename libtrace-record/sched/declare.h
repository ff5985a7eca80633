// Event types recorded from outside, declared in one expression each.
#pragma once

#include <evt/evt.h>

#include <initializer_list>

namespace evt::record {

// The system's numbers are the same in all processes until the next boot.
inline evt_field of_boot(evt_field field) {
  field.scope = EVT_SCOPE_BOOT;
  return field;
}

inline const evt_type* declare(evt_writer* writer, const char* name, const char* what, std::uint16_t role,
                               std::initializer_list<evt_field> fields) {
  evt_event_type type = {};
  type.name = name;
  type.description = what;
  type.role = role;
  type.fields = fields.begin();
  type.field_count = static_cast<std::uint32_t>(fields.size());
  return evt_declare(writer, &type, nullptr);
}

}  // namespace evt::record
