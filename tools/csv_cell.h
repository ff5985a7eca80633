// A text as a cell of comma-separated values.
#pragma once

#include <string_view>

#include "text_buffer.h"

namespace evt::tools {

// Ends of lines are escaped with the other control characters: each row is one line, whatever its texts hold.
void append_csv_cell(TextBuffer& out, std::string_view text);

}  // namespace evt::tools
