#include "event_fields.h"

#include "field_column.h"

namespace evt {

EventFields::EventFields(const EventType& type, const std::vector<std::size_t>& places,
                         const std::vector<Column>& columns) {
  std::size_t offset = 0;
  bool is_fixed = true;  // all fields so far
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Field& field = type.fields()[i];
    const Column& column = columns[places[i]];
    is_fixed = is_fixed && field.shape == Shape::kFixed;
    fields_.push_back(
        {&field, &column, places[i], offset, field.width, is_fixed ? form_of(field, column) : Form::kOther});
    offset += field.width;
  }
}

EventFields::Form EventFields::form_of(const Field& field, const Column& column) {
  if (!field.known() || field.absent) return Form::kOther;
  if (column.kind == ColumnKind::kUnsigned && field.kind == Kind::kUnsigned) return Form::kUnsigned;
  if (column.kind == ColumnKind::kSigned && field.kind == Kind::kSigned) return Form::kSigned;
  return Form::kOther;
}

std::size_t EventFields::add_others(const Event& event, std::size_t added, TableBatch* to, TextBuffer* made) const {
  FieldWalker walker = event.values();
  while (const std::optional<Value> value = walker.next()) {
    if (walker.index() <= added) continue;
    const Placed& field = fields_[added++];
    add_value(event, *value, *field.column, &to->columns[field.place], made);
  }
  return added;
}

}  // namespace evt
