#include "stats/folded_lines.h"

#include <algorithm>

#include "libtrace-read/export/src/base/format_number.h"
#include "libtrace-read/export/src/base/text_syntax.h"

namespace evt::tools {

void append_stack_frame(TextBuffer& out, std::string_view name) {
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t separator = std::min(name.find(';', at), name.size());
    append_harmless(out, name.substr(at, separator - at));
    if (separator < name.size()) out += "\\x3b";
    at = separator + 1;
  }
}

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
