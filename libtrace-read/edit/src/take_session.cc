#include "take_session.h"

#include "libtrace-read/core/src/event/interned_fields.h"
#include "row_rewrite.h"

namespace evt {

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
