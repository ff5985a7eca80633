#include "stats/folded_lines.h"

#include "libtrace-read/export/src/base/format_number.h"
#include "libtrace-read/export/src/paths/stack_frame.h"

namespace evt::tools {

void append_folded(TextBuffer& out, const Table& table, const WhereInCsv& where) {
  for (const Table::Row& row : table.rows()) {
    for (const auto& [key, value] : where) {
      append_stack_frame(out, value);
      out += ';';
    }
    out += *row[0].text();
    out += ' ';
    append_number(out, *row[1].as_unsigned());
    out += '\n';
  }
}

}  // namespace evt::tools
