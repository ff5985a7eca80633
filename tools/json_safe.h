// JSON for programs that have no whole numbers of 64 bits.
#pragma once

#include <evt/export/text_buffer.h>

#include <string_view>

namespace evt::tools {

// Appends the JSON with each whole number beyond 2^53, of either sign, as a text. REQUIRES: it is of whole lines.
void append_json_safe(TextBuffer& out, std::string_view json);

}  // namespace evt::tools
