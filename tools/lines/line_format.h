// Lines of the user's own: --format '{time} {stream} {type} {fields}'.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "column_list.h"

namespace evt::tools {

// What is between placeholders, and what they stand for: before each column some text, and one more behind the last.
struct LineFormat {
  std::vector<std::string> texts;
  std::vector<PlacedColumn> columns;
};

// {NAME} is a column, {{ and }} are braces, \t \n \\ a tabulator, the end of a line and a backslash. Errors: kInvalid,
// with the column.
Result<LineFormat> parse_line_format(std::string_view text);

// Each with an end of line behind it.
std::unique_ptr<EventLines> formatted_lines(LineFormat format, bool is_only_file);

}  // namespace evt::tools
