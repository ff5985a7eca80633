#include "stats/diff_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>

namespace evt::tools {
namespace {

// What a cell is, so that no two that differ are the same. What is not there is as nothing.
std::string identity_of(const Cell* cell) {
  if (cell == nullptr || cell->is_empty()) return "";
  if (cell->text() != nullptr) return cell->text()->empty() ? "" : "=" + *cell->text();
  if (cell->as_signed() != nullptr) return fmt::format("{}", *cell->as_signed());
  if (cell->as_unsigned() != nullptr) return fmt::format("{}", *cell->as_unsigned());
  return fmt::format("{}", cell->as_double());
}

// The column is the name of what the one before it numbers.
bool is_name(const std::vector<Table::Column>& columns, std::size_t column) {
  const std::string& name = columns[column].name;
  return column > 0 && columns[column].kind == CellKind::kText && (name == "name" || name.ends_with(" name")) &&
         columns[column - 1].kind != CellKind::kText;
}

// Each number has one name, and each name one number.
bool are_names_unique(const RowsBy& rows, std::size_t name) {
  std::map<std::string, std::string> name_of;
  std::set<std::string> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string number = identity_of(rows.cell(i, name - 1));
    const std::string text = identity_of(rows.cell(i, name));
    if (number.empty() && text.empty()) continue;
    const auto [known, is_new] = name_of.try_emplace(number, text);
    if (text.empty() || known->second != text || (is_new && !names.insert(text).second)) return false;
  }
  return true;
}

// Which columns of the key say what a row is.
std::vector<std::size_t> telling(const RowsBy& before, const RowsBy& after, const std::vector<Table::Column>& columns) {
  std::vector<std::size_t> tell;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_name(columns, i)) {
      tell.push_back(i);
    } else if (are_names_unique(before, i) && are_names_unique(after, i)) {
      tell.back() = i;
    }
  }
  return tell;
}

using Key = std::vector<std::string>;

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

// What a row is about in another run: threads by their names, programs without the numbers of their processes.
Key key_in_other_run(const RowsBy& rows, std::size_t row, const std::vector<Table::Column>& columns) {
  Key key;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string identity = identity_of(rows.cell(row, i));
    if (is_name(columns, i) && !identity.empty()) {
      key.back() = identity;
    } else {
      key.push_back(columns[i].name == "name" ? identity : without_numbers(identity));
    }
  }
  return key;
}

Key key_of(const RowsBy& rows, std::size_t row, const std::vector<std::size_t>& columns) {
  Key key;
  for (const std::size_t column : columns) key.push_back(identity_of(rows.cell(row, column)));
  return key;
}

}  // namespace

RowsBy::RowsBy(const Table& table, const std::vector<Table::Column>& columns) : table_(&table) {
  for (const Table::Column& wanted : columns) {
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      const Table::Column& column = table.columns()[i];
      if (column.name == wanted.name && column.kind == wanted.kind) place = i;
    }
    place_.push_back(place);
  }
}

std::vector<RowPair> pairs_of(const RowsBy& before, const RowsBy& after, const std::vector<Table::Column>& columns) {
  const std::vector<std::size_t> tell = telling(before, after, columns);
  std::map<Key, std::deque<std::size_t>> waiting;  // rows of `before`
  for (std::size_t i = 0; i < before.size(); ++i) waiting[key_of(before, i, tell)].push_back(i);
  std::vector<RowPair> pairs;
  std::vector<bool> is_paired(before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto found = waiting.find(key_of(after, i, tell));
    if (found == waiting.end() || found->second.empty()) {
      pairs.push_back({std::nullopt, i});
      continue;
    }
    const std::size_t partner = found->second.front();
    found->second.pop_front();
    is_paired[partner] = true;
    pairs.push_back({partner, i});
  }
  // In the order of their numbers, which is that in which they were made.
  std::map<Key, std::deque<std::size_t>> others;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_paired[i]) others[key_in_other_run(before, i, columns)].push_back(i);
  }
  for (RowPair& pair : pairs) {
    if (pair.before) continue;
    const auto found = others.find(key_in_other_run(after, *pair.after, columns));
    if (found == others.end() || found->second.empty()) continue;
    pair.before = found->second.front();
    found->second.pop_front();
    is_paired[*pair.before] = true;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_paired[i]) pairs.push_back({i, std::nullopt});
  }
  return pairs;
}

}  // namespace evt::tools
