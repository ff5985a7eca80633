#include "stats/table_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace evt::tools {
namespace {

// Of texts like sort.14535:14870, pipe:[5839702] and 0x559df3d6b100, what is the same each time that a program runs.
std::string without_numbers(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    rest += text[i];
    const bool is_hex = rest.ends_with("0x");
    if (!is_hex && text[i] != '.' && text[i] != ':' && text[i] != '[' && text[i] != '#') continue;
    const char* const digits = is_hex ? "0123456789abcdef" : "0123456789";
    i = std::min(text.find_first_not_of(digits, i + 1), text.size()) - 1;
  }
  return rest;
}

bool is_thread(const Table::Column& column) {
  return column.name == "thread" || column.name.ends_with(" thread") || column.name == "woken by";
}

std::string plain_text(const Cell& cell) {
  if (cell.text() != nullptr) return *cell.text();
  if (cell.as_signed() != nullptr) return fmt::format("{}", *cell.as_signed());
  return cell.as_unsigned() != nullptr ? fmt::format("{}", *cell.as_unsigned()) : "";
}

const Table::Column* same_in(const Table& table, const Table::Column& column) {
  const auto found = std::ranges::find_if(
      table.columns(), [&](const Table::Column& each) { return each.name == column.name && each.kind == column.kind; });
  return found != table.columns().end() ? &*found : nullptr;
}

// A name stands for the number in front of it. `with_numbers`: of threads.
template <typename TextOf>
RowKey key_of(const RowsBy& rows, std::size_t row, const Columns& columns, bool with_numbers, TextOf text_of) {
  RowKey key;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Cell* const cell = rows.cell(row, i);
    const std::string identity = identity_of(cell);
    const bool is_number = cell != nullptr && cell->text() == nullptr;
    if (is_name(columns, i) && !identity.empty()) {
      key.back() = identity;
    } else if (is_number && !with_numbers && is_thread(columns[i])) {
      key.emplace_back();
    } else {
      key.push_back(columns[i].name == "name" ? identity : text_of(identity));
    }
  }
  return key;
}

}  // namespace

Columns keys_of(const std::vector<const Table*>& tables) {
  const Table& widest = **std::ranges::max_element(tables, {}, &Table::key_columns);
  Columns keys(widest.columns().begin(), widest.columns().begin() + static_cast<std::ptrdiff_t>(widest.key_columns()));
  for (Table::Column& key : keys) {
    key.is_hidden = std::ranges::all_of(tables, [&](const Table* table) {
      const Table::Column* const same = same_in(*table, key);
      return same == nullptr || same->is_hidden;
    });
    key.hides_if_empty = false;
  }
  return keys;
}

Columns values_of(const std::vector<const Table*>& tables) {
  Columns all;
  for (const Table* const table : tables) {
    for (std::size_t i = table->key_columns(); i < table->columns().size(); ++i) {
      const Table::Column& column = table->columns()[i];
      const bool is_known = std::ranges::any_of(
          all, [&](const Table::Column& each) { return each.name == column.name && each.kind == column.kind; });
      if (!is_known) all.push_back(column);
    }
  }
  return all;
}

bool is_compared(const Table::Column& column) {
  return !is_thread(column) && column.kind != CellKind::kText && column.kind != CellKind::kPercent &&
         column.kind != CellKind::kTime;
}

std::string identity_of(const Cell* cell) {
  if (cell == nullptr || cell->is_empty()) return "";
  if (cell->text() != nullptr) return cell->text()->empty() ? "" : "=" + *cell->text();
  if (cell->as_signed() != nullptr) return fmt::format("{}", *cell->as_signed());
  if (cell->as_unsigned() != nullptr) return fmt::format("{}", *cell->as_unsigned());
  return fmt::format("{}", cell->as_double());
}

bool is_name(const Columns& columns, std::size_t column) {
  const std::string& name = columns[column].name;
  return column > 0 && columns[column].kind == CellKind::kText && (name == "name" || name.ends_with(" name")) &&
         columns[column - 1].kind != CellKind::kText;
}

RowKey key_in_other_run(const RowsBy& rows, std::size_t row, const Columns& columns, bool with_numbers) {
  return key_of(rows, row, columns, with_numbers, without_numbers);
}

RowKey exact_key(const RowsBy& rows, std::size_t row, const Columns& columns) {
  return key_of(rows, row, columns, false, [](const std::string& text) { return text; });
}

RowName name_of(const RowsBy& rows, std::size_t row, const Columns& keys, const std::string& table) {
  RowName name{{}, table};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Cell* const cell = rows.cell(row, i);
    name.cells.push_back(cell != nullptr ? *cell : Cell());
    const std::string text = plain_text(name.cells.back());
    if (!text.empty()) name.text += " " + text;
  }
  return name;
}

std::string listed(const std::vector<std::string>& rows) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = std::min(rows.size(), kMost);
  const std::string list =
      fmt::format("{}", fmt::join(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == rows.size() ? list : fmt::format("{} and {} more", list, rows.size() - shown);
}

}  // namespace evt::tools
