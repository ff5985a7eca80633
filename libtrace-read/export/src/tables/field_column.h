// Fields of events as columns.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

namespace evt {

// What a field is as a column. Integers with a scale are floats; enumerations and interned texts are texts of few;
// times are ns, since the session's start where they are moments.
Column column_of(const Field& field);
// The column for the fields of both, which have one name: what differs is text.
Column column_of_both(const Column& a, const Column& b);

// A field's value as a row more; null where it means none. REQUIRES: the column is that of the field, maybe with
// others.
void add_value(const Event& event, const Value& value, const Column& column, ColumnValues* values, TextBuffer* made);

}  // namespace evt
