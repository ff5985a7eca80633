#include "row_rewrite.h"

#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/event/interned_fields.h"

namespace evt {

RowRewrite::RowRewrite(const Session& session, const IdRemap& changes, SchemaUnion& schemas)
    : session_(session),
      changes_(changes),
      schemas_(schemas),
      // Among texts of other sessions, an id without meaning here may have one there.
      texts_may_change_(!changes.strings.empty() || schemas.strings() > session.strings.size()) {
  for (const EventType& type : session.types) {
    const auto changed = changes.types.find(type.number());
    types_[type.number()] = changed == changes.types.end() ? type.number() : changed->second;
  }
}

std::uint32_t RowRewrite::type_of(std::uint32_t number) {
  const auto known = types_.find(number);
  if (known != types_.end()) return known->second;
  return types_[number] = schemas_.undescribed_type(number);
}

bool RowRewrite::may_change(std::uint16_t type) {
  if (type == EVT_ROW_WIDE) return true;
  if (type >= EVT_TYPE_FIRST_RESERVED) return false;
  return type_of(type) != type || (texts_may_change_ && changes_.with_texts.contains(type));
}

std::uint32_t RowRewrite::string_of(std::uint32_t id) {
  if (id == 0) return 0;
  const auto changed = changes_.strings.find(id);
  if (changed != changes_.strings.end()) return changed->second;
  return session_.strings.contains(id) ? id : schemas_.undescribed_string(id);
}

void RowRewrite::append(const RowView& row, std::vector<std::byte>* out) {
  const std::size_t at = out->size();
  out->insert(out->end(), row.bytes.begin(), row.bytes.end());
  if (!row.is_event()) return;
  const std::uint32_t number = row.number();
  const std::uint32_t now = type_of(number);
  std::byte* fields = out->data() + at + (row.fields().data() - row.bytes.data());
  if (row.type == EVT_ROW_WIDE || now < EVT_TYPE_FIRST_RESERVED) {
    RowWriter::set_number(raw(out->data() + at), now);
  } else {
    // The number needs room: a wide row, and with it the large size if it has become too large for the small one.
    out->resize(at + RowWriter::size_of_event(now, row.fields().size()));
    RowWriter writer(raw(out->data() + at));
    fields = reinterpret_cast<std::byte*>(writer.event(row.delta, now, row.fields().size()));
    std::copy(row.fields().begin(), row.fields().end(), fields);
  }
  const auto texts = changes_.with_texts.find(number);
  if (texts != changes_.with_texts.end()) rewrite_texts(*texts->second, row.fields(), fields);
}

void RowRewrite::rewrite_texts(const EventType& type, Bytes fields, std::byte* to) {
  for_each_interned(type, fields, [&](const std::byte* from) {
    evt_store_u32(raw(to + (from - fields.data())), string_of(evt_load_u32(from)));
  });
}

// Rows in strings have numbers in them, so that the same bytes mean something else in each session.
IdRemap take_session(const Session& session, SchemaUnion& schemas) {
  IdRemap changes = schemas.take(session);
  RowRewrite rewrite(session, changes, schemas);
  for (const std::uint32_t id : session.row_strings) {
    std::vector<std::byte> row;
    rewrite.append(*row_in(session.strings.at(id)), &row);
    const std::uint32_t now = schemas.take(id, {reinterpret_cast<const char*>(row.data()), row.size()});
    if (now != id) changes.strings[id] = now;
  }
  return changes;
}

}  // namespace evt
