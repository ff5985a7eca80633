// A name in a folded stack.
#pragma once

#include <evt/text/text_buffer.h>

#include <string_view>

namespace evt {

// Separators of names and ends of lines are escaped as `\x3b` and `\x0a`.
void append_stack_frame(TextBuffer& out, std::string_view name);

}  // namespace evt
