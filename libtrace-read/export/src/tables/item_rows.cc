#include "item_rows.h"

#include "column_kinds.h"

namespace evt {

Column part_column() { return word_column("part", "in a merged session: name of the stream's part"); }

std::vector<Column> thread_columns() {
  return {
      word_column("part", "in a merged session: name of the thread's part"),
      count_column("thread", "thread number used by events; the stream's id if the stream is the thread"),
      word_column("thread_name", "name of the thread at that time; (others): one of those beyond 65,536 at a time")};
}

Column created_column() {
  return ns_column(
      "thread_created_ns",
      "when the thread was created: tells threads apart that used one number; null: no event records that");
}

void ItemRows::add_created(std::uint32_t thread, NewRow* row) const {
  const bool is_known = thread < Actor::kOthers && timeline().actors().threads()[thread].created_ns;
  is_known ? row->ns(*timeline().actors().threads()[thread].created_ns) : row->null();
}

void ItemRows::add_part(const StreamInfo& stream, NewRow* row) const {
  const std::uint32_t part = timeline().actors().part_of(stream);
  row->text_unless_empty(part != Actor::kNone ? std::string_view(session().parts[part].name) : std::string_view());
}

void ItemRows::add_thread(std::uint32_t thread, NewRow* row) const {
  if (thread == Actor::kNone) {
    row->null().null().null();
    return;
  }
  if (thread >= Actor::kOthers) {
    row->null().null().text("(others)");
    return;
  }
  const Actor& actor = timeline().actors().threads()[thread];
  const auto& parts = session().parts;
  row->text_unless_empty(actor.part < parts.size() ? std::string_view(parts[actor.part].name) : std::string_view());
  row->number(actor.number).text_unless_empty(actor.name);
}

}  // namespace evt
