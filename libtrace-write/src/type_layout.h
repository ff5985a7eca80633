// How the fields of a declared type lie in its rows, for emitters that compare their values with it.
#pragma once

#include <evt/evt.h>

#include <cstdint>
#include <cstdlib>

namespace evt {

// Lives as long as the process, as the type does. Of a type that has grown the layouts before stay too: an emitter may
// be reading one.
struct TypeLayout {
  evt_row_layout row;
  TypeLayout* before;
};

// Null without memory: then nothing is compared.
inline TypeLayout* new_layout(const evt_event_type& type, TypeLayout* before) {
  auto* const layout =
      static_cast<TypeLayout*>(std::calloc(1, sizeof(TypeLayout) + type.field_count * sizeof(evt_field_layout)));
  if (layout == nullptr) return nullptr;
  auto* const fields = reinterpret_cast<evt_field_layout*>(layout + 1);
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    fields[i] = {type.fields[i].kind, type.fields[i].shape, type.fields[i].width};
  }
  layout->row = {type.field_count, fields};
  layout->before = before;
  return layout;
}

inline void set_layout(evt_type* type, const TypeLayout* layout) {
  __atomic_store_n(&type->layout, layout != nullptr ? &layout->row : nullptr, __ATOMIC_RELEASE);
}

}  // namespace evt
