// A name in a folded stack.
#pragma once

#include <evt/text/text_buffer.h>

#include <string_view>

namespace evt {

// Neither what separates names nor what ends a line is part of one, as they are `\x3b` and `\x0a`.
void append_stack_frame(TextBuffer& out, std::string_view name);

}  // namespace evt
