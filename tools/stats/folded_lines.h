// Folded stacks, as programs that draw flame graphs read them.
#pragma once

#include <evt/export/text_buffer.h>

#include "base/table.h"
#include "base/table_forms.h"

namespace evt::tools {

// A line for each row of a table of stacks and numbers. `where` is in front of each stack.
void append_folded(TextBuffer& out, const Table& table, const WhereInCsv& where);

}  // namespace evt::tools
