// A text as a cell of comma-separated values.
#pragma once

#include <evt/export/text_buffer.h>

#include <string_view>

namespace evt {

// Ends of lines are escaped with the other control characters: each row is one line, whatever its texts hold.
void append_csv_cell(TextBuffer& out, std::string_view text);

}  // namespace evt
