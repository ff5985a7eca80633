#include "table_forms.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "json_object.h"
#include "libtrace-read/text/csv_cell.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/utf8.h"

namespace evt::tools {
namespace {

// As it is: a whole number, or one with as many digits as it needs.
void append_plain(TextBuffer& out, const Cell& cell) {
  if (const std::int64_t* const i = cell.as_signed()) append_number(out, *i);
  if (const std::uint64_t* const u = cell.as_unsigned()) append_number(out, *u);
  if (const double* const d = cell.as_fraction()) {
    constexpr double kWithFraction = 1e15;  // a larger one has no millionths
    out += fmt::format("{}", std::abs(*d) < kWithFraction ? std::round(*d * 1e6) / 1e6 : *d);
  }
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

namespace {

// In the order in which they go where a terminal has no room.
constexpr const char* kLeastNeeded[] = {"before runs",
                                        "after runs",
                                        "before deviation",
                                        "after deviation",
                                        "trimmed mean",
                                        "p99.9",
                                        "min",
                                        "p95",
                                        "current",
                                        "migrations",
                                        "cpus",
                                        "created",
                                        "wakes",
                                        "session",
                                        "p90",
                                        "unfinished",
                                        "uncertain",
                                        "stopped",
                                        "slices",
                                        "size",
                                        "ended",
                                        "%",
                                        "self %",
                                        "sum %",
                                        "rate",
                                        "opened",
                                        "outside",
                                        "runnable",
                                        "last",
                                        "first",
                                        "state",
                                        "missing rows",
                                        "since"};

using Texts = std::vector<std::vector<std::string>>;

// As wide as it must be; what is shortened needs less than it has.
std::size_t width_of(const Texts& rows, std::size_t column, bool is_text) {
  constexpr std::size_t kReadable = 24;
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, columns_of(row[column]));
  return is_text ? std::min(width, std::max(kReadable, columns_of(rows.front()[column]))) : width;
}

// Removes columns from the rows, the first of which is the head, until they have room.
void leave_out_columns(const TableLook& look, Texts* rows, std::vector<bool>* right) {
  if (look.left_out == nullptr || look.columns == SIZE_MAX || right->empty()) return;
  constexpr std::size_t kGap = 2;
  std::size_t all = 0;
  for (std::size_t i = 0; i < right->size(); ++i) all += width_of(*rows, i, !(*right)[i]) + kGap;
  const auto leave_out = [&](std::ptrdiff_t place) {
    const auto column = static_cast<std::size_t>(place);
    const std::string name = rows->front()[column];
    all -= width_of(*rows, column, !(*right)[column]) + kGap;
    for (auto& row : *rows) row.erase(row.begin() + place);
    right->erase(right->begin() + place);
    const bool is_new = std::ranges::find(*look.left_out, name) == look.left_out->end();
    if (is_new) look.left_out->push_back(name);
  };
  const auto has_room = [&] { return all <= look.columns + kGap; };
  const auto may_go = [&](const std::string& name) { return std::ranges::find(look.keeps, name) == look.keeps.end(); };
  for (const char* const name : kLeastNeeded) {
    const std::vector<std::string>& head = rows->front();
    const auto found = std::find(head.begin() + 1, head.end(), name);
    if (!has_room() && found != head.end() && may_go(name)) leave_out(found - head.begin());
  }
  // Of others, numbers, from the right; but texts without any number say nothing.
  const auto numbers = [&] { return std::count(right->begin() + 2, right->end(), true); };
  for (std::size_t i = right->size(); i > 2 && !has_room() && numbers() > 1; --i) {
    if ((*right)[i - 1] && may_go(rows->front()[i - 1])) leave_out(static_cast<std::ptrdiff_t>(i - 1));
  }
}

}  // namespace

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
    if (look.is_markdown) facts.insert(facts.begin(), {"", ""});
    AlignedRows rows(facts.front(), {false, false});
    for (std::size_t i = 1; i < facts.size(); ++i) rows.add(facts[i]);
    return rows.append_to(out, look.is_markdown ? look : TableLook());
  }
  Texts texts = {std::move(head)};
  for (const Table::Row& row : table.rows()) {
    std::vector<std::string>& of_row = texts.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Table::Column& column = table.columns()[i];
      if (!column.is_hidden) of_row.push_back(cell_text(row[i], column.kind, raw));
    }
  }
  leave_out_columns(look, &texts, &right);
  AlignedRows rows(std::move(texts.front()), std::move(right));
  for (std::size_t i = 1; i < texts.size(); ++i) rows.add(std::move(texts[i]));
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
