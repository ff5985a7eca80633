#include "open_events.h"

#include <algorithm>
#include <numeric>

#include "arrow_array.h"
#include "libtrace-read/export/src/tables/field_column.h"

namespace evt::reader {

FieldRows::FieldRows(const EventType& type) {
  table_.name = type.name();
  for (const Field& field : type.fields()) table_.columns.push_back(column_of(field));
  std::vector<std::size_t> places(table_.columns.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  fields_ = EventFields(type, places, table_.columns);
  rows_ = std::make_unique<TableBatch>(table_);
  export_schema(table_, &schema_);
}

FieldRows::~FieldRows() {
  schema_.release(&schema_);
  if (array_.release != nullptr) array_.release(&array_);
}

void FieldRows::add(const Event& event, TextBuffer* made) {
  // Fields that the event is too short for are null.
  for (std::size_t i = fields_.add(event, rows_.get(), made); i < rows_->columns.size(); ++i) {
    rows_->columns[i].add_null();
  }
}

bool FieldRows::has_long() const {
  return std::ranges::any_of(rows_->columns, [](const ColumnValues& values) { return values.has_long(); });
}

const ArrowArray* FieldRows::take() {
  if (array_.release != nullptr) array_.release(&array_);
  auto next = std::make_unique<TableBatch>(table_);
  export_rows(std::move(*std::exchange(rows_, std::move(next))), &array_);
  return &array_;
}

}  // namespace evt::reader
