// Tables as text: what a test of them compares.
#pragma once

#include <evt/export/tables.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace evt::testing {

inline std::string value_at(const Column& column, const ColumnValues& values, std::size_t row);

inline std::string list_at(const Column& column, const ColumnValues& values, std::size_t row) {
  Column element = column;
  element.is_list = false;
  std::string text = "[";
  for (auto i = values.ends()[row]; i < values.ends()[row + 1]; ++i) {
    if (text.size() > 1) text += ' ';
    text += value_at(element, values.elements(), static_cast<std::size_t>(i));
  }
  return text + "]";
}

inline std::string value_at(const Column& column, const ColumnValues& values, std::size_t row) {
  if (values.is_null(row)) return "-";
  if (column.is_list) return list_at(column, values, row);
  switch (column.kind) {
    case ColumnKind::kBool:
      return values.number(row) != 0 ? "yes" : "no";
    case ColumnKind::kSigned:
      return std::to_string(static_cast<std::int64_t>(values.number(row)));
    case ColumnKind::kTime:
      return "@" + std::to_string(static_cast<std::int64_t>(values.number(row)));
    case ColumnKind::kUnsigned:
      return std::to_string(values.number(row));
    case ColumnKind::kFloat:
      return fmt::format("{}", values.float_at(row));
    default:
      return std::string(values.text(row));
  }
}

// Calls f with the table's rows, each as texts.
template <typename Each>
void for_each_row(const Tables& tables, const std::string& name, const Tables::Options& options, Each each) {
  const Table* const table = tables.find(name);
  ASSERT_NE(table, nullptr) << name;
  Tables::Rows rows = tables.read({&table, 1}, options);
  while (const TableBatch* const batch = rows.next()) {
    ASSERT_LE(batch->rows(), options.most_rows);
    for (std::size_t row = 0; row < batch->rows(); ++row) {
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        texts.push_back(value_at(table->columns[i], batch->columns[i], row));
      }
      each(texts);
    }
  }
  ASSERT_TRUE(rows.status().ok()) << rows.status().message();
}

// A line for each row, behind one with the names of the columns, without `session` and what it is of.
inline std::string lines_of(const Tables& tables, const std::string& name, const Tables::Options& options = {}) {
  std::string text;
  const Table* const table = tables.find(name);
  if (table == nullptr) return "no such table";
  for (std::size_t i = 1; i < table->columns.size(); ++i) text += (i > 1 ? " " : "") + table->columns[i].name;
  text += '\n';
  for_each_row(tables, name, options, [&](const std::vector<std::string>& row) {
    for (std::size_t i = 1; i < row.size(); ++i) text += (i > 1 ? " " : "") + row[i];
    text += '\n';
  });
  return text;
}

}  // namespace evt::testing
