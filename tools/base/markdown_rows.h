// Rows of a table as GitHub's Markdown has them, for pull requests.
#pragma once

#include <evt/text/text_buffer.h>

#include <string>
#include <vector>

namespace evt::tools {

// Characters that Markdown would take for its own are escaped.
void append_markdown_row(TextBuffer& out, const std::vector<std::string>& cells);
// The line below the head. `right`: which columns are aligned to the right.
void append_markdown_rule(TextBuffer& out, const std::vector<bool>& right);

}  // namespace evt::tools
