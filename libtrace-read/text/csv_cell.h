// A text as a cell of comma-separated values.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <string_view>

namespace evt {

// Ends of lines are escaped with the other control characters: each row is one line, whatever its texts hold.
void append_csv_cell(TextBuffer& out, std::string_view text);
// A field's value as value_json() has it, a text without its quotes; an array is one cell, what is none or not known an
// empty one. `made` is overwritten.
void append_csv_value(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made);

}  // namespace evt
