// Where ids of strings are in an event, and the rows that strings hold (FORMAT.md, section 8.5).
#pragma once

#include <evt/event_type.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>

#include "format-spec/src/row/row_reader.h"

namespace evt {

// Whether its values are ids of strings: of texts, or of rows.
inline bool is_interned(const Field& field) {
  if (field.kind != Kind::kReference) return field.known() && field.kind == Kind::kInterned;
  const bool has_ids = field.shape == Shape::kFixed || field.shape == Shape::kArray;
  return has_ids && field.width == sizeof(std::uint32_t);
}

inline bool has_interned(const EventType& type) { return std::ranges::any_of(type.fields(), is_interned); }

// Visits each id, single or in an array, with its field if it takes one.
template <typename Visit>
void for_each_interned(const EventType& type, Bytes fields, Visit visit) {
  FieldWalker walker(type.fields(), fields);
  while (const auto value = walker.next()) {
    if (!is_interned(value->field())) continue;
    for (std::size_t i = 0; i + sizeof(std::uint32_t) <= value->bytes().size(); i += sizeof(std::uint32_t)) {
      if constexpr (std::is_invocable_v<Visit, const std::byte*, const Field&>) {
        visit(value->bytes().data() + i, value->field());
      } else {
        visit(value->bytes().data() + i);
      }
    }
  }
}

// The row that a string holds, if it is no text. Refers to the string.
inline std::optional<RowView> row_in(std::string_view string) {
  RowReader reader(std::as_bytes(std::span(string)), 0);
  const RowView* const row = reader.next();
  if (row == nullptr || row->delta != EVT_DELTA_IN_STRING || !reader.at_end() || !row->is_event()) return std::nullopt;
  return *row;
}

}  // namespace evt
