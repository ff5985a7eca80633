// A text as a cell of comma-separated values.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <string_view>

namespace evt {

// Escapes ends of lines with the other control characters: each row is one line, whatever its texts contain.
void append_csv_cell(TextBuffer& out, std::string_view text);
// A field's value as in value_json(), a text without its quotes; an array is one cell, an absent or unknown value an
// empty one. `made` is overwritten.
void append_csv_value(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made);

}  // namespace evt
