// Folded stacks, as programs that draw flame graphs read them.
#pragma once

#include <evt/export/text_buffer.h>

#include <string_view>

#include "table.h"
#include "table_forms.h"

namespace evt::tools {

// A name in a stack: neither what separates names nor what ends a line is part of one, as they are `\x3b` and `\x0a`.
void append_stack_frame(TextBuffer& out, std::string_view name);
// A line for each row of a table of stacks and numbers. `where` is in front of each stack.
void append_folded(TextBuffer& out, const Table& table, const WhereInCsv& where);

}  // namespace evt::tools
