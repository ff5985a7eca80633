// Fields of events as columns.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

namespace evt {

// The column for a field. Integers with a scale become floats; enumerations and interned texts become dictionary texts;
// times are ns, since the session's start if they are moments.
Column column_of(const Field& field);
// The column for both fields, which have one name: if they differ, it is text.
Column column_of_both(const Column& a, const Column& b);

// Adds a field's value as a row; null if it means none. REQUIRES: the column is made for the field, maybe with others.
void add_value(const Event& event, const Value& value, const Column& column, ColumnValues* values, TextBuffer* made);

}  // namespace evt
