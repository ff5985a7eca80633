// Tables for people, as JSON and as CSV: the same rows.
#pragma once

#include <evt/text/text_buffer.h>

#include <string>
#include <utility>
#include <vector>

#include "aligned_rows.h"
#include "libtrace-read/text/number_with_unit.h"
#include "table.h"

namespace evt::tools {

using report::duration_text;

// `raw`: numbers as they are, without units.
void append_human_readable(TextBuffer& out, const Table& table, bool raw, const TableLook& look = {});
// An array of objects; of facts the object alone.
void append_as_json(TextBuffer& out, const Table& table);
// `where` is the same for all rows: columns in front, with their values.
using WhereInCsv = std::vector<std::pair<std::string, std::string>>;
void append_as_csv(TextBuffer& out, const Table& table, const WhereInCsv& where = {});

// As in the tables for people. `raw`: a number as it is, without a unit.
std::string cell_text(const Cell& cell, CellKind kind, bool raw);

}  // namespace evt::tools
