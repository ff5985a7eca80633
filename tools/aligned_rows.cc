#include "aligned_rows.h"

#include <algorithm>

#include "libtrace-read/export/src/base/text_syntax.h"
#include "libtrace-read/export/src/base/utf8.h"

namespace evt::tools {

void AlignedRows::append_to(TextBuffer& out) const {
  std::vector<std::size_t> widths(right_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (right_[i]) out.append(widths[i] - columns_of(row[i]), ' ');
      append_padded(out, row[i], right_[i] ? 0 : widths[i]);
      out += "  ";
    }
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
}

}  // namespace evt::tools
