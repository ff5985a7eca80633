// Rows with the numbers of one session -> the same with those of another.
#pragma once

#include "format-spec/src/row/row_reader.h"
#include "schema_union.h"

namespace evt {

// Refers to its arguments while it lives.
class RowRewrite {
 public:
  RowRewrite(const Session& session, const IdRemap& changes, SchemaUnion& schemas);

  // True if rows of such a type, as stored, can change.
  bool may_change(std::uint16_t type);
  // Appends the row with its changes.
  void append(const RowView& row, std::vector<std::byte>* out);

 private:
  std::uint32_t type_of(std::uint32_t number);
  std::uint32_t string_of(std::uint32_t id);
  void rewrite_texts(const EventType& type, Bytes fields, std::byte* to);

  const Session& session_;
  const IdRemap& changes_;
  SchemaUnion& schemas_;
  bool texts_may_change_;
  std::unordered_map<std::uint32_t, std::uint32_t> types_;  // all types that were met
};

// Takes all that a session describes into the union, the rows that its strings hold too. The same session again gives
// the same, whatever came between.
IdRemap take_session(const Session& session, SchemaUnion& schemas);

}  // namespace evt
