#include "findings_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "described_tables.h"
#include "libtrace-read/export/src/tables/column_kinds.h"
#include "libtrace-read/text/session_key.h"
#include "libtrace-read/text/utf8.h"

namespace evt::report {
namespace {

// A table of one session.
struct Found {
  std::uint64_t session = 0;
  const Table* table = nullptr;
};

std::vector<Found> found_in(std::span<const SessionFindings> sessions, std::string_view analysis,
                            std::string_view name) {
  std::vector<Found> all;
  for (const SessionFindings& session : sessions) {
    for (const auto& [kind, findings] : session.by_analysis) {
      for (const Table& table : findings.tables) {
        if (kind == analysis && table.name() == name) all.push_back({session_key(*session.session), &table});
      }
    }
  }
  return all;
}

// A name that C and table engines accept: the key may come from a trace.
std::string harmless(std::string_view key) {
  std::string name;
  while (!key.empty()) {
    const Character character = first_character(key);
    const std::string_view taken = take_character(&key);
    name += character.size > 0 && is_harmless(character.code) ? taken : "_";
  }
  return name;
}

// Two names of a trace may become one: then the later one gets another name.
std::vector<std::string> keys_of(const Table& table) {
  std::vector<std::string> keys;
  for (const Table::Column& column : table.columns()) {
    const std::string key = harmless(column.key());
    std::string unique = key;
    for (int i = 2; std::ranges::find(keys, unique) != keys.end(); ++i) unique = fmt::format("{}_{}", key, i);
    keys.push_back(std::move(unique));
  }
  return keys;
}

// The columns of all, each in its place after its predecessor in some session.
std::vector<Column> united(const DescribedTable& described, const std::vector<Found>& all) {
  std::vector<Column> columns = {session_column()};
  for (const Found& found : all) {
    const std::vector<std::string> keys = keys_of(*found.table);
    std::size_t behind = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto same = std::ranges::find_if(columns, [&](const Column& it) { return it.name == keys[i]; });
      if (same != columns.end()) {
        behind = static_cast<std::size_t>(same - columns.begin());
        continue;
      }
      Column column = described_column(described, found.table->columns()[i]);
      column.name = keys[i];
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(++behind), std::move(column));
    }
  }
  if (!all.empty()) return columns;
  for (const DescribedColumn& column : described.columns) {
    if (!column.is_pattern()) columns.push_back(described_column(column));
  }
  return columns;
}

std::string text_of(const Cell& cell) {
  if (cell.text() != nullptr) return *cell.text();
  if (cell.as_unsigned() != nullptr) return std::to_string(*cell.as_unsigned());
  if (cell.as_signed() != nullptr) return std::to_string(*cell.as_signed());
  return fmt::format("{}", cell.as_double());
}

void add_cell(const Cell& cell, ColumnKind kind, ColumnValues* to) {
  const std::uint64_t* const u = cell.as_unsigned();
  const std::int64_t* const i = cell.as_signed();
  if (cell.is_empty()) return to->add_null();
  if (kind == ColumnKind::kText) return to->add_text(text_of(cell));
  if (kind == ColumnKind::kUnsigned && u != nullptr) return to->add_unsigned(*u);
  if (kind == ColumnKind::kUnsigned && i != nullptr && *i >= 0) return to->add_unsigned(static_cast<std::uint64_t>(*i));
  if (kind == ColumnKind::kSigned && i != nullptr) return to->add_signed(*i);
  if (kind == ColumnKind::kSigned && u != nullptr && *u <= INT64_MAX)
    return to->add_signed(static_cast<std::int64_t>(*u));
  if (kind == ColumnKind::kFloat && cell.text() == nullptr && std::isfinite(cell.as_double()))
    return to->add_float(cell.as_double());
  to->add_null();
}

void add_rows(const Found& found, FindingsColumns* to) {
  const std::vector<std::string> keys = keys_of(*found.table);
  const std::vector<Column>& columns = to->table.columns;
  std::vector<std::size_t> places(columns.size(), keys.size());  // places of its columns; past the end: none
  for (std::size_t i = 1; i < columns.size(); ++i) {
    places[i] = static_cast<std::size_t>(std::ranges::find(keys, columns[i].name) - keys.begin());
  }
  const Cell none{};
  for (const Table::Row& row : found.table->rows()) {
    to->rows.columns[0].add_unsigned(found.session);
    for (std::size_t i = 1; i < columns.size(); ++i) {
      add_cell(places[i] < row.size() ? row[places[i]] : none, columns[i].kind, &to->rows.columns[i]);
    }
  }
}

Status unknown(const std::vector<std::string>& analyses, std::string_view name) {
  std::vector<std::string> known;
  for (const DescribedTable& table : described_tables()) {
    if (std::ranges::find(analyses, table.analysis) != analyses.end()) {
      known.push_back(fmt::format("{}.{}", table.analysis, table.name));
    }
  }
  return {Code::kInvalid, fmt::format("there is no table `{}`; there are {}", name, fmt::join(known, ", "))};
}

const DescribedTable* described(const std::vector<std::string>& analyses, std::string_view name) {
  for (const DescribedTable& table : described_tables()) {
    if (std::ranges::find(analyses, table.analysis) == analyses.end()) continue;
    if (name == table.analysis || name == fmt::format("{}.{}", table.analysis, table.name)) return &table;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> tables_in(std::span<const SessionFindings> sessions) {
  std::vector<std::string> names;
  for (const DescribedTable& table : described_tables()) {
    if (!found_in(sessions, table.analysis, table.name).empty()) {
      names.push_back(fmt::format("{}.{}", table.analysis, table.name));
    }
  }
  return names;
}

Result<std::unique_ptr<FindingsColumns>> columns_of(std::span<const SessionFindings> sessions,
                                                    const std::vector<std::string>& analyses, std::string_view name) {
  const DescribedTable* const table = described(analyses, name);
  if (table == nullptr) return unknown(analyses, name);
  const std::vector<Found> all = found_in(sessions, table->analysis, table->name);
  auto made = std::make_unique<FindingsColumns>(
      evt::Table{fmt::format("{}.{}", table->analysis, table->name), table->what, united(*table, all)});
  for (const Found& found : all) add_rows(found, made.get());
  // A column's texts are one array, whose offsets have 31 bits.
  for (std::size_t i = 0; i < made->rows.columns.size(); ++i) {
    if (made->rows.columns[i].variable_size() <= INT32_MAX) continue;
    return Status(Code::kInvalid, fmt::format("{}: column {} has more than 2 GiB of text", made->table.name,
                                              made->table.columns[i].name));
  }
  return made;
}

}  // namespace evt::report
