#include "field_rows.h"

#include <algorithm>
#include <utility>

#include "arrow_array.h"
#include "arrow_schema.h"

namespace evt::reader {

FieldRows::FieldRows(const EventType& type) {
  table_.name = type.name();
  for (const Field& field : type.fields()) table_.columns.push_back(column_of(field));
  for (std::size_t i = 0; i < table_.columns.size(); ++i) fields_.emplace_back(type.fields()[i], table_.columns[i], i);
  rows_ = std::make_unique<TableBatch>(table_);
  export_schema(table_, &schema_);
}

FieldRows::~FieldRows() {
  schema_.release(&schema_);
  if (array_.release != nullptr) array_.release(&array_);
}

void FieldRows::add(const Event& event, TextBuffer* made) {
  std::size_t column = 0;
  FieldWalker walker = event.values();
  for (; const std::optional<Value> value = walker.next(); ++column) {
    fields_[column].add(event, *value, rows_.get(), made);
  }
  // Those that the event is too short for.
  for (; column < rows_->columns.size(); ++column) rows_->columns[column].add_null();
}

bool FieldRows::has_long() const {
  return std::any_of(rows_->columns.begin(), rows_->columns.end(),
                     [](const ColumnValues& values) { return values.has_long(); });
}

const ArrowArray* FieldRows::take() {
  if (array_.release != nullptr) array_.release(&array_);
  auto next = std::make_unique<TableBatch>(table_);
  export_rows(std::move(*std::exchange(rows_, std::move(next))), &array_);
  return &array_;
}

}  // namespace evt::reader
