// The columns that a user asks for: --fields ns,stream,depth.
#pragma once

#include <evt/export/event_lines.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "event_column.h"

namespace evt::tools {

// A column, and where it is in what the user wrote: characters from 1 on.
struct PlacedColumn {
  std::size_t at = 1;
  EventColumn column;
};
using WantsTypeOf = std::function<bool(const EventType&)>;

// Names with commas between them; one in quotes may have commas. Errors: kInvalid, with the column.
Result<std::vector<PlacedColumn>> parse_columns(std::string_view text);
// Finds out what their names are in the traces. Errors: kInvalid, of one that is in none, with its place in `text`.
Status resolve_columns(std::vector<PlacedColumn>* columns, const std::string& text,
                       const std::vector<const Trace*>& traces, const WantsTypeOf& wants_type);
// Two names may mean one field. Errors: kInvalid, of the second.
Status check_distinct(const std::vector<PlacedColumn>& columns, const std::string& text);

// A line for each event with a cell for each column.
struct ColumnForm {
  enum class Kind : std::uint8_t { kText, kJson, kCsv };
  Kind kind = Kind::kText;
  bool several_files = false;
  bool several_sessions = false;  // of one of the traces
  bool color = false;             // of the heads in text
};
std::unique_ptr<EventLines> column_lines(const ColumnForm& form, std::vector<PlacedColumn> columns,
                                         WantsTypeOf wants_type);

}  // namespace evt::tools
