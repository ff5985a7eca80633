#include "table_forms.h"

#include <fmt/core.h>

#include <cmath>

#include "aligned_rows.h"
#include "json_object.h"
#include "libtrace-read/export/src/base/format_number.h"
#include "libtrace-read/export/src/base/text_syntax.h"
#include "libtrace-read/export/src/csv/csv_cell.h"
#include "libtrace-read/report/src/number_with_unit.h"

namespace evt::tools {
namespace {

// As it is: a whole number, or one with as many digits as it needs.
void append_plain(TextBuffer& out, const Cell& cell) {
  if (const std::int64_t* const i = cell.as_signed()) append_number(out, *i);
  if (const std::uint64_t* const u = cell.as_unsigned()) append_number(out, *u);
  if (const double* const d = cell.as_fraction()) out += fmt::format("{}", std::round(*d * 1e6) / 1e6);
}

std::string head_of(const Table::Column& column, bool raw) {
  const bool has_unit = column.kind == CellKind::kTime || column.kind == CellKind::kDuration;
  return text_from([&](TextBuffer& out) {
    append_harmless(out, column.name);
    if (raw && has_unit) out += " ns";
  });
}

void append_object(TextBuffer& out, const Table& table, const Table::Row& row) {
  JsonObject json(out);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string key = table.columns()[i].key();
    const double* const number = row[i].as_fraction();
    if (row[i].text() != nullptr) {
      json.name_text(key, *row[i].text());
    } else if (row[i].is_empty() || (number != nullptr && !std::isfinite(*number))) {
      json.null(key);
    } else {
      json.value(key, [&](TextBuffer& to) { append_plain(to, row[i]); });
    }
  }
}

}  // namespace

std::string cell_text(const Cell& cell, CellKind kind, bool raw) {
  if (cell.is_empty()) return "-";
  return text_from([&](TextBuffer& out) {
    if (cell.text() != nullptr) return append_harmless(out, *cell.text());
    if (raw) return append_plain(out, cell);
    if (cell.is_or_more()) out += "at least ";
    switch (cell.seen_in(kind)) {
      case CellKind::kTime:
        if (cell.as_signed() != nullptr) return append_seconds(out, *cell.as_signed());
        return append_plain(out, cell);
      case CellKind::kDuration:
        out += report::duration_with_unit(cell.as_double());
        return;
      case CellKind::kPercent:
        out += fmt::format("{:.1f} %", cell.as_double());
        return;
      case CellKind::kBytes:
        out += report::thousands_with_unit(cell.as_double(), "B");
        return;
      case CellKind::kRate:
        out += report::thousands_with_unit(cell.as_double(), "/s");
        return;
      case CellKind::kNumber:
        out += fmt::format("{:.2f}", cell.as_double());
        return;
      default:
        return append_plain(out, cell);
    }
  });
}

void append_human_readable(TextBuffer& out, const Table& table, bool raw, const TableLook& look) {
  std::vector<std::string> head;
  std::vector<bool> right;
  for (const Table::Column& column : table.columns()) {
    if (column.is_hidden) continue;
    head.push_back(head_of(column, raw));
    right.push_back(column.kind != CellKind::kText);
  }
  if (table.is_facts()) {
    // Its first fact is where others have their head.
    const Table::Row& row = table.rows().front();
    std::vector<std::vector<std::string>> facts;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Table::Column& column = table.columns()[i];
      if (!column.is_hidden) facts.push_back({head[facts.size()], cell_text(row[i], column.kind, raw)});
    }
    AlignedRows rows(facts.front(), {false, false});
    for (std::size_t i = 1; i < facts.size(); ++i) rows.add(facts[i]);
    return rows.append_to(out);
  }
  AlignedRows rows(std::move(head), std::move(right));
  for (const Table::Row& row : table.rows()) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Table::Column& column = table.columns()[i];
      if (!column.is_hidden) texts.push_back(cell_text(row[i], column.kind, raw));
    }
    rows.add(std::move(texts));
  }
  rows.append_to(out, look);
}

void append_as_json(TextBuffer& out, const Table& table) {
  if (table.is_facts()) return append_object(out, table, table.rows().front());
  append_json_list(out, table.rows(), [&](TextBuffer& to, const Table::Row& row) { append_object(to, table, row); });
}

void append_as_csv(TextBuffer& out, const Table& table, const WhereInCsv& where) {
  for (const auto& [key, value] : where) out += key + ',';
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (i > 0) out += ',';
    append_csv_cell(out, table.columns()[i].key());
  }
  out += "\r\n";
  for (const Table::Row& row : table.rows()) {
    for (const auto& [key, value] : where) {
      append_csv_cell(out, value);
      out += ',';
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      const std::string* const text = row[i].text();
      text != nullptr ? append_csv_cell(out, *text) : append_plain(out, row[i]);
    }
    out += "\r\n";
  }
}

}  // namespace evt::tools
