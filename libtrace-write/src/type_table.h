// The event types of a session: one number per name, and what a second declaration of a name may do.
#pragma once

#include <evt/evt.h>

#include <cstdint>
#include <cstdlib>

#include "format-spec/src/base/buffer.h"
#include "hash_index.h"

namespace evt {

class SnapshotTrigger;

// Layout of the fields of a declared type in its rows, for emitters that compare their values with it. Lives as long as
// the process, like the type. When a type grows, earlier layouts stay: an emitter may be reading one.
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

// Not thread-safe: only the thread that holds the writer's lock uses it.
class TypeTable {
 public:
  TypeTable() = default;
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  // Returns the type of this declaration, and appends to `records` what readers need to know of it. Returns null with
  // `error` filled if the declaration is not valid or contradicts an earlier one.
  enum class By : std::uint8_t { kName, kNumber };  // identifies a type that was declared before
  const evt_type* declare(const evt_event_type& type, By by, Buffer& records, evt_error* error);

  // Switches the types whose names the shell pattern matches, declared now or later, on or off; returns how many
  // matched so far. A later pattern overrules an earlier one.
  std::uint32_t switch_types(const char* glob, bool on);
  std::uint32_t size() const { return count_; }
  // True if a type of this name that is declared now is on; `by_default` decides if no pattern matches it.
  bool is_on(const char* name, bool by_default = true);
  // Each pattern so far is expected to match a type by the end.
  void expect_matches();
  // Patterns that match no type so far, separated by colons; false if each matches one.
  bool unmatched(char* out, std::size_t size) const;
  // Types that are declared from now on do not state where the program records them.
  void leave_out_sources() { has_sources_ = false; }
  // Tells it of each type that is declared from now on.
  void watch(SnapshotTrigger* trigger) { trigger_ = trigger; }
  // The name of a declared type; "" without one.
  const char* name_of(std::uint32_t number) const;
  // Called when no more types will be declared; existing ones stay.
  void release() {
    by_name_.release();
    by_number_.release();
  }

 private:
  struct Entry;
  struct Rule {
    char* glob;
    bool on;
    bool expected;
    bool matched;
    Rule* next;
  };

  static void free_entry(Entry* entry);
  std::uint64_t find_name(const char* name) const;
  std::uint64_t find_number(std::uint32_t number) const;
  std::uint32_t choose_number(std::uint32_t wanted, const char* name, evt_error* error);
  const evt_type* add(const evt_event_type& type, Buffer& records, evt_error* error);
  static bool agree(const Entry& entry, const evt_event_type& type, evt_error* error);
  const evt_type* grow(Entry& entry, const evt_event_type& type, Buffer& records, evt_error* error);

  Entry** entries_ = nullptr;
  std::uint32_t count_ = 0;
  Rule* first_rule_ = nullptr;
  bool has_sources_ = true;
  SnapshotTrigger* trigger_ = nullptr;
  HashIndex by_name_;
  HashIndex by_number_;
  std::uint32_t next_number_ = EVT_TYPE_FIRST_FREE;
};

}  // namespace evt
