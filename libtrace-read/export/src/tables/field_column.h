// Fields of events as columns.
#pragma once

#include <evt/export/table.h>
#include <evt/export/text_buffer.h>
#include <evt/trace.h>

namespace evt {

// What a field is as a column. Integers with a scale are floats; enumerations and interned texts are texts of few;
// times are ns, since the session's start where they are moments.
Column column_of(const Field& field);
// The column for the fields of both, which have one name: what differs is text.
Column column_of_both(const Column& a, const Column& b);

// Adds the values of a field to its column. Refers to the column.
class FieldColumn {
 public:
  // REQUIRES: the column is that of the field, maybe with others. `place`: of it in its table.
  FieldColumn(const Field& field, const Column& column, std::size_t place);

  // As a row more; null where the value means none.
  void add(const Event& event, const Value& value, TableBatch* to, TextBuffer* made) const {
    ColumnValues& values = to->columns[place_];
    switch (form_) {
      case Form::kUnsigned:
        return values.add_unsigned(value.as_unsigned());
      case Form::kSigned:
        return values.add_signed(value.as_signed());
      default:
        return add_other(event, value, &values, made);
    }
  }

 private:
  // Nearly all values are whole numbers, which are in the column as they are.
  enum class Form : std::uint8_t { kUnsigned, kSigned, kOther };

  static Form form_of(const Field& field, const Column& column);
  void add_other(const Event& event, const Value& value, ColumnValues* values, TextBuffer* made) const;

  const Column* column_;
  std::size_t place_;
  Form form_;
};

}  // namespace evt
